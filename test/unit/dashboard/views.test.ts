import { describe, expect, it } from '@jest/globals';
import type { DnsHost } from '../../../src/rules/dns-hosts/known-dns-hosts.ts';
import type { DomainView } from '../../../src/use-cases/domain-view.ts';
import { issueView } from '../../../src/use-cases/issue-view.ts';
import type { LayoutModel, KeysModel, PlanModel } from '../../../src/dashboard/view-models.ts';
import { pages } from '../../../src/dashboard/page-table.ts';
import { domainMain, domainPanel } from '../../../src/dashboard/views/domain-view.ts';
import { layout } from '../../../src/dashboard/views/layout.ts';
import { keysMain } from '../../../src/dashboard/views/keys-view.ts';
import { problemMain } from '../../../src/dashboard/views/problem-view.ts';
import { planMain } from '../../../src/dashboard/views/plan-view.ts';
import { projectsMain } from '../../../src/dashboard/views/projects-view.ts';
import { removeMain } from '../../../src/dashboard/views/change-view.ts';
import { signInMain } from '../../../src/dashboard/views/sign-in-view.ts';
import { domainModel, entry, project } from '../../support/domain-model.ts';
import { presentation } from '../../support/view-context.ts';

const csrf = 'token-of-the-session';
const view = { ...presentation, csrf };
const account = (enabled: boolean) => ({
  name: 'acme',
  plan: enabled ? 'pro' : 'free',
  limits: {
    rateLimit: { requestsPerMinute: 300, requestsPerDay: 10_000 },
    customDomains: { enabled, maxPerProject: enabled ? 50 : 0 },
    maximum: { projects: 20, domains: 1_000, apiKeys: 20, sessionsPerKey: 20, eventStreams: 10, bulkItems: 300 },
  },
});

const frame = (over: Partial<LayoutModel> = {}): LayoutModel => ({
  title: 'A page',
  section: 'projects',
  account: account(true),
  notice: null,
  ...over,
});

const keys = (over: Partial<KeysModel> = {}): KeysModel => ({
  keys: [
    {
      id: 'first',
      name: null,
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
  minute: { limit: 300, used: 37, remaining: 263, resetAt: '2026-11-21T09:40:00Z' },
  day: { limit: 10_000, used: 9_800, remaining: 200, resetAt: '2026-11-21T09:40:00Z' },
  ban: null,
  plans: [],
  ...over,
});

const live = { live: '/dashboard/projects/shop/events' };
const nobody = { section: null, account: null } as const;
const failed = { code: 'hostname-in-use', detail: 'choose another', members: {} } as const;
const problem = { kind: 'problem', problem: failed } as const;

const all: readonly (readonly [string, string])[] = [
  ['signing in', layout(view, frame(nobody), signInMain(view, null))],
  [
    'signing in again after a refusal',
    layout(view, frame(nobody), signInMain(view, { code: 'expired', at: '2026-11-20T08:15:00Z' })),
  ],
  ['projects', layout(view, frame(), projectsMain(view, [{ project, domains: 2, waiting: 1 }]))],
  ['no projects', layout(view, frame(), projectsMain(view, []))],
  ['a domain', layout(view, frame(), domainMain(view, domainModel()), live)],
  [
    'removing',
    layout(view, frame(), removeMain(view, domainModel({ state: 'Live' }), { count: 7, named: ['b.example.com'] })),
  ],
  ['plan', layout(view, frame(), planMain(view, plan()))],
  [
    'plan of Free',
    layout(view, frame(), planMain(view, plan({ account: account(false), ban: { until: '1970-01-01T00:00:01Z' } }))),
  ],
  ['keys', layout(view, frame(), keysMain(view, keys({ created: { id: 'new', key: 'pd_new_secret' } })))],
  ['keys unseen', layout(view, frame(), keysMain(view, keys({ mayWrite: false })))],
  [
    'a problem',
    layout(view, frame(), problemMain(view, { problem: { ...failed, code: 'not-found' }, requestId: 'r1' })),
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
const host: DnsHost = {
  id: 'x',
  name: hostile,
  labels: { name: hostile, value: hostile },
  subdomain: ['cname'],
  apex: ['alias'],
  txt: ['txt'],
};
const attack = { code: 'malformed-request', detail: hostile, members: { missing: 'key', name: hostile } } as const;
const told = (['State', 'Finding', 'Order'] as const).map((kind) =>
  entry({ kind, state: hostile, at: hostile, reason: hostile, code: hostile, message: hostile }),
);

describe('what others wrote stays text', () => {
  it.each<[string, string]>([
    ['on the page of a domain', domainPanel(view, domainModel(attacked, { dnsHost: host, timeline: told })).text],
    ['in the question before Remove', removeMain(view, domainModel(attacked), { count: 1, named: [hostile] }).text],
    [
      'in a notice',
      layout(
        view,
        frame({ title: hostile, notice: { ...problem, problem: attack } }),
        problemMain(view, { problem: attack, requestId: hostile }),
      ),
    ],
    ['in a refusal to sign in', signInMain(view, { code: 'expired', at: hostile }).text],
    ['in a key', keysMain(view, keys({ created: { id: hostile, key: hostile } })).text],
    [
      'in a project',
      projectsMain(view, [
        { project: { ...project, name: hostile, platformHostname: hostile }, domains: 1, waiting: 0 },
        {
          project: { ...project, platformHostname: null, state: 'refused' as const, message: hostile },
          domains: 1,
          waiting: 0,
        },
      ]).text,
    ],
  ])('%s', (_, text) => {
    expect(text).toContain(harmless);
    expect(text).not.toContain('<script>');
    expect(text).not.toContain(`"1"`);
  });
});

describe('what is said', () => {
  it.each([
    ['2026-11-21T10:00:00Z', true],
    ['2026-11-21T10:00:01Z', false],
    [null, false],
  ])('a key that expires at %s is marked as expired: %s', (expiresAt, marked) => {
    const [key] = keys().keys;
    if (!key) throw new Error('no key to change');
    expect(keysMain(view, keys({ keys: [{ ...key, expiresAt }] })).text.includes('>Expired<')).toBe(marked);
  });

  it('the plan says that the dashboard spends the quota too, and what is free', () => {
    const text = planMain(view, plan()).text.replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'Using this dashboard counts too, except for signing in, signing out and opening this page.',
    );
    expect(pages.filter(({ free }) => free).map(({ name }) => name)).toEqual(['dashboardPlan']);
  });

  it('a new key is shown, and no other page of keys has it', () => {
    expect(keysMain(view, keys({ created: { id: 'new', key: 'pd_new_secret' } })).text).toContain(
      'value="pd_new_secret"',
    );
    expect(keysMain(view, keys()).text).not.toContain('pd_');
  });
});
