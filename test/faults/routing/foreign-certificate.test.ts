import { X509Certificate } from 'node:crypto';
import type { Server } from 'node:https';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { ProbeRequest, ProbeResult } from '../../../src/routing/https-probe.ts';
import { createHttpsProbe } from '../../../src/routing/https-probe.ts';
import type { Made } from '../../support/made-certificates.ts';
import { certificateMaker, names, ofServer } from '../../support/made-certificates.ts';

/**
 * What the operator makes of the certificate that an edge shows. Fails when another's passes for the hostname's own, or when one of its own that is merely
 * older, or an edge that does not answer, would raise an alarm.
 */

const maker = certificateMaker();
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  maker.remove();
});
const { root, intermediate } = maker.authorities();
const hostname = 'www.example.com';
const own = maker.make({ by: intermediate });
const older = maker.make({ by: intermediate, days: 30 });
const thief = maker.make({ extensions: [...ofServer, names(hostname)] });
const other = maker.make({ by: intermediate, extensions: [...ofServer, names('shop.example.com')] });
const notAfter = (made: Made) => new X509Certificate(made.pem).validToDate.toISOString();
const fingerprint = (made: Made) => new X509Certificate(made.pem).fingerprint256.replaceAll(':', '').toLowerCase();

/** What a probe says of an edge that shows a certificate. */
async function seen(made: Made, expected: Omit<ProbeRequest, 'hostname'>, status = 200): Promise<ProbeResult> {
  const server = createServer({ cert: made.pem + intermediate.pem, key: made.key }, (_, response) =>
    response.writeHead(status).end(),
  );
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const probe = createHttpsProbe({ address: '127.0.0.1', port, ca: root.pem });
  return probe.ask({ hostname, ...expected }, new AbortController().signal);
}

const automatic = { notAfter: notAfter(own) };
const ofCustomer = { notAfter: notAfter(own), fingerprint: fingerprint(own) };
const ofNoCustomer = { notAfter: '', isForeign: (shown: string) => shown === fingerprint(thief) };

describe('an edge that shows', () => {
  it.each<[string, Made, Omit<ProbeRequest, 'hostname'>, { ok: boolean; isForeign: boolean }]>([
    ['the automatic certificate is right', own, automatic, { ok: true, isForeign: false }],
    ['an older one of the hostname is behind', older, automatic, { ok: false, isForeign: false }],
    ['one that no authority signed shows a foreign one', thief, automatic, { ok: false, isForeign: true }],
    ["another hostname's shows a foreign one", other, automatic, { ok: false, isForeign: true }],
    ["the customer's own is right", own, ofCustomer, { ok: true, isForeign: false }],
    ['another for the same name than theirs shows a foreign one', older, ofCustomer, { ok: false, isForeign: true }],
    ["whatever is no customer's for a platform hostname is right", own, ofNoCustomer, { ok: true, isForeign: false }],
    ["a customer's for a platform hostname shows a foreign one", thief, ofNoCustomer, { ok: false, isForeign: true }],
  ])('%s', async (_, made, expected, { ok, isForeign }) => {
    const result = await seen(made, expected);
    expect([result.ok, !result.ok && result.isForeign === true]).toEqual([ok, isForeign]);
  });

  it.each([200, 503])("the customer's own hands it over, with whatever status: %i", async (status) => {
    const { certificate } = await seen(own, ofCustomer, status);
    expect(certificate).toEqual(new X509Certificate(own.pem).raw);
  });

  it('one of an authority that is not trusted names what the platform has to set', async () => {
    const result = await seen(thief, automatic);
    expect(result).toMatchObject({
      code: 'Untrusted',
      detail: expect.stringMatching(/has to put its root into probe\.caConfigMap \([A-Z_]+\)$/) as unknown,
    });
  });

  it('nothing says nothing', async () => {
    const probe = createHttpsProbe({ address: '127.0.0.1', port: 1, ca: root.pem });
    const result = await probe.ask({ hostname, ...automatic }, new AbortController().signal);
    expect(result).toMatchObject({ ok: false, code: 'Unreachable' });
    expect(result).not.toHaveProperty('isForeign', true);
  });
});
