import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { restClient } from '../../dev/lib/rest.ts';
import type { Visitor } from '../support/browser.ts';
import { fromNow } from '../support/from-now.ts';
import { shot } from '../support/picture.ts';
import { platformDeadlineMs } from '../support/platform.ts';
import { untilBanned } from '../support/until-banned.ts';
import { addDomain, button, heading, navigation, openProject, see, signIn } from './customer.ts';
import type { RawAnswer, RawCall } from './raw.ts';
import { askRaw, listen } from './raw.ts';
import type { Setup } from './setup.ts';
import { hostnames, startWorld } from './setup.ts';

/** Sessions: nobody gets in, or gets a form in, but the browser that signed in, and only while its key opens. */

let setup: Setup;
let key: string;
const account = 'acme';
const victim = 'www.example.com';

beforeAll(async () => {
  setup = await startWorld();
  key = await setup.customer(account, 'business');
  for (let count = 0; count < 6; count += 1) signers.push(await setup.key(account));
  await setup.customer('other', 'pro');
  const { page } = await setup.browser.visit();
  await signIn(page, key);
  await openProject(page, 'shop');
  await addDomain(page, { hostname: victim });
  await setup.browser.leave();
}, platformDeadlineMs);

afterEach(async () => {
  for (const close of closing.splice(0)) close();
  expect(await setup.browser.leave()).toEqual([]);
});

const closing: (() => void)[] = [];

afterAll(async () => {
  await setup.close();
}, platformDeadlineMs);

/** What a thief would need, taken from a browser that is signed in. */
interface Loot {
  readonly cookie: string;
  readonly agent: string;
  readonly csrf: string;
  /** the thief's address */
  readonly from: string;
}

/** A key signs in twenty times a minute: each has its turn. */
const signers: string[] = [];
let turns = 0;
const signer = (): string => signers[(turns += 1) % signers.length] ?? key;

async function signedIn(given = signer()): Promise<Visitor & Loot> {
  const visitor = await setup.browser.visit();
  await signIn(visitor.page, given);
  return { ...visitor, ...(await lootOf(visitor)) };
}

async function lootOf({ page, context }: Visitor): Promise<Loot> {
  const [cookie] = await context.cookies();
  return {
    from: anotherAddress(),
    cookie: `${cookie?.name}=${cookie?.value}`,
    agent: await page.evaluate<string>('navigator.userAgent'),
    csrf: await page.evaluate<string>("document.querySelector('input[name=csrf]').value"),
  };
}

const ask = (
  path: string,
  { cookie, agent, from }: Loot,
  { headers = {}, ...call }: RawCall = {},
): Promise<RawAnswer> =>
  askRaw(`${setup.url}${path}`, { ...call, from, headers: { cookie, 'user-agent': agent, ...headers } });

/** Signed in without a browser. */
async function rawSession(given = signer()): Promise<Loot> {
  const stranger = { cookie: '', agent: 'Mozilla/5.0', csrf: '', from: anotherAddress() };
  const { headers } = await ask('/dashboard/sign-in', stranger, {
    method: 'POST',
    form: { key: given },
  });
  const [cookie = ''] = String(headers['set-cookie']).split(';');
  const { body } = await ask('/dashboard/projects', { ...stranger, cookie });
  return { ...stranger, cookie, csrf: /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? '' };
}

let addresses = 0;

/** Strangers have sixty requests a minute and address. */
const anotherAddress = (): string => `127.0.1.${(addresses += 1)}`;

const shop = '/dashboard/projects/shop';
const actions: readonly [what: string, path: string, form: Readonly<Record<string, string>>][] = [
  ['adding', `${shop}/domains`, { hostname: 'forged.example.com', role: 'primary', to: '', status: '301' }],
  ['trying out', `${shop}/domains/preview`, { hostname: 'forged.example.com', role: 'primary', to: '', status: '301' }],
  ['verifying', `${shop}/domains/${victim}/verify`, {}],
  ['removing', `${shop}/domains/${victim}/remove`, {}],
  ['making a key', '/dashboard/keys', { scopes: 'domains:write', expiresAt: '' }],
  ['deleting a key', '/dashboard/keys/none/delete', {}],
  ['signing out', '/dashboard/sign-out', {}],
];

interface Attempt {
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const attempts: readonly [how: string, (own: Loot, other: Loot) => Attempt][] = [
  ['without a token', () => ({})],
  ['with an empty token', () => ({ form: { csrf: '' } })],
  [
    'with a token that is made up',
    ({ csrf }) => ({ form: { csrf: csrf.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) } }),
  ],
  ["with another session's token", (_, { csrf }) => ({ form: { csrf } })],
  ['from a foreign origin', ({ csrf }) => ({ form: { csrf }, headers: { origin: 'https://evil.example' } })],
  ['from another port', ({ csrf }) => ({ form: { csrf }, headers: { origin: `${setup.url.replace(/\d+$/, '')}1` } })],
  ['from no origin that is told', ({ csrf }) => ({ form: { csrf }, headers: { origin: 'null' } })],
  [
    'from another site, as the browser says',
    ({ csrf }) => ({ form: { csrf }, headers: { 'sec-fetch-site': 'cross-site' } }),
  ],
];

/** All that a forged form could change. */
async function claimRelation(own: Loot): Promise<unknown> {
  const rest = restClient(setup.url, key);
  const { body: keys } = await rest('/v1/keys');
  const annotations = await setup.stage.kubectl.run([
    'get',
    'projectdomains',
    '-n',
    account,
    '-o',
    String.raw`jsonpath={.items[*].metadata.annotations.projectdomain\.io/verify-requested-at}`,
  ]);
  const ids = (keys.items as readonly { readonly id: string }[]).map(({ id }) => id).toSorted();
  const { status } = await ask('/dashboard/projects', own);
  return { domains: await hostnames(setup, account), annotations, ids, status };
}

describe('a form that was not sent by a page of the session', () => {
  it.each(attempts)('%s is refused whatever it asks for, and nothing changes', async (_, attempt) => {
    const [own, other] = [await rawSession(), await rawSession()];
    expect(own.csrf).not.toBe(other.csrf);
    const before = await claimRelation(own);
    for (const [what, path, fields] of actions) {
      const { form = {}, headers = {} } = attempt(own, other);
      const { status, body } = await ask(path, own, { method: 'POST', form: { ...fields, ...form }, headers });
      expect([what, status]).toEqual([what, 403]);
      expect(body).not.toContain('pd_');
    }
    expect(await claimRelation(own)).toEqual(before);
    expect(before).toMatchObject({ domains: [victim], status: 200 });
  });

  it('would have been taken from the session itself', async () => {
    const own = await rawSession();
    const headers = { origin: setup.url, 'sec-fetch-site': 'same-origin' };
    const { csrf } = own;
    const verify = await ask(`${shop}/domains/${victim}/verify`, own, { method: 'POST', form: { csrf }, headers });
    expect(verify.status).toBe(303);
    const out = await ask('/dashboard/sign-out', own, { method: 'POST', form: { csrf }, headers });
    expect(out.status).toBe(303);
  });

  it('signs nobody in: the form to sign in is refused from elsewhere too', async () => {
    const call = { method: 'POST', form: { key } };
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ] as const) {
      const { status, headers: answered } = await askRaw(`${setup.url}/dashboard/sign-in`, { ...call, headers });
      expect([status, answered['set-cookie']]).toEqual([403, undefined]);
    }
    expect((await askRaw(`${setup.url}/dashboard/sign-in`, call)).status).toBe(303);
  });
});

const trap = (url: string) => `<!doctype html><title>trap</title>
<form method="post" action="${url}${shop}/domains">
<input name="hostname" value="forged.example.com"><input name="role" value="primary">
<button>Win a prize</button></form>
<iframe title="frame" src="${url}/dashboard/projects"></iframe>`;

describe('a page of somebody else, in the same browser', () => {
  it.each<[string, () => string]>([
    ['on another site', () => '127.0.0.1'],
    ['on the same address, another port', () => new URL(setup.url).hostname],
  ])('%s can neither send a form nor frame the dashboard', async (_, address) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(trap(setup.url));
    });
    await new Promise<void>((listening) => server.listen(0, address(), listening));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const visitor = await setup.browser.visit();
    visitor.expectFaults(
      /elsewhere|frame-ancestors|favicon|refused to connect|Refused to display|403|ERR_BLOCKED_BY_RESPONSE/i,
    );
    await signIn(visitor.page, key);
    await visitor.page.goto(`http://${address()}:${(server.address() as AddressInfo).port}/`);
    expect(await visitor.page.frameLocator('iframe').locator('body').innerText()).not.toContain('shop');
    await visitor.page.getByRole('button').click();
    await visitor.page.waitForURL(`${setup.url}/**`);
    expect(await hostnames(setup, account)).toEqual([victim]);
    await visitor.page.goto('/dashboard/projects');
    await see(heading(visitor.page, 'Projects'));
  });
});

/** Sent to the sign-in page, or shown it. */
const opensNothing = ({ status, headers, body }: RawAnswer): void => {
  expect(status === 401 || (status === 303 && headers.location === '/dashboard/sign-in')).toBe(true);
  expect(body).not.toContain('shop');
};

const everyPage = [
  '/dashboard/projects',
  shop,
  `${shop}/domains/${victim}`,
  `${shop}/domains/${victim}/remove`,
  `${shop}/events`,
  '/dashboard/plan',
  '/dashboard/keys',
];

describe('the cookie', () => {
  it('is kept from scripts, other sites, other hosts and plain connections, and lasts twelve hours at most', async () => {
    const { context } = await signedIn();
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' });
    expect(cookie?.name).toMatch(/^__Host-/);
    expect(cookie?.expires).toBeLessThanOrEqual(fromNow(12 * 3_600_000) / 1_000);
  });

  it.each<[string, (own: Loot) => Promise<Loot>]>([
    [
      'after sign-out',
      async (own) => {
        const { status } = await ask('/dashboard/sign-out', own, { method: 'POST', form: { csrf: own.csrf } });
        expect(status).toBe(303);
        return own;
      },
    ],
    ['with another User-Agent', (own) => Promise.resolve({ ...own, agent: 'curl/8.0' })],
    ['without a User-Agent', (own) => Promise.resolve({ ...own, agent: '' })],
    [
      'when it is made up',
      (own) => Promise.resolve({ ...own, cookie: `${own.cookie.split('=')[0]}=${'A'.repeat(43)}` }),
    ],
    ['when a letter of it is wrong', (own) => Promise.resolve({ ...own, cookie: `${own.cookie.slice(0, -3)}AAA` })],
    [
      'when it is absurd',
      (own) => Promise.resolve({ ...own, cookie: `${own.cookie.split('=')[0]}=../../%00${'x'.repeat(3_000)}` }),
    ],
  ])('opens nothing %s', async (_, steal) => {
    const own = await rawSession();
    expect((await ask('/dashboard/projects', own)).body).toContain('shop');
    const stolen = await steal(own);
    for (const path of everyPage) opensNothing(await ask(path, stolen));
    const { csrf } = own;
    opensNothing(await ask(`${shop}/domains/${victim}/remove`, stolen, { method: 'POST', form: { csrf } }));
    expect(await hostnames(setup, account)).toEqual([victim]);
  });

  it('is another after every sign-in, whatever the browser had before', async () => {
    const one = await signedIn();
    await one.page.goto('/dashboard/sign-in');
    await one.page.getByLabel('API key').fill(key);
    await button(one.page, 'Sign in').click();
    await see(heading(one.page, 'Projects'));
    expect((await lootOf(one)).cookie).not.toBe(one.cookie);
  });

  it('opens the pages of its own account alone', async () => {
    const other = await signedIn(await setup.key('other'));
    for (const path of [`${shop}/domains/${victim}`, `${shop}/domains/${victim}/remove`])
      expect((await ask(path, other)).status).toBe(404);
  });
});

describe('after sign-out', () => {
  it('the way back in the browser shows nothing of what was seen', async () => {
    const { page } = await signedIn();
    await openProject(page, 'shop');
    await button(page, 'Sign out').click();
    await see(button(page, 'Sign in'));
    await page.goBack();
    await see(button(page, 'Sign in'));
    expect(await page.innerText('body')).not.toContain(victim);
  });
});

describe('the key', () => {
  it('is nowhere after sign-in: in no page, address, cookie or storage', async () => {
    const visitor = await signedIn();
    const { page, context } = visitor;
    const secret = key.split('_').at(-1) ?? '';
    expect(secret.length).toBeGreaterThan(20);
    for (const path of [
      ...everyPage.filter((each) => !each.endsWith('/events')),
      '/dashboard/help',
      '/dashboard/sign-in',
    ]) {
      await page.goto(path);
      const storage = await page.evaluate<string>(
        'JSON.stringify([localStorage, sessionStorage, history.state, name])',
      );
      for (const text of [await page.content(), page.url(), storage]) expect(text).not.toContain(secret);
    }
    expect(JSON.stringify(await context.storageState())).not.toContain(secret);
  });

  it('that is not right is refused with a word, and is not shown again', async () => {
    const { page } = await setup.browser.visit();
    await page.goto('/dashboard/sign-in');
    const wrong = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    await page.getByLabel('API key').fill(wrong);
    await button(page, 'Sign in').click();
    await see(page.getByText(/isn’t valid|no longer works/));
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(await page.content()).not.toContain(wrong);
    await shot(page, 'sign-in-wrong-key');
  });

  it('made here is shown once, opens what it is for, and opens nothing more once it is deleted', async () => {
    const { page } = await signedIn();
    await navigation(page, 'API keys').click();
    await page.getByRole('checkbox', { name: 'View projects and domains' }).check();
    await button(page, 'Create key').click();
    const field = await see(page.getByRole('textbox', { name: /^Key / }));
    const made = await field.inputValue();
    expect(made).toMatch(/^pd_/);
    await field.evaluate(
      (input: unknown) => ((input as { value: string }).value = 'pd_0123456789abcdef_only-shown-once'),
    );
    await shot(page, 'keys-created');
    await navigation(page, 'API keys').click();
    expect(await page.content()).not.toContain(made);
    await shot(page, 'keys');

    const reader = await setup.browser.visit();
    await signIn(reader.page, made);
    await openProject(reader.page, 'shop');
    await see(reader.page.getByRole('heading', { name: 'This API key can’t change domains' }));
    expect(await button(reader.page, 'Add domain').count()).toBe(0);
    expect(await hostnames(setup, account)).toEqual([victim]);

    const id = made.split('_')[1] ?? '';
    await page.getByText(`Delete… key ${id}`).click();
    await button(page, `Delete key ${id}`).click();
    await see(page.getByRole('status').filter({ hasText: /deleted/i }));
    await reader.page.reload();
    await see(reader.page.getByText(/deleted/));
    await see(button(reader.page, 'Sign in'));
  });
});

const nameOfKey = async (given: string): Promise<string> => {
  const id = given.split('_')[1] ?? '';
  const path = `jsonpath={.items[?(@.spec.keyId=="${id}")].metadata.name}`;
  return (await setup.stage.kubectl.run(['get', 'apikeys', '-o', path])).trim();
};

const endings: readonly [how: string, plan: string, (given: string) => Promise<unknown>, RegExp][] = [
  ['deleted', 'pro', async (given) => setup.stage.kubectl.run(['delete', 'apikey', await nameOfKey(given)]), /deleted/],
  [
    'expired',
    'pro',
    async (given) => {
      const expiresAt = new Date(fromNow(-1_000)).toISOString().replace(/\.\d+/, '');
      const patch = JSON.stringify({ spec: { expiresAt } });
      await setup.stage.kubectl.run(['patch', 'apikey', await nameOfKey(given), '--type=merge', '-p', patch]);
    },
    /expired/,
  ],
  [
    'banned',
    'free',
    async (given) => {
      const rest = restClient(setup.url, given);
      await untilBanned(() => rest('/v1/account'));
    },
    /banned until/,
  ],
];

describe('a session whose key is', () => {
  it.each(endings)(
    '%s ends with a word that says so, and its cookie opens nothing more',
    async (how, plan, end, word) => {
      const given = await setup.customer(`ends-${how}`, plan);
      const visitor = await signedIn(given);
      const { page } = visitor;
      const loot = await lootOf(visitor);
      // A page without a stream, whose script would lead to the sign-in form while it is loaded again.
      await page.goto('/dashboard/plan');
      await end(given);
      await eventually('the session has ended', 20_000, async () => {
        await page.reload();
        expectThat(await button(page, 'Sign in').isVisible(), await page.innerText('body'));
      });
      await see(page.getByText(word));
      await shot(page, `session-${how}`);
      opensNothing(await ask('/dashboard/projects', loot));
      await page.getByLabel('API key').fill(given);
      await button(page, 'Sign in').click();
      await see(page.getByText(how === 'deleted' ? /deleted/ : word));
    },
  );
});

describe('the budget of a session', () => {
  it('is its own: other sessions and the API go on, and its plan stays to be seen', async () => {
    const given = await setup.customer('spender', 'free');
    const [one, other] = [await signedIn(given), await signedIn(given)];
    const answers = await Promise.all(Array.from({ length: 160 }, () => ask('/dashboard/projects', one)));
    const taken = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(taken.length + refused.length).toBe(160);
    expect(taken.length).toBeGreaterThan(60);
    expect(taken.length).toBeLessThanOrEqual(132);
    for (const { headers, body } of refused) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(body).toMatch(/<h1/);
    }
    await one.page.goto('/dashboard/projects');
    await see(heading(one.page, /quota|too many|limit/i));
    await shot(one.page, 'problem-too-many-requests');
    expect((await ask('/dashboard/projects', other)).status).toBe(200);
    expect((await restClient(setup.url, given)('/v1/account')).status).toBe(200);
    expect((await ask('/dashboard/plan', other)).status).toBe(200);
  });
});

describe('an odd address', () => {
  it.each([
    '/dashboard/projects?done=constructor',
    '/dashboard/projects?done=__proto__',
    '/dashboard/projects?done=added&done=removed',
    '/dashboard/projects/constructor',
    '/dashboard/projects/%3Cscript%3Ealert(1)%3C%2Fscript%3E',
    '/dashboard/projects/%ZZ',
    '/dashboard/projects/..%2F..%2Fother',
    `${shop}/domains/%00`,
    `${shop}/domains/${'a'.repeat(300)}`,
    '/dashboard/keys/constructor/delete',
    '/dashboard/assets/x/constructor',
    '/dashboard/assets/x/..%2Fapp.ts',
    '/dashboard//projects',
    '/dashboard/SIGN-IN',
  ])('%s is a page or none, never a fault of ours', async (path) => {
    const { status, headers, body } = await ask(path, await rawSession());
    expect(status).toBeLessThan(500);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).not.toContain('<script>');
  });
});

describe('an open stream of changes', () => {
  it.each<[string, (own: Loot, given: string) => Promise<unknown>]>([
    ['signing out', (own) => ask('/dashboard/sign-out', own, { method: 'POST', form: { csrf: own.csrf } })],
    [
      'the deletion of its key',
      async (_, given) => setup.stage.kubectl.run(['delete', 'apikey', await nameOfKey(given)]),
    ],
  ])(
    'ends with %s',
    async (_, end) => {
      const given = await setup.key(account);
      const own = await rawSession(given);
      const heard = listen(`${setup.url}${shop}/events`, { cookie: own.cookie, 'user-agent': own.agent });
      closing.push(heard.close);
      await eventually('it is open', 10_000, () => Promise.resolve(expectThat(heard.text() !== '', 'nothing heard')));
      await end(own, given);
      await eventually('it ends', 40_000, () => Promise.resolve(expectThat(heard.ended(), heard.text().slice(-60))));
    },
    60_000,
  );
});

const pagesOf = async (page: Page): Promise<readonly Readonly<Record<string, string>>[]> => {
  const all: Readonly<Record<string, string>>[] = [];
  for (const path of [
    '/dashboard/projects',
    shop,
    `${shop}/domains/${victim}`,
    '/dashboard/keys',
    '/dashboard/nothing',
  ]) {
    all.push((await page.goto(path))?.headers() ?? {});
  }
  return all;
};

describe('every page', () => {
  it('may be framed by nobody, runs and loads its own files alone, and is kept by no cache', async () => {
    const { page } = await signedIn();
    const stranger = await setup.browser.visit();
    const answers = [...(await pagesOf(page)), ...(await pagesOf(stranger.page))];
    for (const headers of answers) {
      const policy = (headers['content-security-policy'] ?? '').split(';').map((part) => part.trim());
      expect(policy.toSorted()).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
      ]);
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cache-control': expect.stringContaining('no-store'),
      });
    }
  });
});
