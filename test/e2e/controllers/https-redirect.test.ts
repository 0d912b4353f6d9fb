import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import { inState } from '../../../dev/story/stage.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { validations } from '../../support/authority-log.ts';
import { redirectingControllers } from '../../support/ingress-controllers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import { publishDomain, recordOf } from '../../support/published-domain.ts';
import { renewCertificate } from '../../support/renew-certificate.ts';
import { closeStoryEnvironmentsAfterEach, openStoryEnvironment } from '../../support/story-environment.ts';

/**
 * HTTP-01 through ingress controllers that redirect visitors from http to https, at the first certificate and at a renewal. Nothing but the
 * controller listens on port 80, where the authority asks.
 */

const hostname = 'www.example.com';
const patienceMs = 60_000;

closeStoryEnvironmentsAfterEach();

/** What http://HOST/ answers: status and Location. */
const visit = ({ facts }: Platform): Promise<readonly [number, string | undefined]> =>
  new Promise((resolve, reject) => {
    const question = {
      host: facts.ingressAddress,
      port: 80,
      headers: { host: hostname },
      agent: false,
      timeout: 5_000,
    };
    const asked = get(question, (response) => {
      response.resume().on('end', () => resolve([response.statusCode ?? 0, response.headers.location]));
    });
    asked.on('timeout', () => asked.destroy(new Error('timeout'))).on('error', reject);
  });

const redirectsVisitors = (platform: Platform): Promise<void> =>
  eventually('visitors are redirected to https', patienceMs, async () => {
    const [status, location] = await visit(platform);
    expectThat([301, 302, 303, 307, 308].includes(status), `status ${status}`);
    expect(URL.parse(location ?? '')?.href).toBe(`https://${hostname}/`);
  });

/** The serial number of the certificate that visitors get. */
const served = ({ facts }: Platform): Promise<string> =>
  new Promise((resolve, reject) => {
    const ca = readFileSync(facts.acmeRoot);
    const socket = connect({ host: facts.ingressAddress, port: 443, servername: hostname, ca }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.end();
    });
    socket.setTimeout(5_000, () => socket.destroy(new Error('timeout')));
    socket.on('error', reject);
  });

/** Outcome and kind of each order of the hostname, once none is open. */
const orders = ({ kubectl }: Platform) =>
  eventually('no order is open', patienceMs, async () => {
    const claim = await kubectl.get<HostnameClaim>('hostnameclaim', hostname);
    const seen = claim?.spec.orders ?? [];
    expectThat(seen.length > 0 && seen.every(({ outcome }) => outcome !== 'Pending'), JSON.stringify(seen));
    return seen.map(({ outcome, kind }) => [outcome, kind]);
  });

describe.each(redirectingControllers())('$name', ({ start }) => {
  it(
    'lets the challenge through at the first certificate and at a renewal, while visitors are redirected',
    async () => {
      const { platform, stage } = await openStoryEnvironment(patienceMs, {
        issuer: 'AcmeIssuer',
        edge: { start, gateway: null },
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
