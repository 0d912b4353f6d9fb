import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { SeenDomain, Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { run } from '../../cluster/cli/command-line.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import { publishDomain, recordOf } from '../../support/published-domain.ts';
import { closeStoryEnvironmentsAfterEach, openStoryEnvironment } from '../../support/story-environment.ts';
import { endVisitsAfterEach, goLive, secondEdge, visit } from '../../support/two-edges.ts';
import { verifyRequests } from '../../support/verify-requests.ts';

/**
 * One project moves to an edge that its plan permits, and others stay (docs/edges.md). Its hostnames are served by both edges as long as DNS
 * leads to the former one: one follows the project's target, which is the platform's to move; one has an address, which its owner changes.
 */

const patienceMs = 90_000;
const account = 'acme';
const zone = `${account}.example`;
const www = `www.${zone}`;

closeStoryEnvironmentsAfterEach();
endVisitsAfterEach();

interface Migration {
  readonly projects: readonly {
    readonly namespace: string;
    readonly state: string;
    readonly records: readonly string[];
    readonly behind: readonly { readonly hostname: string; readonly actor: string }[];
  }[];
}

async function migrate({ facts }: Platform, ...args: readonly string[]): Promise<Migration['projects']> {
  const { out, status, err } = await run(['migrate', ...args, '--kubeconfig', facts.kubeconfig, '--json']);
  expectThat(status === 0, err);
  return (JSON.parse(out) as Migration).projects;
}

const kindAtSecond = secondEdge().routing.kind === 'Gateway' ? 'listenersets.gateway.networking.k8s.io' : 'ingress';

/** By which of the two edges a customer's hostname has a route. */
async function routesOf({ kubectl }: Platform, hostname: string) {
  const name = childName(hostname);
  const [first, second] = await Promise.all([
    kubectl.get('ingress', name, account),
    kubectl.get(kindAtSecond, `${name}.second`, account),
  ]);
  return { first: first !== null, second: second !== null };
}

/** Requests checks, one after the other, until the domain shows this. */
function checksOf(stage: Stage) {
  const verify = verifyRequests(stage);
  return (hostname: string, complain: (one: SeenDomain) => string | null) =>
    eventually(`${hostname} is as expected after a check`, patienceMs, async () => {
      const before = (await stage.domain(account, hostname)).status?.check?.checkedAt;
      await verify(account, hostname);
      const seen = await stage.domainWhere(account, hostname, 'is checked', ({ status }) =>
        status?.check?.checkedAt === before ? `checked at ${before}` : null,
      );
      const complaint = complain(seen);
      expectThat(complaint === null, complaint ?? '');
    });
}

const isToldOfFormerEdge = ({ status }: SeenDomain) =>
  status?.issues?.some(({ code }) => code === 'FormerEdge') ? null : `issues: ${JSON.stringify(status?.issues)}`;
const hasNoIssue = ({ status }: SeenDomain) =>
  (status?.issues ?? []).length === 0 ? null : `issues: ${JSON.stringify(status?.issues)}`;

describe('a project that moves to another edge', () => {
  it(
    'is served by both while DNS points to the former, goes alone, and comes back the same way',
    async () => {
      const { platform, stage } = await openStoryEnvironment(patienceMs, {
        issuer: 'AcmeIssuer',
        second: secondEdge(),
      });
      const { ingressAddress: first, secondAddress } = platform.facts;
      const second = secondAddress ?? '';
      const ca = readFileSync(platform.facts.acmeRoot);
      const checkedUntil = checksOf(stage);
      const ask = (address: string, hostname: string) =>
        askHttps({ address, ca, hostname }).then(
          ({ status }) => status,
          () => null,
        );
      platform.dns.putZone('apps.example.net', `$TTL 2\n* A ${first}\n*.cname A ${first}\n@ A ${first}`);
      await platform.serveBy('chosen');
      await stage.kubectl.run([
        'patch',
        'plan',
        'pro',
        '--type=merge',
        '-p',
        '{"spec":{"routingClasses":["default","second"]}}',
      ]);

      await publishDomain(stage, account, www);
      await stage.kubectl.apply({
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'ProjectDomain',
        metadata: { name: zone, namespace: account },
        spec: { project: 'shop', hostname: zone, role: 'Redirect', redirect: { to: www } },
      });
      const seen = await stage.domainWhere(account, www, 'shows its record', (one) =>
        recordOf(one, 'CNAME') ? null : 'no record',
      );
      const target = recordOf(seen, 'CNAME')?.value ?? '';
      const ownership = await stage.domainWhere(account, zone, 'shows its ownership record', (one) =>
        recordOf(one, 'TXT') ? null : 'no record',
      );
      const { name: txtName, value: txtValue } = recordOf(ownership, 'TXT') ?? { name: '', value: '' };
      const apexAt = (address: string) =>
        stage.putZone(zone, `$TTL 2\n@ A ${address}\n${txtName} TXT "${txtValue}"\nwww CNAME ${target}.`);
      await apexAt(first);
      for (const hostname of [www, zone]) await stage.domainWhere(account, hostname, 'is Live', inState('Live'));
      const neighbour = await goLive(stage, 'globex');
      expect([await routesOf(platform, www), await routesOf(platform, zone)]).toEqual([
        { first: true, second: false },
        { first: true, second: false },
      ]);
      expect(await ask(second, www)).not.toBe(200);

      const atFirst = visit(ca, first, [www, zone, neighbour], [zone]);
      const [planned] = await migrate(platform, '--to', 'second', '-n', account, '--apply');
      expect(planned).toMatchObject({ namespace: account, state: 'Moved' });
      await eventually('both hostnames are served by the second edge too', patienceMs, async () => {
        expectThat((await ask(second, www)) === 200 && (await ask(second, zone)) === 301, 'one does not answer');
      });
      for (const hostname of [www, zone]) await checkedUntil(hostname, isToldOfFormerEdge);
      const atSecond = visit(ca, second, [www, zone], [zone]);
      const [waiting] = await migrate(platform, '--to', 'second', '-n', account);
      expect(waiting?.records).toEqual([`${target}. A ${second}`]);
      expect(waiting?.behind.toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1))).toEqual([
        { hostname: zone, actor: 'Owner' },
        { hostname: www, actor: 'Platform' },
      ]);

      const [label = ''] = target.split('.');
      platform.dns.putZone(
        'apps.example.net',
        `$TTL 2\n* A ${first}\n*.cname A ${first}\n${label}.cname A ${second}\n@ A ${first}`,
      );
      await atFirst.further(100);
      const seenAtFirst = await atFirst.end();
      expect(seenAtFirst.failed).toEqual([]);
      await checkedUntil(www, hasNoIssue);
      await eventually('the one that follows the target has left the first edge', patienceMs, async () => {
        expectThat(!(await routesOf(platform, www)).first, 'it has a route there');
      });
      expect(await routesOf(platform, zone)).toEqual({ first: true, second: true });

      await apexAt(second);
      await checkedUntil(zone, hasNoIssue);
      await eventually('the apex has left it as well', patienceMs, async () => {
        expectThat(!(await routesOf(platform, zone)).first, 'it has a route there');
      });
      await eventually('the first edge has taken both routes out of service', patienceMs, async () => {
        for (const hostname of [www, zone]) {
          const status = await ask(first, hostname);
          expectThat(status !== 200 && status !== 301, `${hostname} answers ${status}`);
        }
      });
      expect(await ask(first, neighbour)).toBe(200);
      expect(await ask(second, neighbour)).not.toBe(200);
      for (const hostname of [www, zone]) await stage.domainWhere(account, hostname, 'is Live', inState('Live'));

      const added = `shop.${zone}`;
      await stage.kubectl.apply({
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'ProjectDomain',
        metadata: { name: added, namespace: account },
        spec: { project: 'shop', hostname: added, role: 'Redirect', redirect: { to: www } },
      });
      await stage.putZone(
        zone,
        `$TTL 2\n@ A ${second}\n${txtName} TXT "${txtValue}"\nwww CNAME ${target}.\nshop CNAME ${target}.`,
      );
      await stage.domainWhere(account, added, 'is Live', inState('Live'));
      expect(await routesOf(platform, added)).toEqual({ first: false, second: true });

      await migrate(platform, '--to', 'default', '-n', account, '--apply');
      await eventually('all are served by the first edge again', patienceMs, async () => {
        const answers = [await ask(first, www), await ask(first, zone), await ask(first, added)];
        expectThat(answers.join() === '200,301,301', answers.join());
      });
      expect(await routesOf(platform, added)).toEqual({ first: true, second: true });
      const { asked, failed } = await atSecond.end();
      expect(failed).toEqual([]);
      expect(asked).toBeGreaterThan(200);
      process.stderr.write(`visitors at the first edge: ${seenAtFirst.asked}, at the second: ${asked}; none failed\n`);
    },
    platformDeadlineMs,
  );
});
