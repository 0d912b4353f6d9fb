import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';

/**
 * A thief carries a cookie to a browser of his own, or plants one of his in a victim's. A session belongs to the browser
 * that opened it, a cookie that nobody was given opens nothing, and signing in always begins a new one.
 */

const part = attackPart();
let key: MadeKey;

beforeAll(() => {
  part.api.account('acme', { requestsPerMinute: 1_000 });
  key = part.api.key('acme');
});

async function signedIn(agent = 'Mozilla/5.0'): Promise<Browser> {
  const browser = part.api.browser('127.0.0.1', agent);
  expect((await browser.signIn(key.key)).status).toBe(303);
  return browser;
}

describe('a cookie that was carried away', () => {
  it.each(['curl/8', 'Mozilla/5.0 (X11)', ''])(
    'opens nothing in the browser %j, and the owner stays signed in',
    async (agent) => {
      const owner = await signedIn();
      const thief = part.api.browser('127.0.0.1', agent);
      thief.cookie = owner.cookie;
      const { status, body } = await thief.get('/dashboard/projects');
      expect(status).toBe(401);
      expect(body).not.toContain('acme');
      expect((await owner.get('/dashboard/projects')).status).toBe(200);
    },
  );
});

describe('a cookie that was planted', () => {
  it.each<[string, () => string]>([
    ['that is invented', () => `__Host-projectdomain=${key.keyId}.${'x'.repeat(43)}`],
    ['of another form', () => '__Host-projectdomain=x'],
    ['with the name of every object', () => '__Host-projectdomain=__proto__'],
    ['without the prefix that browsers guard', () => `projectdomain=${key.keyId}.${'x'.repeat(43)}`],
  ])('%s is not the one that signing in opens', async (_, planted) => {
    const browser = part.api.browser();
    browser.cookie = planted();
    await browser.signIn(key.key);
    expect(browser.cookie).not.toBe(planted());
    const fixed = part.api.browser();
    fixed.cookie = planted();
    expect((await fixed.get('/dashboard/projects')).status).not.toBe(200);
  });

  it('is set for our host alone, out of reach of scripts and other sites', async () => {
    const { headers } = await part.api.browser().signIn(key.key);
    const set = String(headers['set-cookie']);
    for (const word of ['__Host-', 'HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/;']) expect(set).toContain(word);
    expect(set).not.toMatch(/;\s*domain=/i);
  });
});
