import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Authority } from '../../../dev/dns/authority.ts';
import { startAuthority } from '../../../dev/dns/authority.ts';
import type { UpdateServer } from '../../../dev/dns/update-server.ts';
import { startUpdateServer } from '../../../dev/dns/update-server.ts';
import type { ChallengeZone } from '../../../src/dns/challenge-zone.ts';
import { createChallengeZone } from '../../../src/dns/update/challenge-zone.ts';

/** The challenge zone of the development platform, as our operator changes it. Fails where nobody could try prepared hostnames and wildcards there. */

const [address, zoneAddress, updateAddress] = ['127.88.23.1', '127.88.23.2', '127.88.23.30'] as const;
const port = 5_353;
const zone = 'acme.test';
const secret = randomBytes(32);
const begin = Date.UTC(2026, 0, 1);
let authority: Authority;
let server: UpdateServer;

beforeAll(async () => {
  authority = await startAuthority({ address, zoneAddress, controlAddress: address, port });
  server = await startUpdateServer({
    ...{ address: updateAddress, port, zone, key: { name: 'challenges', secret }, now: () => begin },
    serve: (text) => authority.putZone(zone, text),
  });
});

afterAll(async () => {
  await server.stop();
  await authority.stop();
});

interface Changed {
  readonly name?: string;
  readonly zone?: string;
  readonly secret?: Buffer;
  readonly now?: number;
}

const zoneOf = ({ name = 'challenges', now = begin, ...changed }: Changed = {}): ChallengeZone =>
  createChallengeZone({
    zone: changed.zone ?? zone,
    primary: { address: updateAddress, port },
    servers: [{ address: zoneAddress, port }],
    key: () => Promise.resolve({ name, algorithm: 'hmac-sha256', secret: changed.secret ?? secret }),
    now: () => now,
  });

it('serves what an order puts there, replaces it by the next, and takes it away', async () => {
  const own = zoneOf();
  await own.put('label', 'a', ['one', 'two']);
  expect(await own.serves('label', 'a', ['one', 'two'])).toBe(true);
  await own.put('label', 'a', ['three']);
  expect(await own.serves('label', 'a', ['one', 'two'])).toBe(false);
  expect(await own.serves('label', 'a', ['three'])).toBe(true);
  await own.put('label', 'a', []);
  expect(await own.serves('label', 'a', [])).toBe(true);
});

it.each<[string, Changed, string]>([
  ['another secret', { secret: randomBytes(32) }, 'NOTAUTH'],
  ['another key', { name: 'other' }, 'NOTAUTH'],
  ['an old signature', { now: begin - 301_000 }, 'NOTAUTH'],
  ['another zone', { zone: 'other.test' }, 'REFUSED'],
])('refuses %s', async (_, changed, code) => {
  await expect(zoneOf(changed).put('label', 'a', ['forged'])).rejects.toThrow(code);
  expect(await zoneOf().serves('label', 'b', [])).toBe(true);
});
