import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseHostname } from '../../../src/rules/hostname.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';

/** Every rule that one object can know about itself, accepted and refused by the real API server. */

let controlPlane: TestControlPlane;

beforeAll(async () => {
  controlPlane = await startTestControlPlane();
}, controlPlaneDeadlineMs);

afterAll(() => controlPlane.stop(), controlPlaneDeadlineMs);

const apiVersion = 'projectdomain.io/v1alpha1';
let count = 0;
const fresh = () => `t${(count += 1)}`;
/** a name that the kind accepts: a claim is named by a hostname */
const nameFor = (kind: string) => (kind === 'HostnameClaim' ? `${fresh()}.example.com` : fresh());

interface Draft {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: object;
}

const create = (draft: Draft) => controlPlane.kubectl.create<unknown>({ apiVersion, ...draft });
const replace = (draft: Draft) => controlPlane.kubectl.replace({ apiVersion, ...draft });

/** Resolves when the API server takes the draft (null) or refuses it with these words. */
async function expectAnswer(draft: Draft, refusal: string | null): Promise<void> {
  if (refusal === null) await create(draft);
  else await expect(create(draft)).rejects.toThrow(refusal);
}

const domain = (spec: object, name = fresh()): Draft => ({
  kind: 'ProjectDomain',
  metadata: { name, namespace: 'default' },
  spec: { project: 'shop', hostname: 'www.example.com', ...spec },
});

const project = (spec: object, name = fresh()): Draft => ({
  kind: 'Project',
  metadata: { name, namespace: 'default' },
  spec: { service: { name: 'web', port: 80 }, ...spec },
});

const of253 = [49, 50, 50, 50, 38].map((length) => 'a'.repeat(length)).join('.') + '.example.com';
const tooLong = `a${of253}`;

const goodHostnames: readonly (readonly [string, string])[] = [
  ['a plain hostname', 'www.example.com'],
  ['A-labels', 'xn--bcher-kva.example'],
  ['digits in labels', '1.2.example.com'],
  ['a label of 63', `${'a'.repeat(63)}.example.com`],
  ['253 characters', of253],
  ['a public suffix: a condition will say so', 'co.uk'],
];

const badHostnames: readonly (readonly [string, string, string])[] = [
  ['upper case', 'WWW.Example.com', 'write it in lower case: www.example.com'],
  ['Unicode', 'bücher.example', 'A-label form (xn--…)'],
  ['a dot at the end', 'www.example.com.', 'write it without the dot at its end: www.example.com'],
  ['an IPv4 literal', '192.0.2.1', 'an IP address is not a hostname'],
  ['an IPv4 literal in hexadecimal', '192.0x2', 'an IP address is not a hostname'],
  ['an IPv6 literal', '2001:db8::1', 'an IP address is not a hostname'],
  ['a single label', 'localhost', 'write the full hostname: www.example.com'],
  ['254 characters', tooLong, 'Too long'],
  ['a label of 64', `${'a'.repeat(64)}.example.com`, 'at most 63 characters'],
  ['two dots', 'www..example.com', 'separated by single dots'],
  ['a dot at the beginning', '.example.com', 'separated by single dots'],
  ["a hyphen at a label's end", 'www-.example.com', 'inner hyphens'],
  ["a hyphen at a label's beginning", '-www.example.com', 'inner hyphens'],
  ['an underscore', 'a_b.example.com', 'letters, digits'],
  ['a path', 'example.com/x', 'letters, digits'],
  ['white space', 'example .com', 'letters, digits'],
  ['a line break', 'example.com\nwww.example.com', 'letters, digits'],
];

it('the long hostnames are as long as the tables say', () => {
  expect([of253.length, tooLong.length]).toEqual([253, 254]);
});

describe('a hostname', () => {
  it.each(goodHostnames)('accepts %s', async (_, hostname) => {
    await expectAnswer(domain({ hostname }), null);
  });

  it.each(badHostnames)('refuses %s and says what to write', async (_, hostname, part) => {
    await expectAnswer(domain({ hostname }), part);
  });

  it('brings one message for one mistake', async () => {
    for (const [, hostname] of badHostnames.filter(([, name]) => name !== tooLong)) {
      const refusal = await create(domain({ hostname })).catch((error: unknown) => error);
      expect(String(refusal).match(/Invalid value/g)).toHaveLength(1);
    }
  });
});

describe('the operator, where an object came past these rules', () => {
  it.each(badHostnames)('refuses %s as well', (_, hostname) => {
    expect(parseHostname(hostname)).toMatchObject({ ok: false });
  });

  it.each(goodHostnames)('finds nothing wrong with the shape of %s', (_, hostname) => {
    const parsed = parseHostname(hostname);
    expect(parsed.ok || parsed.code).toBe(hostname === 'co.uk' ? 'PublicSuffix' : true);
  });
});

describe('a wildcard', () => {
  const wildcard = '*.example.com';
  const whole = 'a wildcard stands for one whole label';
  it.each<[string, () => Draft, string | null]>([
    ['is a hostname: a condition says whether it is served', () => domain({ hostname: wildcard }), null],
    ['stands for a whole label', () => domain({ hostname: '*example.com' }), whole],
    ['stands for one label', () => domain({ hostname: '*.*.example.com' }), 'letters, digits'],
    [
      'is no redirect',
      () => domain({ hostname: wildcard, role: 'Redirect', redirect: { to: 'www.example.com' } }),
      'a wildcard is always a Primary',
    ],
    ['is led to by none', () => domain({ role: 'Redirect', redirect: { to: wildcard } }), 'leads to one hostname'],
    ['is declared by no project', () => project({ domains: { primary: wildcard } }), 'add each hostname separately'],
  ])('%s', (_, object, refusal) => expectAnswer(object(), refusal));
});

const labels = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at + 10}`, value]));
const badName = 'the name of a label is 1 to 63';

describe('labels', () => {
  it.each<[string, object, string | null]>([
    ['of every kind of name', { customer: 'cus_123', 'acme.example/Order-No': '7', '9': '' }, null],
    ['of 63 characters in the name, 255 in the value', { ['a'.repeat(63)]: '😀'.repeat(255) }, null],
    ['20', labels(20, 'x'), null],
    ['of 2,048 characters', labels(16, 'v'.repeat(125)), null],
    ['with marks that join letters', { name: 'نامه\u200cای' }, null],
    ['named after what every object of JavaScript has', { constructor: 'x', toString: 'y' }, null],
    ['21', labels(21, 'x'), 'Too many'],
    [
      'of 2,049 characters',
      { ...labels(15, 'v'.repeat(125)), n99: 'v'.repeat(126) },
      'at most 2048 characters together',
    ],
    ['without a name', { '': 'x' }, badName],
    ['with 64 characters in the name', { ['a'.repeat(64)]: 'x' }, badName],
    ['with a hyphen first', { '-a': 'x' }, badName],
    ['with a colon in the name', { 'a:b': 'x' }, badName],
    ['with white space in the name', { 'a b': 'x' }, badName],
    ['with a line break in the name', { 'a\n': 'x' }, badName],
    ['with a letter beyond ASCII in the name', { größe: 'x' }, badName],
    ['with 256 characters in the value', { a: 'v'.repeat(256) }, 'Too long'],
    ['with a line break in the value', { a: 'b\nc' }, 'visible characters'],
    ['with an escape in the value', { a: '\u001b[31m' }, 'visible characters'],
    ['with a mark of direction in the value', { a: '\u202eb' }, 'visible characters'],
    ['with a number as the value', { a: 1 }, 'must be of type string'],
  ])('%s', async (_, given, refusal) => {
    await expectAnswer(domain({ labels: given }), refusal);
  });
});

describe('the other doors to a hostname', () => {
  it.each(badHostnames)('refuse %s', async (_, hostname, part) => {
    const primary = 'www.example.com';
    await expectAnswer(project({ domains: { primary: hostname } }), part);
    await expectAnswer(project({ domains: { primary, redirects: [{ from: hostname }] } }), part);
    await expectAnswer(project({ domains: { primary, redirects: [{ from: 'a.example.com', to: hostname }] } }), part);
    await expectAnswer(domain({ role: 'Redirect', redirect: { to: hostname } }), part);
  });

  it.each(goodHostnames)('accept %s', async (_, hostname) => {
    await expectAnswer(project({ domains: { primary: hostname, redirects: [{ from: 'a.example.com' }] } }), null);
    await expectAnswer(project({ domains: { redirects: [{ from: hostname, to: 'a.example.com' }] } }), null);
    await expectAnswer(domain({ role: 'Redirect', redirect: { to: hostname } }), null);
  });
});

describe("a project's configuration of domains", () => {
  const primary = 'www.example.com';
  it.each<[string, object, string | null]>([
    ['a primary alone', { primary }, null],
    ['a redirect to the primary, unsaid', { primary, redirects: [{ from: 'example.com' }] }, null],
    ['a redirect that says where', { redirects: [{ from: 'example.com', to: primary, status: 308 }] }, null],
    ['a redirect to itself: a condition will say so', { redirects: [{ from: primary, to: primary }] }, null],
    ['a redirect that leads nowhere', { redirects: [{ from: 'example.com' }] }, 'write spec.domains.primary, or `to`'],
    ['a primary that redirects', { primary, redirects: [{ from: primary, to: 'a.example.com' }] }, 'has one role'],
    ['two redirects of one hostname', { primary, redirects: [{ from: 'a.test' }, { from: 'a.test' }] }, 'Duplicate'],
    ['a status that is no redirect', { primary, redirects: [{ from: 'a.test', status: 200 }] }, 'Unsupported value'],
    ['501 redirects', { primary, redirects: redirects(501) }, 'must have at most 500 items'],
    ['500 redirects', { primary, redirects: redirects(500) }, null],
  ])('%s', async (_, domains, refusal) => {
    await expectAnswer(project({ domains }), refusal);
  });

  function redirects(length: number): readonly object[] {
    return Array.from({ length }, (_, n) => ({ from: `a${n}.example.com` }));
  }
});

describe('a project', () => {
  it.each<[string, Draft, string | null]>([
    ['one label as its subdomain', project({ subdomain: 'shop-2' }), null],
    ['63 characters as its subdomain', project({ subdomain: 'a'.repeat(63) }), null],
    ['64 characters', project({ subdomain: 'a'.repeat(64) }), 'Too long'],
    ['upper case', project({ subdomain: 'Shop' }), 'write one DNS label'],
    ['two labels', project({ subdomain: 'a.b' }), 'write one DNS label'],
    ['a hyphen at the beginning', project({ subdomain: '-a' }), 'write one DNS label'],
    ['an A-label that looks like a reserved subdomain', project({ subdomain: 'xn--pypal-4ve' }), 'for A-labels'],
    ['hyphens where only A-labels have them', project({ subdomain: 'ab--cd' }), 'for A-labels'],
    ['such a name', project({}, 'ab--cd'), 'write spec.subdomain, such as shop'],
    ['such a name with a subdomain', project({ subdomain: 'shop' }, 'ab--cd'), null],
    ['hyphens elsewhere', project({ subdomain: 'a--b' }), null],
    ['a name that cannot be its subdomain', project({}, 'shop.eu'), 'write spec.subdomain, such as shop'],
    ['such a name with a subdomain', project({ subdomain: 'shop-eu' }, 'shop.eu'), null],
    ['no Service', { ...project({}), spec: {} }, 'spec.service: Required value'],
    ['a Service by URL', project({ service: { name: 'http://web', port: 80 } }), 'write the name of a Service'],
    ['port 0', project({ service: { name: 'web', port: 0 } }), 'greater than or equal to 1'],
    ['port 65536', project({ service: { name: 'web', port: 65_536 } }), 'less than or equal to 65535'],
  ])('%s', async (_, draft, refusal) => {
    await expectAnswer(draft, refusal);
  });
});

describe('roles and redirects', () => {
  const to = 'www.example.com';
  it.each<[string, object, string | null]>([
    ['a Redirect to another hostname', { role: 'Redirect', redirect: { to, status: 307 } }, null],
    ['a Redirect to itself: a condition will say so', { hostname: to, role: 'Redirect', redirect: { to } }, null],
    ['a Redirect without a destination', { role: 'Redirect' }, 'a Redirect needs spec.redirect; write redirect: {to:'],
    ['a Primary with one', { role: 'Primary', redirect: { to } }, 'take it out, or write role: Redirect'],
    ['a destination by default role', { redirect: { to } }, 'take it out, or write role: Redirect'],
    ['a destination without its hostname', { role: 'Redirect', redirect: { status: 301 } }, 'spec.redirect.to'],
    ['status 303', { role: 'Redirect', redirect: { to, status: 303 } }, 'Unsupported value'],
    ['an unknown role', { role: 'Alias' }, 'Unsupported value'],
    ['no project', { project: '' }, 'spec.project'],
    ['an escape in the project', { project: 'shop\u001b]52;c;cm0=\u0007' }, 'the name of a Project'],
    ['a control of eight bits in the project', { project: 'shop\u009b31m' }, 'the name of a Project'],
    ['a mark of direction in the project', { project: 'shop\u202e' }, 'the name of a Project'],
    ['two lines in the project', { project: 'shop\nblog' }, 'the name of a Project'],
    ['a field that nobody knows', { rolle: 'Primary' }, 'unknown field'],
  ])('%s', async (_, spec, refusal) => {
    await expectAnswer(domain(spec), refusal);
  });

  it('are Primary and 301 unless it is said', async () => {
    const plain = domain({});
    const redirect = domain({ role: 'Redirect', redirect: { to } });
    await Promise.all([create(plain), create(redirect)]);
    const seen = (draft: Draft) => controlPlane.kubectl.get('projectdomain', draft.metadata.name, 'default');
    expect(await seen(plain)).toMatchObject({ spec: { role: 'Primary' } });
    expect(await seen(redirect)).toMatchObject({ spec: { redirect: { to, status: 301 } } });
  });

  it.each<[string, object, string | null]>([
    ['the project', { project: 'other' }, 'spec.project cannot change'],
    ['the hostname', { hostname: 'other.example.com' }, 'spec.hostname cannot change'],
    ['the role', { role: 'Redirect', redirect: { to: 'a.example.com' } }, null],
  ])('%s, changed', async (_, change, refusal) => {
    const name = fresh();
    await create(domain({}, name));
    if (refusal === null) await replace(domain(change, name));
    else await expect(replace(domain(change, name))).rejects.toThrow(refusal);
  });
});

const limits = {
  rateLimit: { requestsPerMinute: 1, requestsPerDay: 1 },
  customDomains: { enabled: true, maxPerProject: 0 },
};
const claimSpec = {
  account: '12345678',
  holder: { namespace: 'a', name: 'b' },
  phase: 'Held',
  epoch: 2,
  proof: { method: 'TXT', at: '2026-01-01T00:00:00Z' },
};
const keySpec = { account: 'acme', scopes: ['domains:read'] };
const hash = 'a'.repeat(64);
const orders = (length: number) =>
  Array.from({ length }, (_, n) => ({ request: `r${n}`, at: '2026-01-01T00:00:00Z', outcome: 'Issued' }));

const acmeAccounts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...acmeAccount,
    name: `a${index}`,
    keySecret: `projectdomain-acme-a${index}`,
    caaDomains: ['ca.example'],
    limits: { orders: { count: 100, seconds: 3_600 } },
  }));
const acmeAccount = {
  name: 'letsencrypt',
  server: 'https://acme-v02.api.letsencrypt.org/directory',
  keySecret: 'projectdomain-acme-account',
};
const moreOfAcmeAccount = {
  email: 'domains@example.net',
  externalAccountBinding: { keyId: 'kid', keySecret: 'projectdomain-acme-binding' },
  caBundle: 'cGVt',
  profile: 'shortlived',
};

describe('a certificate of its own', () => {
  const own = {
    secretName: `pd-own-${'a'.repeat(26)}`,
    chain: ['a'.repeat(64)],
    names: ['www.example.com'],
    issuer: 'CN=ca',
    notBefore: '2026-01-01T00:00:00Z',
    notAfter: '2026-04-01T00:00:00Z',
  };
  it.each<[string, object, string | null]>([
    ['as the API server names it', own, null],
    ['with 32 names', { ...own, names: Array.from({ length: 32 }, (_, index) => `a${index}.example.com`) }, null],
    ['in a Secret by another name', { ...own, secretName: 'pd-served' }, 'should match'],
    ["in a Secret of another's namespace", { ...own, secretName: 'rival/pd-own-a' }, 'should match'],
    ['without its end', { ...own, notAfter: undefined }, 'Required value'],
    [
      'with 33 names',
      { ...own, names: Array.from({ length: 33 }, (_, index) => `a${index}.example.com`) },
      'at most 32',
    ],
    ['with a chain of six', { ...own, chain: Array(6).fill(own.chain[0]) }, 'at most 5'],
    ['with what is no fingerprint', { ...own, chain: ['AA:BB'] }, 'should match'],
  ])('%s', (_, certificate, refusal) => expectAnswer(domain({ certificate }), refusal));
});

describe('the kinds that tenants do not write', () => {
  it.each<[string, string, object]>([
    ['a plan', 'Plan', limits],
    ['an account', 'Account', { plan: 'pro', overrides: { rateLimit: { requestsPerMinute: 5 } } }],
    ['an account that may not have domains after all', 'Account', { plan: 'pro', overrides: { customDomains: {} } }],
    ['a claim', 'HostnameClaim', claimSpec],
    ['a claim that is compared with others yet', 'HostnameClaim', { ...claimSpec, phase: 'Pending' }],
    ['a claim with 40 orders', 'HostnameClaim', { ...claimSpec, orders: orders(40) }],
    ['a key that the operator will make', 'ApiKey', keySpec],
    ['a key with a name', 'ApiKey', { ...keySpec, displayName: 'Nightly “deploy” – München' }],
    ['a key with a name whose letters are joined', 'ApiKey', { ...keySpec, displayName: 'می\u200cخواهم' }],
    ['a key with id and hash', 'ApiKey', { ...keySpec, keyId: 'abcdefgh', sha256: hash }],
    ['an issuer with an account', 'AcmeIssuer', { accounts: [acmeAccount] }],
    ['an issuer with four accounts', 'AcmeIssuer', { accounts: acmeAccounts(4) }],
    ['an issuer with everything of an account', 'AcmeIssuer', { accounts: [{ ...acmeAccount, ...moreOfAcmeAccount }] }],
  ])('accept %s', async (_, kind, spec) => {
    await expectAnswer({ kind, metadata: { name: nameFor(kind) }, spec }, null);
  });

  it.each<[string, string, object, string]>([
    [
      'a plan with a limit of zero',
      'Plan',
      { ...limits, rateLimit: { requestsPerMinute: 0, requestsPerDay: 1 } },
      'greater than or equal to 1',
    ],
    ['a plan with half of its limits', 'Plan', { rateLimit: limits.rateLimit }, 'spec.customDomains: Required value'],
    ['an account without a plan', 'Account', {}, 'spec.plan'],
    [
      'an account with a negative cap',
      'Account',
      { plan: 'pro', overrides: { customDomains: { maxPerProject: -1 } } },
      'greater than or equal to 0',
    ],
    ['a claim of epoch zero', 'HostnameClaim', { ...claimSpec, epoch: 0 }, 'greater than or equal to 1'],
    ['a claim with 41 orders', 'HostnameClaim', { ...claimSpec, orders: orders(41) }, 'at most 40 items'],
    ['a tombstone without its time', 'HostnameClaim', { ...claimSpec, phase: 'Tombstone' }, 'releasedAt'],
    ['a key with an id but no hash', 'ApiKey', { ...keySpec, keyId: 'abcdefgh' }, 'together'],
    ['a key with a hash but no id', 'ApiKey', { ...keySpec, sha256: hash }, 'together'],
    [
      'a key with an odd id',
      'ApiKey',
      { ...keySpec, keyId: 'abc_defgh', sha256: hash },
      'between pd_ and the next _: letters and digits',
    ],
    [
      'a key with a hash in upper case',
      'ApiKey',
      { ...keySpec, keyId: 'abcdefgh', sha256: 'A'.repeat(64) },
      '64 hexadecimal digits in lower case',
    ],
    ['a key with a name of two lines', 'ApiKey', { ...keySpec, displayName: 'a\nb' }, 'visible characters'],
    ['a key with an escape of eight bits in its name', 'ApiKey', { ...keySpec, displayName: 'a\u009b2J' }, 'visible'],
    ['a key with a turned name', 'ApiKey', { ...keySpec, displayName: 'a\u202eb' }, 'visible characters'],
    ['a key with an isolate in its name', 'ApiKey', { ...keySpec, displayName: 'a\u2066b' }, 'visible characters'],
    ['a key with a name of tags', 'ApiKey', { ...keySpec, displayName: '\u{e0041}\u{e0042}' }, 'visible characters'],
    ['a key with a name of no width', 'ApiKey', { ...keySpec, displayName: '\u200b\ufeff' }, 'visible characters'],
    ['a key with an account that is no name', 'ApiKey', { ...keySpec, account: 'acme\u001b[2J' }, 'spec.account'],
    ['a key with an endless name', 'ApiKey', { ...keySpec, displayName: 'x'.repeat(65) }, 'Too long'],
    ['a key without scopes', 'ApiKey', { ...keySpec, scopes: [] }, 'scopes'],
    ['a key with a scope twice', 'ApiKey', { ...keySpec, scopes: ['keys:write', 'keys:write'] }, 'Duplicate'],
    ['an unknown scope', 'ApiKey', { ...keySpec, scopes: ['root'] }, 'Unsupported value'],
    ['an issuer without an account', 'AcmeIssuer', { accounts: [] }, 'at least 1'],
    [
      'an issuer with one account twice',
      'AcmeIssuer',
      { accounts: [acmeAccount, { ...acmeAccount, name: 'other' }] },
      'two accounts at one authority have keys of their own',
    ],
    ['an issuer with five accounts', 'AcmeIssuer', { accounts: acmeAccounts(5) }, 'at most 4'],
    [
      'an issuer with a CAA record in place of its domain',
      'AcmeIssuer',
      { accounts: [{ ...acmeAccount, caaDomains: ['0 issue "ca.example"'] }] },
      'write a domain as in CAA records',
    ],
    [
      'an issuer that may order nothing',
      'AcmeIssuer',
      { accounts: [{ ...acmeAccount, limits: { orders: { count: 0, seconds: 1 } } }] },
      'greater than or equal to 1',
    ],
    [
      'an issuer that asks over HTTP',
      'AcmeIssuer',
      { accounts: [{ ...acmeAccount, server: 'http://ca.example/dir' }] },
      'write the URL of an ACME directory',
    ],
    [
      "an issuer whose key is another Secret of the operator's",
      'AcmeIssuer',
      { accounts: [{ ...acmeAccount, keySecret: 'projectdomain-hmac' }] },
      'begins with projectdomain-acme-',
    ],
    [
      'an issuer with two e-mail addresses in one',
      'AcmeIssuer',
      { accounts: [{ ...acmeAccount, email: 'a@example.net,b@example.net' }] },
      'write one e-mail address',
    ],
  ])('refuse %s', async (_, kind, spec, part) => {
    await expectAnswer({ kind, metadata: { name: nameFor(kind) }, spec }, part);
  });

  it.each<[string, string, string, object, string]>([
    ['an account whose name is no label', 'Account', 'acme.eu', { plan: 'pro' }, 'write one DNS label'],
    ['a claim that names no hostname', 'HostnameClaim', 'www', claimSpec, 'write the full hostname as metadata.name'],
    [
      'a wildcard’s claim without its flag',
      'HostnameClaim',
      'wc--wildcard.example.com',
      claimSpec,
      'has spec.wildcard: true',
    ],
    [
      'a flag on a hostname’s claim',
      'HostnameClaim',
      'www.example.com',
      { ...claimSpec, wildcard: true },
      'no other has',
    ],
    ['a key whose Secret could not be named', 'ApiKey', 'k'.repeat(247), keySpec, 'Too long'],
  ])('refuse %s', async (_, kind, name, spec, part) => {
    await expectAnswer({ kind, metadata: { name }, spec }, part);
  });

  const withId = { plan: 'pro', id: '12345678' };
  const withHash = { ...keySpec, keyId: 'abcdefgh', sha256: hash };
  it.each<[string, string, object, object, string | null]>([
    ["an account's id, set", 'Account', { plan: 'pro' }, withId, null],
    ["an account's id, changed", 'Account', withId, { plan: 'pro', id: '87654321' }, 'never changes'],
    ["an account's id, taken away", 'Account', withId, { plan: 'pro' }, 'apply your manifest instead'],
    ["an account's plan", 'Account', withId, { ...withId, plan: 'business' }, null],
    ["a claim's epoch, grown", 'HostnameClaim', claimSpec, { ...claimSpec, epoch: 3 }, null],
    ["a claim's epoch, shrunk", 'HostnameClaim', claimSpec, { ...claimSpec, epoch: 1 }, 'only grows'],
    [
      'a claim that moves with a new epoch',
      'HostnameClaim',
      claimSpec,
      { ...claimSpec, account: '87654321', epoch: 3 },
      null,
    ],
    [
      'a claim that moves with the old one',
      'HostnameClaim',
      claimSpec,
      { ...claimSpec, account: '87654321' },
      'only with a greater spec.epoch',
    ],
    ["a key's id and hash, set", 'ApiKey', keySpec, withHash, null],
    ["a key's hash, changed", 'ApiKey', withHash, { ...withHash, sha256: 'b'.repeat(64) }, 'sha256 cannot change'],
    ["a key's id, changed", 'ApiKey', withHash, { ...withHash, keyId: 'hgfedcba' }, 'keyId cannot change'],
    ["a key's id and hash, taken away", 'ApiKey', withHash, keySpec, 'apply your manifest instead'],
    ["a key's account", 'ApiKey', keySpec, { ...keySpec, account: 'other' }, 'spec.account cannot change'],
    ["a key's scopes", 'ApiKey', keySpec, { ...keySpec, scopes: ['keys:write'] }, null],
  ])('%s', async (_, kind, before, after, refusal) => {
    const metadata = { name: nameFor(kind) };
    await create({ kind, metadata, spec: before });
    if (refusal === null) await replace({ kind, metadata, spec: after });
    else await expect(replace({ kind, metadata, spec: after })).rejects.toThrow(refusal);
  });
});

describe('projects from before subdomains had to be labels of hostnames', () => {
  const crd = 'projects.projectdomain.io';
  const rulesOf = async () => JSON.parse(await controlPlane.kubectl.run(['get', 'crd', crd, '-o', 'json'])) as object;
  /** Two dashes anywhere: the schema without its newest rules. */
  const relaxed = (definition: object): object =>
    JSON.parse(JSON.stringify(definition).replaceAll("'^..--'", () => "'^$'")) as object;
  const define = (definition: object) => controlPlane.kubectl.run(['apply', '-f', '-'], JSON.stringify(definition));
  const withoutVersion = ({ spec, metadata, ...rest }: Record<string, unknown>) => ({
    ...rest,
    metadata: {
      name: (metadata as { name: string }).name,
      annotations: (metadata as { annotations?: object }).annotations,
    },
    spec,
  });

  it('are changed and written to, as long as they keep the subdomain that they have', async () => {
    const strict = withoutVersion((await rulesOf()) as Record<string, unknown>);
    await define(relaxed(strict));
    const [named, chosen] = [project({}, 'ab--named'), project({ subdomain: 'ab--chosen' })];
    await eventually('the rules are relaxed', 30_000, () => create(named));
    await create(chosen);
    await define(strict);
    await eventually('the rules are back', 30_000, () =>
      expect(create(project({ subdomain: 'ab--new' }))).rejects.toThrow('for A-labels'),
    );
    for (const one of [named, chosen]) {
      const service = { service: { name: 'other', port: 81 } };
      await replace({ ...one, spec: { ...one.spec, ...service } });
      const status = JSON.stringify({ status: { deployedAt: '2026-01-01T00:00:00Z' } });
      const patch = ['patch', 'project', one.metadata.name, '--subresource=status', '--type=merge', '-p', status];
      await expect(controlPlane.kubectl.run(patch)).resolves.toContain('patched');
      const worse = { ...one, spec: { ...one.spec, subdomain: 'ab--other' } };
      await expect(replace(worse)).rejects.toThrow('for A-labels');
      await replace({ ...one, spec: { ...one.spec, subdomain: 'shop' } });
    }
    await expect(replace(named)).rejects.toThrow('write spec.subdomain, such as shop');
  }, 120_000);
});
/** Fails when a stricter schema strands what was stored before it: whoever changes anything else of it, and the operator, are still heard. */
describe('an object that was stored before a rule', () => {
  const kind = 'crd/projectdomains.projectdomain.io';
  const name = 'from-before';

  it('is changed as any other, but for what the rule is about', async () => {
    const shipped = await controlPlane.kubectl.run(['get', kind, '-o', 'json']);
    const definition = JSON.parse(shipped) as {
      readonly spec: {
        versions: { schema: { openAPIV3Schema: { properties: { spec: { properties: Properties } } } } }[];
      };
    };
    const project = definition.spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties.project;
    delete project?.['x-kubernetes-validations'];
    await controlPlane.kubectl.run(['replace', '-f', '-'], JSON.stringify(definition));
    const odd = domain({ project: 'shop\u009b31m' }, name);
    await eventually('the rule is gone', 20_000, () => create(odd));
    await controlPlane.kubectl.run([
      'apply',
      '--server-side',
      '--force-conflicts',
      '-f',
      controlPlane.folderOf('crds'),
    ]);
    await eventually('the rule is back', 20_000, async () => {
      const refusal = await create(domain({ project: 'shop\u009b31m' })).catch((error: unknown) => error);
      expectThat(String(refusal).includes('the name of a Project'), String(refusal));
    });
    const patch = (what: object, ...more: readonly string[]) =>
      controlPlane.kubectl.run(['patch', 'projectdomain', name, '--type=merge', '-p', JSON.stringify(what), ...more]);
    await expect(patch({ metadata: { labels: { a: 'b' }, finalizers: ['example.com/x'] } })).resolves.toContain(
      'patched',
    );
    await expect(patch({ status: { state: 'Pending' } }, '--subresource=status')).resolves.toContain('patched');
    await expect(patch({ spec: { prepare: true } })).resolves.toContain('patched');
    await expect(patch({ spec: { project: 'shop\u009b32m' } })).rejects.toThrow('the name of a Project');
    await expect(patch({ metadata: { finalizers: null } })).resolves.toContain('patched');
    await expect(controlPlane.kubectl.run(['delete', 'projectdomain', name])).resolves.toContain('deleted');
  });
});

type Properties = Readonly<Record<string, { 'x-kubernetes-validations'?: unknown }>>;
