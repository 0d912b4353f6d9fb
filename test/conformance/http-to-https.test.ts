import { beforeAll, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { renewCertificate } from '../support/renew-certificate.ts';

/**
 * Over http a hostname leads to itself over HTTPS once it is served there, and not before: a visitor would see a warning. What authorities ask over http is answered there. Fails where
 * an edge serves a project unencrypted, or leads somebody in a circle.
 */

const fixture = useConformance(import.meta.filename, { isLive: false });
const [hostname, later] = [inZone('www.http-to-https'), inZone('later.http-to-https')] as const;

beforeAll(async () => {
  await fixture().createRecord(hostname);
  await fixture().isLive(hostname);
}, conformanceDeadlineMs);

const leads = (what: string, path: string, location: string) =>
  eventually(`http leads to ${what}`, 60_000, async () => {
    const answer = await fixture().askHttp(what, path);
    expectThat(answer.status === 301 && answer.location === location, `${answer.status} ${answer.location}`);
  });

it('leads to the same host, path and query, where the project answers', async () => {
  const path = '/a%2Fb/c?d=%20&e=f';
  await leads(hostname, path, `https://${hostname}${path}`);
  expect((await fixture().ask(hostname, path)).status).toBe(200);
});

it('leads from a platform hostname in the same way', async () => {
  const platformHostname = `http-to-https.${fixture().stage.facts.platformDomain}`;
  await leads(platformHostname, '/a?b', `https://${platformHostname}/a?b`);
});

it('leads nobody to a hostname that has no certificate yet, and does once it has one', async () => {
  const { status, location, body } = await fixture().askHttp(later, '/a');
  expect([status, location, body.includes('shop-web')]).toEqual([404, undefined, false]);
  await fixture().createRecord(later);
  await fixture().isLive(later);
  await eventually('http leads on', 60_000, async () => {
    const answer = await fixture().askHttp(later, '/a');
    expectThat(answer.status === 301, `status ${answer.status}`);
    expectThat([`https://${later}/a`, `https://${hostname}/a`].includes(answer.location ?? ''), `${answer.location}`);
  });
  const { headers } = await fixture().ask(later, '/a');
  expect([headers.location, headers['strict-transport-security']]).toEqual([
    `https://${hostname}/a`,
    'max-age=2592000',
  ]);
});

it(
  'answers challenges over http, at a renewal too',
  async () => {
    const path = '/.well-known/acme-challenge/abc';
    const expected = fixture().exceptions.leadsChallengesToHttps ? 301 : 404;
    expect((await fixture().askHttp(hostname, path)).status).toBe(expected);
    const before = await fixture().serialNumber(hostname);
    await renewCertificate(fixture().stage.kubectl, fixture().account, hostname);
    await eventually('the next certificate is served', 60_000, async () => {
      expectThat((await fixture().serialNumber(hostname)) !== before, 'it is the one before');
    });
    await leads(hostname, '/', `https://${hostname}/`);
  },
  conformanceDeadlineMs,
);
