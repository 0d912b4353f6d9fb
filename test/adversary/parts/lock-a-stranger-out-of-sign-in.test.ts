import { beforeAll, describe, expect, it } from '@jest/globals';
import type { MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';

/**
 * A stranger uses up what an address may ask, where everybody comes from one address. A correct key signs in by a
 * budget of its own, and the way to the form spends nothing.
 */

const part = attackPart();
let visitor: MadeKey;

beforeAll(() => {
  part.api.account('visitor');
  visitor = part.api.key('visitor');
});

const floods: readonly [string, () => Promise<unknown>][] = [
  ['of the sign-in page', () => part.api.browser().get('/dashboard/sign-in')],
  ['of keys that are none', () => part.api.browser().signIn('pd_wrong')],
  ['of keys that nobody has', () => part.api.browser().signIn(strangersKey())],
  ['of the victim’s key id with a wrong secret', () => part.api.browser().signIn(wrongSecret())],
  ['of forms sent by another site', () => part.api.browser().post('/dashboard/sign-in')],
  ['of calls without a key', () => part.api.rest(null, '/v1/account')],
];

let stranger: MadeKey | null = null;

/** A key of the right shape that was deleted. */
function strangersKey(): string {
  if (stranger === null) {
    part.api.account('gone');
    stranger = part.api.key('gone');
    const known = part.api.stores.apiKeys.get({ namespace: '', name: stranger.name });
    if (known) part.api.stores.apiKeys.drop(known);
  }
  return stranger.key;
}

/** Another key's secret under the victim's id: the checksum fails or the hash does, nothing else is known of it. */
const wrongSecret = (): string => visitor.key.replace(/_[A-Za-z0-9]{4}([A-Za-z0-9]+)$/, '_AAAA$1');

describe('seventy requests of a stranger from the same address', () => {
  it.each(floods)('%s do not keep a visitor from signing in', async (_, flood) => {
    for (let count = 0; count < 70; count += 1) await flood();
    const browser = part.api.browser();
    const arrived = await browser.get('/dashboard/projects');
    expect(arrived.status).toBe(303);
    expect(arrived.headers['location']).toBe('/dashboard/sign-in');
    expect((await browser.get('/dashboard/sign-in')).status).toBe(200);
    expect((await browser.signIn(visitor.key)).status).toBe(303);
    expect((await browser.get('/dashboard/plan')).status).toBe(200);
  });

  it('do not keep a visitor out whose old session has ended', async () => {
    for (let count = 0; count < 70; count += 1) await part.api.rest(null, '/v1/account');
    const browser = part.api.browser();
    browser.cookie = `__Host-projectdomain=${visitor.keyId}.${'a'.repeat(43)}`;
    expect((await browser.get('/dashboard/projects')).status).toBe(401);
    expect((await browser.signIn(visitor.key)).status).toBe(303);
  });
});
