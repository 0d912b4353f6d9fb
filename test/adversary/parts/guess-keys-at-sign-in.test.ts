import { randomInt } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { drawKey, keyIdOf } from '../../../src/rules/api-key-format.ts';
import type { MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';

/**
 * Somebody tries keys, by REST and at the sign-in form. Tries are bounded for an address and for a key's id, and answers
 * tell nothing of which part was right.
 */

const part = attackPart();
let victim: MadeKey;
let addresses = 0;
const anotherAddress = (): string => `127.0.2.${(addresses += 1)}`;

beforeEach(() => {
  const account = part.fresh('account');
  part.api.account(account);
  victim = part.api.key(account);
});

/** A key of the right shape and checksum with the victim's id and another secret. */
function withVictimsId(): string {
  const draws = victim.keyId.split('').map((letter) => '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(letter));
  const { key } = drawKey((below) => (below === 36 ? (draws.shift() ?? 0) : randomInt(below)));
  expect(keyIdOf(key)).toBe(victim.keyId);
  return key;
}

const nobodys = (): string => drawKey(randomInt).key;

async function statuses(count: number, attempt: (index: number) => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await attempt(index)).status);
  return seen;
}

const refused = (seen: readonly number[]) => seen.filter((status) => status === 429).length;

describe('whoever guesses', () => {
  it.each<[string, () => string]>([
    ['keys of no form', () => 'pd_x'],
    ['keys that nobody has', nobodys],
    ['secrets of a key whose id is known', withVictimsId],
  ])('%s from one address is refused after thirty tries a minute at the form', async (_, guess) => {
    const from = anotherAddress();
    const seen = await statuses(60, () => part.api.browser(from).signIn(guess()));
    expect(refused(seen)).toBeGreaterThanOrEqual(27);
    expect(seen.every((status) => status === 401 || status === 429)).toBe(true);
  });

  it('secrets of one key from many addresses is refused after ten a minute, while the key itself signs in', async () => {
    const seen = await statuses(40, () => part.api.browser(anotherAddress()).signIn(withVictimsId()));
    expect(refused(seen)).toBeGreaterThanOrEqual(28);
    expect((await part.api.browser(anotherAddress()).signIn(victim.key)).status).toBe(303);
  });

  it('by REST is refused after sixty a minute from an address', async () => {
    const from = anotherAddress();
    const seen = await statuses(90, () => part.api.rest(withVictimsId(), '/v1/account', { from }));
    expect(refused(seen)).toBeGreaterThanOrEqual(24);
    expect(seen).not.toContain(200);
  });

  it('is told the same of a wrong secret as of an id that nobody has', async () => {
    const bodies = await Promise.all(
      [withVictimsId(), nobodys()].map(async (key) => {
        const { status, body } = await part.api.rest(key, '/v1/account', { from: anotherAddress() });
        const { detail, code } = JSON.parse(body) as Record<string, string>;
        return { status, detail, code };
      }),
    );
    expect(bodies[0]).toEqual(bodies[1]);
  });
});
