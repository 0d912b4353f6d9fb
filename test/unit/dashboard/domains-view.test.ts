import { describe, expect, it } from '@jest/globals';
import type { AddTerms } from '../../../src/use-cases/add-terms.ts';
import type { DomainView, DomainSituation } from '../../../src/use-cases/domain-view.ts';
import { Problem } from '../../../src/use-cases/problem.ts';
import { issueView } from '../../../src/use-cases/issue-view.ts';
import type { LookupView } from '../../../src/use-cases/look-up.ts';
import type { AddForm, Look, DomainsModel, ListModel } from '../../../src/dashboard/view-models.ts';
import type { Html } from '../../../src/dashboard/html.ts';
import type { BulkPlanned } from '../../../src/use-cases/bulk-domains.ts';
import { bulkPlanMain, bulkResultMain } from '../../../src/dashboard/views/bulk-view.ts';
import { domainRow } from '../../../src/dashboard/views/domain-list-view.ts';
import { domainsMain } from '../../../src/dashboard/views/domains-view.ts';
import { layout } from '../../../src/dashboard/views/layout.ts';
import { lookFragment } from '../../../src/dashboard/views/look-view.ts';
import { previewFragment } from '../../../src/dashboard/views/preview-view.ts';
import { problemView } from '../../../src/dashboard/notice.ts';
import type { ViewContext } from '../../../src/dashboard/view-context.ts';
import { createWords } from '../../../src/dashboard/words/words.ts';
import { pseudoLocale } from '../../support/pseudo-locale.ts';
import { untranslated } from '../../support/untranslated.ts';
import { verdictCodes } from '../../../src/rules/verdict-codes.ts';
import { presentation } from '../../support/view-context.ts';

/** The pages of a project's domains as functions of plain data. */

const csrf = 'token-of-the-session';
const view = { ...presentation, csrf };
const target = 'p-abc.cname.apps.example.net';

const project = {
  name: 'shop',
  service: { name: 'shop-web', port: 80 },
  subdomain: 'shop',
  platformHostname: 'shop.apps.example.net',
  state: 'live' as const,
  reason: 'ready',
  message: 'the project is served',
  target,
  deployedAt: '2026-11-01T10:00:00Z',
};

const record = {
  purpose: 'Routing',
  type: 'CNAME',
  name: 'www',
  fqdn: 'www.example.com',
  value: target,
  ttl: 3600,
  status: 'Wrong',
  found: ['A 192.0.2.1'],
} as const;

const domain = (over: Partial<DomainView> = {}): DomainView => ({
  hostname: 'www.example.com',
  project: 'shop',
  role: 'primary',
  redirect: null,
  prepare: false,
  labels: {},
  state: 'Unverified',
  reason: 'RecordMissing',
  message: 'm',
  checkedAt: null,
  records: [record],
  issues: [],
  dnsHost: null,
  lingersUntil: null,
  nextCheckAt: null,
  checksEndAt: null,
  certificate: null,
  waits: null,
  createdAt: '2026-11-20T08:15:00Z',
  ...over,
});

const situation = (over: Partial<DomainView> = {}): DomainSituation => ({
  domain: domain(over),
  refusal: null,
  checksEnded: false,
});

const lookup = (over: Partial<LookupView> = {}): LookupView => ({
  hostname: 'www.example.com',
  project: 'shop',
  zone: 'example.com',
  nameServers: ['ns1.example.com', 'ns2.example.com'],
  dnsHost: null,
  acceptance: null,
  records: [record],
  found: [],
  routing: { verdict: 'no', code: 'StrayAddress' },
  ownership: null,
  caa: { verdict: 'yes', code: 'Verified' },
  issues: [],
  ...over,
});

const open: AddTerms = { kind: 'open', used: 1, maximum: 50, room: 49 };
const form: AddForm = {
  hostname: '',
  role: 'primary',
  to: 'shop.apps.example.net',
  status: '301',
  pair: true,
  prepare: false,
};
const counts = { NeedsAction: 1, Offline: 0, AtRisk: 0, InProgress: 0, Live: 0 };

interface Given {
  readonly terms?: AddTerms;
  readonly form?: Partial<AddForm>;
  readonly list?: Partial<ListModel>;
  readonly look?: Look;
  readonly notice?: DomainsModel['notice'];
  readonly primary?: boolean;
}

const model = ({ terms = open, list = {}, look = { kind: 'none' }, notice = null, ...given }: Given): DomainsModel => ({
  notice,
  adding: {
    project,
    terms,
    offer: { primary: given.primary ?? true, destinations: ['shop.apps.example.net'], pair: true, prepare: false },
    form: { ...form, ...given.form },
    preview: { kind: 'nothing' },
    look,
  },
  list: {
    project,
    items: [situation()],
    filter: { status: null, text: '' },
    page: 1,
    pages: 1,
    total: 1,
    counts,
    after: null,
    until: null,
    mayWrite: true,
    ...list,
  },
});

const frame = { title: 'shop: Domains', section: 'projects', account: null, notice: null } as const;
const main = (given: Given, as: ViewContext = view) => domainsMain(as, model(given));
const many = {
  total: 200,
  pages: 5,
  page: 2,
  after: '0 a',
  until: '0 z',
  filter: { status: 'Live', text: 'a' },
} as const;
const seen: Look = { kind: 'seen', lookup: lookup() };
const planned: readonly BulkPlanned[] = [
  {
    hostname: 'a.example.com',
    kind: 'will',
    state: 'Live',
    to: null,
    stranded: { count: 7, named: ['b.example.com'] },
  },
  { hostname: 'b.example.com', kind: 'declared' },
];
const refusal = new Problem('hostname-in-use', 'another project has it', { members: { reason: 'HostnameInUse' } });
const problem = problemView(refusal);

const pagesIn = (as: ViewContext): readonly (readonly [string, Html])[] => [
  ['domains', main({}, as)],
  ['a page of many domains', main({ list: many }, as)],
  ['no domains', main({ list: { items: [], total: 0 } }, as)],
  ['a look at DNS', main({ look: seen }, as)],
  ['a look that comes too late', main({ look: { kind: 'late' } }, as)],
  ['a redirect beside a primary', main({ primary: false, form: { role: 'redirect' } }, as)],
  ['a plan without domains', main({ terms: { kind: 'plan', plan: 'free' }, list: { items: [], total: 0 } }, as)],
  ['never published', main({ terms: { kind: 'not-deployed' } }, as)],
  ['full', main({ terms: { kind: 'full', of: 'project', maximum: 50 } }, as)],
  ['a key that reads', main({ terms: { kind: 'read-only' }, list: { mayWrite: false } }, as)],
  ['the first of two', main({ notice: { kind: 'first-only', first: 'a.test', other: 'b.test', problem } }, as)],
  ['nothing selected', main({ notice: { kind: 'none-selected' } }, as)],
  ['several to remove', bulkPlanMain(as, { project, act: 'remove', planned })],
  ['several of which none goes', bulkPlanMain(as, { project, act: 'remove', planned: planned.slice(1) })],
  [
    'several removed',
    bulkResultMain(as, {
      project,
      act: 'remove',
      results: planned.map((one) => ({ hostname: one.hostname, planned: one, problem: refusal })),
    }),
  ],
];
const pages = pagesIn(view);

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');
const plain = (text: string): string =>
  text
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('every page of domains', () => {
  const documents = pages.map(([name, content]) => [name, layout(view, frame, content)] as const);

  it.each(documents)('%s: ids that are unique, references that exist, headings in order', (_, text) => {
    const ids = matches(text, /\sid="([^"]*)"/g);
    expect(ids).toEqual([...new Set(ids)]);
    const named = matches(text, /\s(?:for|form|aria-labelledby|aria-describedby)="([^"]*)"/g);
    expect(named.flatMap((value) => value.split(' ')).filter((id) => !ids.includes(id))).toEqual([]);
    const levels = matches(text, /<h([1-6])/g).map(Number);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  it.each(documents)('%s: no style, script or handler inside the document', (_, text) => {
    expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:|data:/);
    expect(matches(text, /<script(?![^>]*\ssrc=")([^>]*)>/g)).toEqual([]);
  });

  it.each(documents)('%s: every form that changes something has its token, and no other', (_, text) => {
    const forms = matches(text, /(<form[\s\S]*?<\/form>)/g);
    const changing = forms.filter((each) => each.includes('method="post"'));
    expect(changing.filter((each) => !each.includes(`name="csrf" value="${csrf}"`))).toEqual([]);
    expect(forms.filter((each) => !changing.includes(each) && each.includes('csrf'))).toEqual([]);
  });

  it.each(documents)('%s: at most one primary action, with at most forty words before it', (_, text) => {
    const [, content = ''] = text.split('<main');
    const actions = content.split(/class="(?:button )?main"/);
    expect(actions.length).toBeLessThanOrEqual(2);
    if (actions.length === 2)
      expect(
        plain(actions[0] ?? '')
          .trim()
          .split(' ').length,
      ).toBeLessThanOrEqual(40);
  });
});

describe('a page of domains in the pseudo-locale says nothing of its own', () => {
  const pseudo = { ...view, words: createWords(pseudoLocale) };
  const dns = ['CNAME', 'Routing', 'www', ...'ns1.example.com ns2.example.com'.split(' ')];
  const data = ['shop', 'free', 'www.example.com', 'shop.apps.example.net', 'a.test', 'b.test', 'b.example.com'];
  const labels = [...data, ...dns].flatMap((name) => name.split('.').flatMap((label) => [label, `.${label}`]));

  it.each(pagesIn(pseudo))('%s', (_, content) => {
    expect(untranslated(content.text, [...data, ...dns, ...labels])).toEqual([]);
  });
});

describe('where a plan ends', () => {
  const upgrading = (upgradeUrl: string | null, terms: AddTerms) =>
    domainsMain(
      { ...view, brand: { ...view.brand, upgradeUrl, supportUrl: 'mailto:help@example.net' } },
      model({ terms }),
    ).text;
  const ends: readonly (readonly [string, AddTerms])[] = [
    ['without custom domains', { kind: 'plan', plan: 'free' }],
    ['with all of the project used', { kind: 'full', of: 'project', maximum: 50 }],
    ['with all of the account used', { kind: 'full', of: 'account', maximum: 1_000 }],
  ];

  it.each(ends)('the way up is the one primary action: %s', (_, terms) => {
    const text = upgrading('https://example.net/upgrade', terms);
    expect(matches(text, /<a class="button main" href="([^"]*)"/g)).toEqual(['https://example.net/upgrade']);
    expect(text).not.toContain('id="hostname"');
  });

  it.each(ends)('whom to ask is told where no way is configured: %s', (_, terms) => {
    const text = upgrading(null, terms);
    expect(text).not.toContain('button main');
    expect(text).toContain('href="mailto:help@example.net"');
  });
});

const hostile = `<script>alert("1")</script>&'`;
const harmless = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;';
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
});
const attacked: Partial<DomainView> = {
  hostname: hostile,
  reason: hostile,
  records: [{ ...record, name: hostile, value: hostile, found: [hostile] }],
  redirect: { to: hostile, status: 301 },
};
const attackedLookup = lookup({
  hostname: hostile,
  zone: hostile,
  nameServers: [hostile],
  dnsHost: { id: hostile, name: hostile, labels: { name: hostile, value: hostile } },
  records: [{ ...record, name: hostile, value: hostile, found: [hostile] }],
  issues: [written, { ...written, code: hostile, act: hostile, delete: [], create: [] }],
});

describe('what others wrote stays text', () => {
  it.each<[string, Html]>([
    ['in a row', domainRow(view, situation(attacked), true)],
    ['in what was typed', main({ form: { hostname: hostile, role: 'redirect', to: hostile } })],
    ['in a search', main({ list: { filter: { status: null, text: hostile } } })],
    [
      'in a preview',
      previewFragment(view, { kind: 'possible', domain: domain(attacked), counterpart: hostile, isWhole: true }),
    ],
    ['in a preview of what is there', previewFragment(view, { kind: 'there', project: 'shop', hostname: hostile })],
    ['in a look at DNS', lookFragment(view, { kind: 'seen', lookup: attackedLookup })],
    ['in a question', bulkPlanMain(view, { project, act: 'verify', planned: [{ hostname: hostile, kind: 'gone' }] })],
    ['in a notice', main({ notice: { kind: 'first-only', first: hostile, other: hostile, problem } })],
  ])('%s', (_, { text }) => {
    expect(text).toContain(harmless);
    expect(text).not.toContain('<script>');
    expect(text).not.toContain(`"1"`);
  });
});

describe('a row', () => {
  const entries = (over: Partial<DomainView>) =>
    matches(domainRow(view, situation(over), true).text.split('<ul>')[1] ?? '', /<(?:a|button)[^>]*>([^<]*)</g);

  it.each<[string, Partial<DomainView>, readonly string[]]>([
    ['a primary that waits for DNS', {}, ['Verify', 'Remove']],
    ['a primary that is served', { state: 'Live', reason: 'Routed' }, ['Re-verify', 'Remove']],
    [
      'a redirect that is served',
      { redirect: { to: 'x.test', status: 301 }, role: 'redirect', state: 'Live', reason: 'Routed' },
      ['Re-verify', 'Make primary', 'Change destination', 'Remove'],
    ],
    [
      'a redirect whose visitors would meet nothing if it were the primary',
      { redirect: { to: 'x.test', status: 301 }, role: 'redirect' },
      ['Verify', 'Change destination', 'Remove'],
    ],
    ['one that waits for something other than DNS', { state: 'Pending', reason: 'NotDeployed' }, ['Remove']],
  ])('has a menu with what can be done: %s', (_, over, expected) => {
    expect(entries(over)).toEqual(expected);
  });

  it.each<[string, Partial<DomainView>, string]>([
    ['needs its customer', {}, 'needs-action'],
    ['is offline', { state: 'Suspended', reason: 'Withdrawn' }, 'offline'],
    ['is at risk', { state: 'Degraded', reason: 'RecordMissing' }, 'at-risk'],
    ['is on its way', { state: 'Verified', reason: 'Issuing' }, 'in-progress'],
    ['is live', { state: 'Live', reason: 'Routed' }, 'live'],
  ])('says with its pill that it %s, and why in words', (_, over, expected) => {
    const { text } = domainRow(view, situation(over), true);
    expect(text).toContain(`class="pill ${expected}"`);
    const { state, reason } = domain(over);
    if (state !== 'Live') expect(text).toContain(view.words.help(state, reason).title.replaceAll("'", '&#39;'));
  });
});

describe('an empty page', () => {
  it.each<[string, Given, string]>([
    ['of a new project invites to add', { list: { items: [], total: 0 } }, 'No custom domain yet. Add one above'],
    [
      'where nothing can be added does not',
      { terms: { kind: 'not-deployed' }, list: { items: [], total: 0 } },
      'No custom domain yet.',
    ],
    [
      'of a search says that nothing was found',
      { list: { items: [], total: 9, filter: { status: null, text: 'x' } } },
      'No domain matches your search. Show all domains',
    ],
    [
      'later in the list never claims that there is no domain, however its rows go',
      { list: { page: 2, pages: 2, total: 60 } },
      'There are no more domains on this page. Show all domains',
    ],
    [
      'before others never claims it either',
      { list: { pages: 2, total: 60 } },
      'There are no more domains on this page.',
    ],
  ])('%s', (_, given, expected) => {
    const [, hint = ''] = main(given).text.split('<p id="empty"');
    expect(plain(`<p ${hint.split('</p>')[0]}`).trim()).toContain(expected);
    if (expected === 'No custom domain yet.') expect(hint.split('</p>')[0]).not.toContain('above');
  });
});

const issue = (code: string, over: Partial<ReturnType<typeof issueView>> = {}) => ({
  ...issueView({
    code,
    message: 'm',
    record: '',
    fix: 'f',
    act: 'WaitForServers',
    params: { name: 'www.example.com' },
  }),
  ...over,
});

describe('the look at DNS', () => {
  const text = (over: Partial<LookupView>) => lookFragment(view, { kind: 'seen', lookup: lookup(over) }).text;

  it.each(Object.keys(verdictCodes).filter((code) => code !== 'Verified' && code !== 'NotAsked'))(
    'names the mistake %s by its code and in words',
    (code) => {
      const shown = text({ issues: [issue(code)] });
      expect(shown).toContain(`<code>${code}</code>`);
      expect(shown).toContain(
        view.words.help('Unverified', code).title.replaceAll("'", '&#39;').replaceAll('"', '&quot;'),
      );
    },
  );

  it('shows a record that is only missing in the table, with its code, and says that nothing blocks it', () => {
    const shown = text({ issues: [issue('RecordMissing', { create: [{ ...record }] })] });
    expect(shown).not.toContain('class="issue');
    expect(shown).toMatch(/<tbody>[\s\S]*<code class="small">RecordMissing<\/code>[\s\S]*<\/tbody>/);
    expect(plain(shown)).toContain('Nothing blocks these records');
  });

  it('says what to delete, and does not repeat what the table has', () => {
    const old = { name: 'www', fqdn: 'www.example.com', type: 'A', value: '192.0.2.1' };
    const shown = text({ issues: [issue('StrayAddress', { delete: [old], create: [{ ...record }] })] });
    expect(matches(shown, /<dt>([^<]*)</g)).toEqual(['Delete this record']);
    expect(plain(shown)).not.toContain('Nothing blocks these records');
  });

  it('shows a CAA record to add, which the table does not have', () => {
    const caa = { name: '@', fqdn: 'example.com', type: 'CAA', value: '0 issue "ca.test"' };
    const shown = text({
      caa: { verdict: 'no', code: 'CaaForbidsAuthority' },
      issues: [issue('CaaForbidsAuthority', { create: [caa] })],
    });
    expect(matches(shown, /<dt>([^<]*)</g)).toEqual(['Add this record']);
    expect(plain(shown)).toContain('0 issue &quot;ca.test&quot;');
    expect(plain(shown)).not.toContain('may issue your certificate');
  });

  it('says that everything is right where it is', () => {
    const found = { ...record, status: 'Found', found: [`CNAME ${target}`] } as const;
    const shown = plain(text({ records: [found], routing: { verdict: 'yes', code: 'Verified' } }));
    expect(shown).toContain('DNS is already set up correctly');
    expect(shown).not.toContain('Nothing blocks these records');
  });

  it('does not call a forbidding CAA set up correctly, although the record is right', () => {
    const shown = text({
      routing: { verdict: 'yes', code: 'Verified' },
      caa: { verdict: 'no', code: 'CaaForbidsAuthority' },
      issues: [issue('CaaForbidsAuthority')],
    });
    expect(shown).not.toContain('already set up correctly');
  });

  it('names the DNS host, or else the name servers', () => {
    const host = { id: 'x', name: 'Example DNS', labels: { name: null, value: null } };
    expect(plain(text({ dnsHost: host }))).toContain('DNS for example.com is managed at Example DNS .');
    expect(plain(text({}))).toContain('DNS for example.com is managed by ns1.example.com , ns2.example.com .');
    expect(plain(text({ zone: null, nameServers: [] }))).not.toContain('is managed');
  });

  it('does not say of a record that could not be read that there is none', () => {
    const shown = plain(text({ records: [{ ...record, status: 'Unknown', found: [] }] }));
    expect(shown).toContain('We couldn’t read it');
    expect(shown).not.toContain('No record');
  });
});
