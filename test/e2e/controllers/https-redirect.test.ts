import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import { traefikEdge } from '../../../dev/platform/services.ts';
import { inState } from '../../../dev/story/stage.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { validations } from '../../support/authority-log.ts';
import { redirectingControllers } from '../../support/ingress-controllers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import { publishDomain, recordOf } from '../../support/published-domain.ts';
import { renewCertificate } from '../../support/renew-certificate.ts';
import { closeStoryEnvironmentsAfterEach, openStoryEnvironment } from '../../support/story-environment.ts';
import { askHttp, serialNumber } from '../../support/visitor.ts';

/**
 * HTTP-01 through ingress controllers that redirect visitors from http to https, at the first certificate and at a renewal. Nothing but the
 * controller listens on port 80, where the authority asks.
 */

const hostname = 'www.example.com';
const patienceMs = 60_000;

closeStoryEnvironmentsAfterEach();

const redirectsVisitors = (platform: Platform): Promise<void> =>
  eventually('visitors are redirected to https', patienceMs, async () => {
    const { status, location } = await askHttp({ address: platform.facts.ingressAddress, hostname, path: '/' });
    expectThat([301, 302, 303, 307, 308].includes(status), `status ${status}`);
    expect(URL.parse(location ?? '')?.href).toBe(`https://${hostname}/`);
  });

const served = ({ facts }: Platform): Promise<string> =>
  serialNumber({ address: facts.ingressAddress, ca: readFileSync(facts.acmeRoot), hostname });

/** Outcome and kind of each order of the hostname, once none is open. */
const orders = ({ kubectl }: Platform) =>
  eventually('no order is open', patienceMs, async () => {
    const claim = await kubectl.get<HostnameClaim>('hostnameclaim', hostname);
    const seen = claim?.spec.orders ?? [];
    expectThat(seen.length > 0 && seen.every(({ outcome }) => outcome !== 'Pending'), JSON.stringify(seen));
    return seen.map(({ outcome, kind }) => [outcome, kind]);
  });

describe.each(redirectingControllers())('$name', ({ start, controller }) => {
  it(
    'lets the challenge through at the first certificate and at a renewal, while visitors are redirected',
    async () => {
      const { platform, stage } = await openStoryEnvironment(patienceMs, {
        issuer: 'AcmeIssuer',
        edge: { start, routing: { ...traefikEdge.routing, controller } },
      });
      await publishDomain(stage, 'acme', hostname);
      const seen = await stage.domainWhere('acme', hostname, 'shows its record', (one) =>
        recordOf(one, 'CNAME') ? null : 'no record',
      );
      await stage.putZone('example.com', `www CNAME ${recordOf(seen, 'CNAME')?.value}.`);
      await stage.domainWhere('acme', hostname, 'is Live', inState('Live'));
      await stage.answers(hostname, 'acme-web');
      await redirectsVisitors(platform);
      expect(await orders(platform)).toEqual([['Issued', 'First']]);
      const before = await served(platform);
      const asked = validations(platform, hostname);
      expect(asked).toBeGreaterThan(0);

      await renewCertificate(platform.kubectl, 'acme', hostname);
      await eventually('visitors get another certificate', patienceMs, async () => {
        expectThat((await served(platform)) !== before, 'they get the one before');
      });
      expect((await orders(platform)).map(([outcome]) => outcome)).toEqual(['Issued', 'Issued']);
      expect(validations(platform, hostname)).toBeGreaterThan(asked);
      await redirectsVisitors(platform);
      await stage.domainWhere('acme', hostname, 'is Live still', inState('Live'));
    },
    platformDeadlineMs,
  );
});
