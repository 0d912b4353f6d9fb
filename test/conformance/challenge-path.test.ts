import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/**
 * The paths of challenges and tokens are the platform's, over http and https, and everything beside them is the project's. Fails where a project could answer a
 * challenge for its hostname, or the longer path does not go before the shorter one.
 */

const fixture = useConformance(import.meta.filename);
const hostname = inZone('www.challenge-path');

it('no project answers challenges', async () => {
  const path = '/.well-known/acme-challenge/abc';
  const [secure, plain] = await Promise.all([fixture().ask(hostname, path), fixture().askHttp(hostname, path)]);
  for (const { body } of [secure, plain]) expect(body).not.toContain('shop-web');
  expect([secure.status, plain.status]).toEqual([404, fixture().exceptions.leadsChallengesToHttps ? 301 : 404]);
});

it('nobody answers tokens of a hostname that nobody added', async () => {
  const { status, body } = await fixture().askHttp(inZone('other.challenge-path'), '/.well-known/projectdomain/abc');
  expect([status, body.includes('shop-web')]).toEqual([404, false]);
});

it.each(['/.well-known/acme-challenges', '/.well-known/security.txt', '/a/.well-known/acme-challenge/abc'])(
  'the project has %s',
  async (path) => {
    const { status, body } = await fixture().ask(hostname, path);
    expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ path })]);
  },
);
