import { describe, expect, it } from '@jest/globals';
import type { Html } from '../../../src/dashboard/html.ts';
import { html } from '../../../src/dashboard/html.ts';
import type { Notice } from '../../../src/dashboard/notice.ts';
import { noticeOf } from '../../../src/dashboard/page-answer.ts';
import { problemView } from '../../../src/dashboard/notice.ts';
import { domainPanel } from '../../../src/dashboard/views/domain-view.ts';
import { helpMain } from '../../../src/dashboard/views/help-view.ts';
import { keysMain } from '../../../src/dashboard/views/keys-view.ts';
import { layout } from '../../../src/dashboard/views/layout.ts';
import { planMain } from '../../../src/dashboard/views/plan-view.ts';
import { problemMain, problemWords } from '../../../src/dashboard/views/problem-view.ts';
import { projectsMain } from '../../../src/dashboard/views/projects-view.ts';
import { signInMain } from '../../../src/dashboard/views/sign-in-view.ts';
import { knownDnsHosts } from '../../../src/rules/dns-hosts/known-dns-hosts.ts';
import type { RecordView } from '../../../src/use-cases/domain-view.ts';
import { problemCodes } from '../../../src/rules/codes/problem-codes.ts';
import { Problem } from '../../../src/use-cases/problem.ts';
import type { ProblemCode } from '../../../src/use-cases/problem.ts';
import { parameterNames } from '../../../src/dashboard/words/message.ts';
import { createWords } from '../../../src/dashboard/words/words.ts';
import { domain, domainModel } from '../../support/domain-model.ts';
import { pseudo, pseudoLocale } from '../../support/pseudo-locale.ts';
import { untranslated } from '../../support/untranslated.ts';
import { presentation } from '../../support/view-context.ts';

const view = { ...presentation, words: createWords(pseudoLocale), csrf: 'token' };
const { words } = view;

const account = {
  name: 'acme',
  plan: 'pro',
  limits: {
    rateLimit: { requestsPerMinute: 300, requestsPerDay: 10_000 },
    customDomains: { enabled: true, maxPerProject: 50 },
    maximum: { projects: 20, domains: 1_000, apiKeys: 20, sessionsPerKey: 20, eventStreams: 10, bulkItems: 300 },
  },
};
const free = {
  ...account,
  plan: 'free',
  limits: { ...account.limits, customDomains: { enabled: false, maxPerProject: 0 } },
};
const at = '2026-11-20T08:15:00Z';
const project = (over: object = {}) => ({
  name: 'shop',
  service: { name: 'shop-web', port: 80 },
  subdomain: 'shop',
  platformHostname: 'shop.apps.example.net',
  state: 'live' as const,
  reason: 'ready',
  message: 'the project is served',
  target: 'p-abc.cname.apps.example.net',
  deployedAt: at,
  ...over,
});
const undeployed = project({ platformHostname: null, deployedAt: null });
const key = {
  id: 'first',
  name: 'deploy',
  scopes: ['domains:read', 'domains:write', 'keys:write'] as const,
  expiresAt: at,
  createdAt: at,
  lastUsedAt: null,
  bannedUntil: at,
};
const keys = {
  keys: [key, { ...key, id: 'second', expiresAt: null, lastUsedAt: at }],
  now: 0,
  own: 'first',
  mayWrite: true,
};
const window = { limit: 300, used: 37, remaining: 263, resetAt: '2026-11-21T09:40:00Z' };
const offer = { name: 'pro', requestsPerMinute: 300, requestsPerDay: 10_000, domainsPerProject: 50, negotiated: false };
const plan = {
  account,
  minute: window,
  day: window,
  ban: null,
  plans: [
    { ...offer, own: true },
    { ...offer, name: 'free', domainsPerProject: 0, own: false },
    { ...offer, name: 'enterprise', negotiated: true, own: false },
  ],
};
const ban = { until: '2026-11-21T09:40:00Z', reason: 'why' };
const upgradeable = { ...view, brand: { ...view.brand, upgradeUrl: 'https://acme.example' } };

/** One line per page. What the model brings is in `data`; everything else has to come from the problemCodes. */
const pages: readonly (readonly [name: string, main: Html, data?: readonly string[]])[] = [
  ['sign-in', signInMain(view, null)],
  ...(
    ['missing', 'malformed', 'unknown', 'expired', 'not-ready', 'banned', 'session-ended', 'signed-out'] as const
  ).map((code) => [`sign-in: ${code}`, signInMain(view, { code, at })] as const),
  ['no projects', projectsMain(view, [])],
  [
    'projects',
    projectsMain(view, [
      { project: project(), domains: 2, waiting: 1 },
      { project: project(), domains: 1, waiting: 0 },
      { project: undeployed, domains: 0, waiting: 0 },
    ]),
    ['shop.apps.example.net', '.apps', '.example', '.net', 'shop'],
  ],
  ['keys', keysMain(view, { ...keys, created: { id: 'new', key: 'pd_new_secret' } }), ['deploy', 'new', 'first']],
  ['no keys', keysMain(view, { ...keys, keys: [], created: null })],
  ['keys unseen', keysMain(view, { ...keys, created: null, mayWrite: false })],
  ['plan', planMain(view, plan), ['acme', 'Pro', 'Free', 'Enterprise']],
  ['plan of Free', planMain(view, { ...plan, account: free, ban }), ['acme', 'Pro', 'Free', 'Enterprise']],
  ['plan with an upgrade', planMain(upgradeable, { ...plan, account: free }), ['acme', 'Pro', 'Free', 'Enterprise']],
  ['help', helpMain(view)],
];

const frame = { title: words.text('plan.title'), section: 'plan', account, notice: null } as const;
const framed = (main: Html, notice: Notice | null = null) => layout(view, { ...frame, notice }, main);
/** Of the frame. */
const framing = ['Custom domains', 'acme', 'pro'];

describe('a page in the pseudo-locale says nothing of its own', () => {
  it.each(pages)('%s', (_, main, data = []) => {
    expect(untranslated(framed(main), [...framing, ...data])).toEqual([]);
  });

  it.each(['added', 'added-both', 'there', 'removed', 'removing', 'key-deleted'])('notice: %s', (done) => {
    const notice = noticeOf({ query: { done }, view });
    expect(notice).not.toBeNull();
    expect(untranslated(framed(html``, notice), framing)).toEqual([]);
  });

  it.each<[string, Notice]>([
    ['a check that is under way', { kind: 'checking', since: 1, was: '' }],
    ['a check that found the same', { kind: 'checked', at: '2026-11-29T14:03:07Z', status: 'Offline', isSame: true }],
    ['a check that found more', { kind: 'checked', at: '2026-11-29T14:03:07Z', status: 'Offline', isSame: false }],
  ])('notice: %s', (_, notice) => {
    expect(untranslated(framed(html``, notice), framing)).toEqual([]);
  });

  const members = [{}, { reason: 'NotDeployed' }, { missing: 'project', name: 'x' }, { scope: 'keys:write' }];
  it.each(Object.keys(problemCodes) as ProblemCode[])('problem: %s', (code) => {
    for (const each of [...members, { retryAfter: 5 }, { until: at }, { errors: [{ pointer: '/scopes' }] }]) {
      const problem = problemView(new Problem(code, 'detail', { members: each }));
      const page = layout(
        view,
        { ...frame, title: problemWords(view, problem).title, notice: { kind: 'problem', problem } },
        problemMain(view, { problem, requestId: 'r1' }),
      );
      expect(untranslated(page, [...framing, 'detail'])).toEqual([]);
    }
  });
});

describe('the page of a domain says nothing of its own', () => {
  const { records } = domain();
  const [cname] = records;
  const apex = { ...cname, type: 'ALIAS', name: '@', fqdn: 'example.com' } as RecordView;
  it.each(knownDnsHosts.map((host) => [host.name, host] as const))('with advice for %s', (_, dnsHost) => {
    for (const needed of [records, [apex]]) {
      const { text } = domainPanel(view, domainModel({ records: needed }, { dnsHost }));
      expect(text).toContain('class="advice"');
      const { name = '', value = '' } = dnsHost.labels ?? {};
      const data = [dnsHost.name, name ?? '', value ?? '', 'example', 'com', 'www', '_projectdomain-challenge'];
      expect(untranslated(text, data.filter(Boolean))).toEqual([]);
    }
  });
});

describe('what finds words that are not from the problemCodes', () => {
  it.each<[string, Html, readonly string[]]>([
    ['a text', html`<p>${words.say('projects.lead')} Hello</p>`, ['Hello']],
    [
      'a text between two of the problemCodes',
      html`<p>${[words.say('plan.yours', { plan: 'x' }), ' and ']}</p>`,
      ['and'],
    ],
    ['a label that is heard', html`<nav aria-label="Main"></nav>`, ['Main']],
    ['a placeholder', html`<input placeholder="Search" />`, ['Search']],
    ['no code, no date and no number', html`<code>NotFound</code> <time>22 Nov 2026</time> 12`, []],
  ])('finds %s', (_, main, found) => {
    expect(untranslated(main.text, [])).toEqual(found);
  });
});

describe('the pseudo-locale', () => {
  it('keeps the parameters of every text', () => {
    for (const message of Object.values(presentation.words.scriptTexts)) {
      const text = typeof message === 'string' ? message : message.other;
      expect(parameterNames(pseudo(text))).toEqual(parameterNames(text));
    }
  });
});
