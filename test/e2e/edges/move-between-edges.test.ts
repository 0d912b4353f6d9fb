import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import { inState } from '../../../dev/story/stage.ts';
import { run } from '../../cluster/cli/command-line.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import { closeStoryEnvironmentsAfterEach, openStoryEnvironment } from '../../support/story-environment.ts';
import { className, endVisitsAfterEach, goLive, secondEdge, visit } from '../../support/two-edges.ts';

/**
 * An installation moves from one edge to another (docs/edges.md): both serve every hostname until DNS points to the second one, and then the first
 * one's routes go. Visitors are at both all the time. PROJECTDOMAIN_MOVE_TO names another second edge than an ingress controller of the same make.
 */

const patienceMs = 90_000;

closeStoryEnvironmentsAfterEach();
endVisitsAfterEach();

/** `projectdomain probe` of an address. */
const probe = ({ facts }: Platform, address: string) =>
  run(['probe', '-A', '--address', address, '--ca', facts.acmeRoot, '--kubeconfig', facts.kubeconfig, '--json']);

const routesOf = async ({ kubectl }: Platform, kind: string): Promise<readonly string[]> => {
  const selector = 'app.kubernetes.io/managed-by=projectdomain';
  const text = await kubectl.run(['get', kind, '-A', '-l', selector, '-o', 'jsonpath={.items[*].metadata.name}']);
  return text.trim().split(/\s+/).filter(Boolean);
};

describe('an installation that moves to another edge', () => {
  it(
    'serves every hostname at both meanwhile, and no visitor notices',
    async () => {
      const second = secondEdge();
      const { platform, stage } = await openStoryEnvironment(patienceMs, { issuer: 'AcmeIssuer', second });
      const { ingressAddress: first, secondAddress } = platform.facts;
      const ca = readFileSync(platform.facts.acmeRoot);
      const address = secondAddress ?? '';
      const before = [await goLive(stage, 'acme'), await goLive(stage, 'globex')];
      expect(JSON.parse((await probe(platform, address)).out)).toMatchObject({ asked: 2, answered: 0 });

      const atFirst = visit(ca, first, before);
      await platform.serveBy('both');
      await eventually('every hostname is served at both', patienceMs, async () => {
        const { status, out } = await probe(platform, address);
        expectThat(status === 0, out);
      });
      const atSecond = visit(ca, address, before);
      const added = await goLive(stage, 'initech');
      for (const place of [first, address])
        expect((await askHttps({ address: place, ca, hostname: added })).status).toBe(200);

      platform.dns.putZone('apps.example.net', `* A ${address}\n*.cname A ${address}\n@ A ${address}`);
      await atFirst.further(100);
      const seenAtFirst = await atFirst.end();
      expect(seenAtFirst.failed).toEqual([]);

      await platform.serveBy('second');
      await eventually('nothing of the first edge is left', patienceMs, async () => {
        const names = await routesOf(platform, 'ingresses');
        expectThat(!names.some((name) => !name.endsWith(`.${className}`)), names.join());
      });
      const hostnames = [...before, added];
      for (const hostname of hostnames)
        await stage.domainWhere(hostname.split('.')[1] ?? '', hostname, 'is Live', inState('Live'));
      const last = await goLive(stage, 'umbrella');
      expect((await probe(platform, address)).status).toBe(0);
      await eventually('the first edge answers for none of them', patienceMs, async () => {
        expect(JSON.parse((await probe(platform, first)).out)).toMatchObject({ asked: 4, answered: 0 });
      });
      expect((await askHttps({ address, ca, hostname: last })).status).toBe(200);
      const { asked, failed } = await atSecond.end();
      expect(failed).toEqual([]);
      expect(asked).toBeGreaterThan(200);
      process.stderr.write(`visitors at the first edge: ${seenAtFirst.asked}, at the second: ${asked}; none failed\n`);
    },
    platformDeadlineMs,
  );
});
