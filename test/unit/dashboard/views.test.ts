import { describe, expect, it } from '@jest/globals';
import type { DomainView, RecordView } from '../../../src/use-cases/describe-domain.ts';
import type { IssueView } from '../../../src/use-cases/issue-view.ts';
import { issueView } from '../../../src/use-cases/issue-view.ts';
import type {
  DomainModel,
  DomainsModel,
  LayoutModel,
  KeysModel,
  PlanModel,
} from '../../../src/dashboard/view-models.ts';
import { pages } from '../../../src/dashboard/page-table.ts';
import { domainMain, domainPanel } from '../../../src/dashboard/views/domain-view.ts';
import { domainRow, domainsMain, previewFragment } from '../../../src/dashboard/views/domains-view.ts';
import { layout } from '../../../src/dashboard/views/layout.ts';
import { keysMain } from '../../../src/dashboard/views/keys-view.ts';
import { sentence, problemMain } from '../../../src/dashboard/views/components.ts';
import { planMain } from '../../../src/dashboard/views/plan-view.ts';
import { projectsMain } from '../../../src/dashboard/views/projects-view.ts';
import { removeMain } from '../../../src/dashboard/views/remove-view.ts';
import { signInMain } from '../../../src/dashboard/views/sign-in-view.ts';
import { domainStateNames as states } from '../../../src/rules/domain-state.ts';
import { acceptedReasons, certificateReasons, routedReasons, verifiedReasons } from '../../../src/rules/reasons.ts';
import { helpTextOf } from '../../../src/help/reason-help.ts';
import { verdictCodes } from '../../../src/rules/verdict-codes.ts';

const csrf = 'token-of-the-session';
const target = 'p-abc.cname.apps.example.net';

const project = {
  name: 'shop',
  service: { name: 'shop-web', port: 80 },
  subdomain: 'shop',
  platformHostname: 'shop.apps.example.net',
  target,
  deployedAt: '2026-11-01T10:00:00Z',
};

const account = (enabled: boolean) => ({
  name: 'acme',
  plan: enabled ? 'pro' : 'free',
  limits: {
    rateLimit: { requestsPerMinute: 300, requestsPerDay: 10_000 },
    customDomains: { enabled, maxPerProject: enabled ? 50 : 0 },
    maximum: { projects: 20, domains: 1_000, apiKeys: 20, sessionsPerKey: 20, eventStreams: 10 },
  },
});

const frame = (over: Partial<LayoutModel> = {}): LayoutModel => ({
  title: 'A page',
  section: 'projects',
  account: account(true),
  csrf,
  notice: null,
  ...over,
});

const domain = (over: Partial<DomainView> = {}): DomainView => ({
  hostname: 'www.example.com',
  project: 'shop',
  role: 'primary',
  redirect: null,
  state: 'Unverified',
  reason: 'RecordMissing',
  message: 'there is no record at www.example.com',
  records: [
    {
      purpose: 'Routing',
      type: 'CNAME',
      name: 'www',
      fqdn: 'www.example.com',
      value: target,
      ttl: 3600,
      status: 'Wrong',
      found: ['A 192.0.2.1'],
    },
    {
      purpose: 'Ownership',
      type: 'TXT',
      name: '_projectdomain-challenge.www',
      fqdn: '_projectdomain-challenge.www.example.com',
      value: 'projectdomain-verify=token',
      ttl: 3600,
      status: 'Missing',
      found: [],
    },
  ],
  issues: [],
  dnsHost: null,
  lingersUntil: null,
  certificate: null,
  waits: null,
  createdAt: '2026-11-20T08:15:00Z',
  ...over,
});

const model = (over: Partial<DomainView> = {}, more: Partial<DomainModel> = {}): DomainModel => ({
  project,
  domain: domain(over),
  timeline: [{ at: '2026-11-20T08:15:00Z', state: 'Unverified', reason: 'Waiting', message: 'create the records' }],
  dnsHost: null,
  checkedAt: '2026-11-20T08:18:00Z',
  ...more,
});

const list = (over: Partial<DomainsModel> = {}): DomainsModel => ({
  project,
  domains: [domain()],
  allowance: { enabled: true, used: 1, maxPerProject: 50 },
  after: null,
  next: null,
  primaries: ['www.example.com'],
  form: { hostname: '', role: 'primary', to: '', status: '301' },
  ...over,
});

const keys = (over: Partial<KeysModel> = {}): KeysModel => ({
  keys: [
    {
      id: 'first',
      scopes: ['domains:read'],
      expiresAt: '2027-01-01T00:00:00Z',
      createdAt: '2026-10-01T08:00:00Z',
      lastUsedAt: null,
      bannedUntil: '2026-11-21T12:00:00Z',
    },
  ],
  created: null,
  now: Date.parse('2026-11-21T10:00:00Z'),
  own: 'first',
  mayWrite: true,
  ...over,
});

const plan = (over: Partial<PlanModel> = {}): PlanModel => ({
  account: account(true),
  minute: { limit: 300, used: 37, remaining: 263, resetAt: 1_795_254_000 },
  day: { limit: 10_000, used: 9_800, remaining: 200, resetAt: 1_795_254_000 },
  ban: null,
  ...over,
});

const free = { allowance: { enabled: false, used: 0, maxPerProject: 0 }, domains: [] };
const live = { live: '/dashboard/projects/shop/events' };
const nobody = { section: null, account: null, csrf: null } as const;
const problem = { kind: 'problem', title: 'Taken', detail: 'choose another', code: 'hostname-in-use' } as const;

const all: readonly (readonly [string, string])[] = [
  ['signing in', layout(frame(nobody), signInMain({ problem: null }))],
  ['signing in again after a refusal', layout(frame(nobody), signInMain({ problem: 'the key has expired' }))],
  ['projects', layout(frame(), projectsMain([{ project, domains: 2, waiting: 1 }]))],
  ['no projects', layout(frame(), projectsMain([]))],
  ['domains', layout(frame({ notice: problem }), domainsMain(list(), csrf), live)],
  ['a page of many domains', layout(frame(), domainsMain(list({ next: 'MTph' }), csrf), live)],
  ['no domains', layout(frame(), domainsMain(list({ domains: [] }), csrf), live)],
  ['domains on Free', layout(frame(), domainsMain(list(free), csrf), live)],
  ['a domain', layout(frame(), domainMain(model(), csrf), live)],
  ['removing', layout(frame(), removeMain(model(), csrf))],
  ['plan', layout(frame(), planMain(plan()))],
  ['plan of Free', layout(frame(), planMain(plan({ account: account(false), ban: { until: 1, reason: 'why' } })))],
  ['keys', layout(frame(), keysMain(keys({ created: { id: 'new', key: 'pd_new_secret' } }), csrf))],
  ['keys unseen', layout(frame(), keysMain(keys({ mayWrite: false }), csrf))],
  [
    'a problem',
    layout(frame(), problemMain({ title: 'Gone', detail: 'it is gone', code: 'not-found', requestId: 'r1' })),
  ],
];

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');

describe('every page', () => {
  it.each(all)('%s: one first heading, ids that are unique, references that exist', (_, text) => {
    expect(matches(text, /<(h1)>/g)).toHaveLength(1);
    const ids = matches(text, /\sid="([^"]*)"/g);
    expect(ids).toEqual([...new Set(ids)]);
    const named = matches(text, /\s(?:for|aria-labelledby|aria-describedby)="([^"]*)"/g).flatMap((value) =>
      value.split(' '),
    );
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it.each(all)('%s: no style, script or handler inside the document', (_, text) => {
    expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:|data:/);
    expect(matches(text, /<script(?![^>]*\ssrc=")([^>]*)>/g)).toEqual([]);
    expect(
      matches(text, /(?:src|rel="stylesheet" href)="([^"]*)"/g).filter((url) => !url.startsWith('/dashboard/')),
    ).toEqual([]);
  });

  it.each(all)('%s: every form that a session sends has its token', (_, text) => {
    const forms = matches(text, /(<form[\s\S]*?<\/form>)/g).filter(
      (form) => !form.includes('action="/dashboard/sign-in"'),
    );
    expect(forms.filter((form) => !form.includes(`name="csrf" value="${csrf}"`))).toEqual([]);
    expect(forms.filter((form) => !form.includes('method="post"'))).toEqual([]);
  });
});

const hostile = `<script>alert("1")</script>&'`;
const harmless = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;';
const record = {
  purpose: 'Ownership',
  type: 'TXT',
  name: hostile,
  fqdn: hostile,
  value: hostile,
  ttl: 60,
  status: 'Wrong',
  found: [hostile],
} as const;
const reference = { name: hostile, fqdn: hostile, type: hostile, value: hostile };
const written = issueView({
  code: 'DoubledZone',
  message: hostile,
  record: hostile,
  fix: hostile,
  act: 'WaitForServers',
  params: { name: hostile, zone: hostile, behind: hostile },
  delete: [reference],
  create: [reference],
  servers: [{ server: hostile, address: hostile, answer: hostile }],
  since: hostile,
});
const hostileIssues = [written, { ...written, delete: [], create: [] }, { ...written, code: hostile, act: hostile }];
const attacked: Partial<DomainView> = {
  hostname: hostile,
  reason: hostile,
  message: hostile,
  records: [record],
  issues: hostileIssues,
  dnsHost: { id: hostile, name: hostile, labels: { name: hostile, value: hostile } },
  redirect: { to: hostile, status: 301 },
};
const host = {
  id: 'x',
  name: hostile,
  labels: { name: hostile, value: hostile },
  subdomain: hostile,
  apex: hostile,
  txt: hostile,
};
const told = [{ at: hostile, state: hostile, reason: hostile, message: hostile }];

describe('what others wrote stays text', () => {
  it.each<[string, string]>([
    ['in a row', domainRow(domain(attacked), project).text],
    ['on the page of a domain', domainPanel(model(attacked, { dnsHost: host, timeline: told }), csrf).text],
    ['in the question before Remove', removeMain(model(attacked), csrf).text],
    [
      'in what was typed',
      domainsMain(list({ form: { hostname: hostile, role: 'redirect', to: hostile, status: '' } }), csrf).text,
    ],
    ['in a preview', previewFragment({ kind: 'possible', domain: domain({ ...attacked, createdAt: null }) }).text],
    ['in a preview of what is there', previewFragment({ kind: 'possible', domain: domain(attacked) }).text],
    ['in a refused preview', previewFragment({ kind: 'refused', detail: hostile, code: hostile }).text],
    [
      'in a notice',
      layout(
        frame({ title: hostile, notice: { ...problem, title: hostile, detail: hostile } }),
        problemMain({ title: '', detail: hostile, code: hostile, requestId: hostile }),
      ),
    ],
    ['in a refusal to sign in', signInMain({ problem: hostile }).text],
    ['in a key', keysMain(keys({ created: { id: hostile, key: hostile } }), csrf).text],
    [
      'in a project',
      projectsMain([{ project: { ...project, name: hostile, platformHostname: hostile }, domains: 1, waiting: 0 }])
        .text,
    ],
  ])('%s', (_, text) => {
    expect(text).toContain(harmless);
    expect(text).not.toContain('<script>');
    expect(text).not.toContain(`"1"`);
  });
});

const reasons = [acceptedReasons, verifiedReasons, certificateReasons, routedReasons, verdictCodes].flatMap((table) =>
  Object.keys(table),
);

describe('a state with its reason', () => {
  it.each(states.flatMap((state) => [...new Set(reasons)].map((reason) => [state, reason] as const)))(
    '%s with %s is a word, a sentence and what to do',
    (state, reason) => {
      const { text } = domainPanel(model({ state, reason }), csrf);
      const { todo, symptom } = helpTextOf(state, reason);
      expect(text).toContain(`<span class="pill ${state.toLowerCase()}">${state}</span>`);
      expect(text).toContain(todo.replaceAll("'", '&#39;').replaceAll('"', '&quot;'));
      expect(text.includes('/dashboard/help#')).toBe(symptom !== null);
      if (symptom !== null) expect(text).toContain(`/dashboard/help#${symptom}"`);
    },
  );

  it.each<[string, string | null]>([
    ['Pending', null],
    ['Unverified', 'Verify'],
    ['Verified', 'Re-verify'],
    ['Live', 'Re-verify'],
    ['Degraded', 'Re-verify'],
    ['Suspended', 'Verify'],
  ])('%s offers %s', (state, label) => {
    const { text } = domainPanel(model({ state: state as DomainView['state'] }), csrf);
    expect(matches(text, /<button id="verify"[^>]*>([^<]*)</g)).toEqual(label === null ? [] : [label]);
  });
});

const missing: IssueView = issueView({ code: 'RecordMissing', message: 'm', record: '', fix: 'create x. CNAME y.' });

describe('what is said', () => {
  it('a record stands as a form wants it, to copy', () => {
    const { text } = domainPanel(model(), csrf);
    for (const value of ['www', target, 'projectdomain-verify=token']) expect(text).toContain(`data-copy="${value}"`);
    expect(matches(text, />\s*(Copy (?:name|value))\s*</g)).toEqual([
      'Copy name',
      'Copy value',
      'Copy name',
      'Copy value',
    ]);
  });

  const y = { name: 'x', fqdn: 'x.test', type: 'CNAME', value: 'y' };
  const old = { name: 'x', fqdn: 'x.test', type: 'A', value: '1' };
  it.each<[string, Partial<IssueView>, readonly string[]]>([
    ['a record in the way', { delete: [old], create: [y] }, ['Found, delete it', 'Missing, create it', 'Who']],
    ['a record that is missing', { create: [y] }, ['Missing, create it', 'Who']],
    ['somebody else’s task', { actor: 'DnsHost', act: 'AskDnsHost' }, ['To do', 'Who']],
    [
      'a task at the registrar, which takes its time',
      { actor: 'Registrar', act: 'EnterNameServers', hoursUntilSeen: 48 },
      ['To do', 'Who', 'How long'],
    ],
    ['what an older version wrote', { act: null, record: 'x. CAA 1' }, ['Found', 'To do', 'Who']],
  ])('%s', (_, over, acts) => {
    const text = domainPanel(model({ issues: [{ ...missing, ...over }] }), csrf).text.split('id="found"')[1] ?? '';
    expect(matches(text.split('</section>')[0] ?? '', /<dt>([^<]*)</g)).toEqual(acts);
  });

  it('what was found and what to do come from code, act and parameters, never from the message', () => {
    const params = { name: 'www.example.com', zone: 'example.com', behind: 'ns2.example.com' };
    const issues = [{ ...missing, code: 'ServersDisagree', act: 'WaitForServers', params, message: 'm', fix: 'f' }];
    const { text } = domainPanel(model({ issues }), csrf);
    expect(text).toContain('The name servers of www.example.com give different answers.'.slice(4));
    expect(text).toContain('Leave the records as they are: ns2.example.com does not have them yet.');
  });

  it('a record to create is in the words of the form where it is created', () => {
    const dnsHost = { id: 'x', name: 'X', labels: { name: 'Sub-domain', value: 'Points to' } };
    const { text } = domainPanel(model({ dnsHost, issues: [{ ...missing, create: [y] }] }), csrf);
    expect(text).toMatch(/Sub-domain <code>x<\/code>[\s\S]*Points to <code>y<\/code>/);
  });

  it.each<[RecordView['status'], string]>([
    ['Found', 'Found'],
    ['Missing', 'Missing'],
    ['Wrong', 'Another value'],
    ['Stale', 'Not on all servers yet'],
    ['Conflicting', 'Another record is beside it'],
    ['Unknown', 'Not known'],
  ])('a record that is %s says so in words', (status, words) => {
    const [first] = domain().records;
    if (!first) throw new Error('no record to show');
    const { text } = domainPanel(model({ records: [{ ...first, status }] }), csrf);
    expect(text).toContain(`<span class="record-status ${status.toLowerCase()}">${words}</span>`);
    expect(text.includes('Now: <code>A 192.0.2.1</code>')).toBe(status !== 'Found');
  });

  it('a warning neither hides that all is well nor looks like an error', () => {
    const warning = { ...missing, code: 'SomeServersSilent', severity: 'Warning', actor: 'DnsHost' } as const;
    const { text } = domainPanel(model({ state: 'Live', issues: [warning] }), csrf);
    expect(text).toContain('The records in DNS are as they should be.');
    expect(text).toContain('<div class="issue warning">');
    expect(text).toContain('Records to keep');
  });

  it('says until when some visitors may still reach the old server', () => {
    const { text } = domainPanel(model({ state: 'Live', lingersUntil: '2026-11-21T14:05:00Z' }), csrf);
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain(
      'Some visitors may still reach the old server until 21 Nov 2026, 14:05 UTC.',
    );
  });

  it.each<[string, Partial<DomainView>, string]>([
    ['while they are looked for', {}, 'Records to create'],
    ['once they were found', { state: 'Verified', reason: 'Issuing' }, 'Records to keep'],
    ['once it is served', { state: 'Live', reason: 'Ready' }, 'Records to keep'],
    ['served although they are gone', { state: 'Degraded', issues: [missing] }, 'Records to create'],
    ['served while the plan has ended', { state: 'Degraded', reason: 'PlanUpgradeRequired' }, 'Records to keep'],
    ['suspended by the platform', { state: 'Suspended', reason: 'Withdrawn' }, 'Records to keep'],
    ['suspended because they were gone', { state: 'Suspended', issues: [missing] }, 'Records to create'],
  ])('the records of a domain, %s', (_, over, expected) => {
    expect(domainPanel(model(over), csrf).text).toContain(`<h2 id="records-title">${expected}</h2>`);
  });

  it.each<[DomainView['state'], string]>([
    ['Unverified', 'Waiting for your DNS record'],
    ['Degraded', 'Your DNS record is gone'],
    ['Suspended', 'Waiting for your DNS record'],
  ])('a missing record of a domain that is %s is called "%s"', (state, title) => {
    const text = domainPanel(model({ state, issues: [missing] }), csrf).text.split('id="found"')[1] ?? '';
    expect(text).toContain(`<h3>${title}</h3>`);
  });

  it('a name of other letters than ours is also shown as people write it', () => {
    expect(domainPanel(model({ hostname: 'xn--mnchen-3ya.example' }), csrf).text).toContain('münchen.example');
    expect(domainPanel(model(), csrf).text).not.toContain('Written as');
  });

  it.each([
    ['2026-11-21T10:00:00Z', true],
    ['2026-11-21T10:00:01Z', false],
    [null, false],
  ])('a key that expires at %s is marked as expired: %s', (expiresAt, marked) => {
    const [key] = keys().keys;
    if (!key) throw new Error('no key to change');
    expect(keysMain(keys({ keys: [{ ...key, expiresAt }] }), csrf).text.includes('>Expired<')).toBe(marked);
  });

  it('the plan says that the dashboard spends the quota too, and what is free', () => {
    const text = planMain(plan()).text.replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'Using this dashboard counts too, except for signing in, signing out and opening this page.',
    );
    expect(pages.filter(({ free }) => free).map(({ name }) => name)).toEqual(['dashboardPlan']);
  });

  it('a hostname that the project has is not said to be addable', () => {
    const { text } = previewFragment({ kind: 'possible', domain: domain() });
    expect(text).toContain('<a href="/dashboard/projects/shop/domains/www.example.com">www.example.com</a> already');
    expect(text).not.toContain('can be added');
  });

  it('what CAA needs is not hidden by "nothing else to create"', () => {
    const { text } = domainPanel(model({ state: 'Verified', reason: 'CAAForbids', issues: [missing] }), csrf);
    expect(text).toContain('what else is needed is listed below');
    expect(text).not.toContain('nothing else to create');
  });

  it.each([
    ['a name that', 'www.example.com leads elsewhere', 'www.example.com leads elsewhere.'],
    ['a word that', 'the key is banned', 'The key is banned.'],
    [
      'a time that',
      'banned until 2026-11-21T14:05:09.123Z, then free',
      'Banned until 21 Nov 2026, 14:05 UTC, then free.',
    ],
    ['a time nobody knows that', 'since 2026-99-99T99:99:99Z', 'Since 2026-99-99T99:99:99Z.'],
  ])('%s begins or stands in a sentence', (_, said, expected) => {
    expect(sentence(said)).toBe(expected);
  });

  it('Free says why, what goes on and what to do, and offers no form', () => {
    const { text } = domainsMain(list(free), csrf);
    expect(text).not.toContain('<form');
    for (const part of ['Why:', 'What keeps working:', 'What you can do:', 'shop.apps.example.net'])
      expect(text).toContain(part);
  });

  it('a redirect may lead to primaries and the platform address only', () => {
    const other = domain({
      hostname: 'old.example.com',
      role: 'redirect',
      redirect: { to: 'www.example.com', status: 301 },
    });
    const { text } = domainsMain(list({ domains: [domain(), other] }), csrf);
    const select = text.slice(text.indexOf('<select id="to"'));
    expect(matches(select.slice(0, select.indexOf('</select>')), /<option value="([^"]*)"/g)).toEqual([
      'www.example.com',
      'shop.apps.example.net',
    ]);
  });

  it('a new key is shown, and no other page of keys has it', () => {
    expect(keysMain(keys({ created: { id: 'new', key: 'pd_new_secret' } }), csrf).text).toContain(
      'value="pd_new_secret"',
    );
    expect(keysMain(keys(), csrf).text).not.toContain('pd_');
  });
});
