import { describe, expect, it } from '@jest/globals';
import { domainPanel } from '../../../src/dashboard/views/domain-view.ts';
import { sentence } from '../../../src/dashboard/views/elements.ts';
import type { DomainModel } from '../../../src/dashboard/view-models.ts';
import { customerStatusOf, nextStepOf } from '../../../src/rules/next-step.ts';
import type { DnsHost } from '../../../src/rules/dns-hosts/known-dns-hosts.ts';
import { domainStateNames as states } from '../../../src/rules/domain-state.ts';
import { hostnameReasons, acceptedReasons } from '../../../src/rules/codes/accepted-reasons.ts';
import { certificateReasons } from '../../../src/rules/codes/certificate-reasons.ts';
import { routedReasons } from '../../../src/rules/codes/routed-reasons.ts';
import { verifiedReasons } from '../../../src/rules/codes/verified-reasons.ts';
import { issueCodes } from '../../../src/rules/issue-params.ts';
import type { DomainView, RecordView } from '../../../src/use-cases/domain-view.ts';
import { domain, domainModel, entry, issue, target } from '../../support/domain-model.ts';
import { presentation } from '../../support/view-context.ts';

const view = { ...presentation, csrf: 'token-of-the-session' };
const { words } = presentation;
const panel = (over: Partial<DomainView> = {}, more: Partial<DomainModel> = {}, brand = {}): string =>
  domainPanel({ ...view, brand: { ...view.brand, ...brand } }, domainModel(over, more)).text;

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');
const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const section = (html: string, id: string): string => (html.split(`id="${id}"`)[1] ?? '').split('</section>')[0] ?? '';
const sentenceOf = (html: string): string => plain(matches(html, /<p class="step">([\s\S]*?)<\/p>/g)[0] ?? '').trim();
const primary = (html: string): string => matches(html, /<div class="primary">([\s\S]*?)<\/div>/g)[0] ?? '';

const reasons = [
  ...new Set(
    [acceptedReasons, hostnameReasons, verifiedReasons, certificateReasons, routedReasons, issueCodes].flatMap(
      (table) => Object.keys(table),
    ),
  ),
];

describe('a state with its reason', () => {
  it.each(states.flatMap((state) => reasons.map((reason) => [state, reason] as const)))(
    '%s with %s: a pill in words, a sentence, and one primary action where the customer has a step',
    (state, reason) => {
      const html = panel({ state, reason });
      const subject = domain({ state, reason });
      const { kind } = nextStepOf(subject, { nextCheckAt: null, refusal: null });
      expect(html).toContain(
        `>${words.text(`status.${customerStatusOf(subject, { nextCheckAt: null, refusal: null })}`)}</span>`,
      );
      expect(sentenceOf(html)).toMatch(/^[A-Z].*\.$/);
      expect(matches(html, /class="(main|button main)"/g)).toHaveLength(kind === null ? 0 : 1);
      expect(matches(html, /id="(verify|ask-remove)"/g).length).toBeLessThanOrEqual(2);
      expect(html).toContain(`<code>${reason}</code>`);
    },
  );
});

const here = '/dashboard/projects/shop/domains/www.example.com';

describe('the primary action', () => {
  it.each<[string, Partial<DomainView>, Partial<DomainModel>, string]>([
    ['a missing record', {}, {}, `action="${here}/verify"`],
    ['a second primary', { state: 'Pending', reason: 'PrimaryExists' }, {}, `action="${here}/redirect"`],
    [
      'a second primary that is served: asked first',
      { state: 'Degraded', reason: 'PrimaryExists' },
      {},
      `href="${here}/redirect"`,
    ],
    [
      'a second primary that redirects lead to, so that it may lead nowhere itself',
      { state: 'Pending', reason: 'PrimaryExists' },
      { choices: { primaries: [], primaryFollowers: [], canBePrimary: false, destinations: [] } },
      `href="${here}/remove"`,
    ],
    ['a redirect in a circle', { state: 'Pending', reason: 'RedirectToSelf' }, {}, `href="${here}/redirect"`],
    ['a name nobody may use', { state: 'Pending', reason: 'PublicSuffix' }, {}, `href="${here}/remove"`],
    ['a project without a deployment', { state: 'Pending', reason: 'NotDeployed' }, {}, `href="${here}"`],
    ['a plan without domains', { state: 'Pending', reason: 'PlanUpgradeRequired' }, {}, 'href="/dashboard/plan"'],
    [
      'a plan that ended while the domain is suspended',
      { state: 'Suspended', reason: 'Withdrawn' },
      { refusal: 'PlanUpgradeRequired' },
      'href="/dashboard/plan"',
    ],
    [
      'checks that ended while others had to act',
      { reason: 'ServersDisagree' },
      { checksEnded: true },
      `action="${here}/verify"`,
    ],
  ])('of %s', (_, over, more, expected) => {
    expect(primary(panel(over, more))).toContain(expected);
  });

  it('leads to where plans are changed, if the platform says where', () => {
    const html = panel(
      { state: 'Pending', reason: 'PlanUpgradeRequired' },
      {},
      { upgradeUrl: 'https://acme.example/up' },
    );
    expect(primary(html)).toContain('href="https://acme.example/up"');
  });

  it('comes before the records, which a reader of the page meets right after it', () => {
    const html = panel();
    expect(html.indexOf('class="main"')).toBeLessThan(html.indexOf('id="records"'));
    expect(html.indexOf('id="records"')).toBeLessThan(html.indexOf('id="details"'));
    expect(html.indexOf('id="details"')).toBeLessThan(html.indexOf('id="timeline"'));
  });
});

describe('who acts where the customer cannot', () => {
  it.each<[string, Partial<DomainView>, string]>([
    [
      'the DNS host',
      { reason: 'ServersDisagree' },
      'The company that manages your DNS has to act; we keep checking automatically.',
    ],
    [
      'the DNS host, until the next check',
      { reason: 'ServersDisagree', nextCheckAt: '2026-11-21T14:05:00Z' },
      'The company that manages your DNS has to act; we check again on 21 Nov 2026 at 14:05 UTC .',
    ],
    [
      'the authority',
      { state: 'Verified', reason: 'Issuing', records: [] },
      'Nothing to do: the certificate authority acts next, usually within a few minutes.',
    ],
    [
      'the authority, after its limit',
      {
        state: 'Verified',
        reason: 'LedgerNameFull',
        records: [],
        waits: { reason: 'LedgerNameFull', until: '2026-11-24T10:00:00Z' },
      },
      'Nothing to do: we ask the certificate authority again on 24 Nov 2026 at 10:00 UTC .',
    ],
    ['nobody', { state: 'Live', reason: 'Routed', records: [] }, 'Nothing to do: keep the records as they are.'],
    [
      'the customer, right after the domain was added',
      { reason: 'Waiting' },
      'Add the 2 records below if your DNS doesn’t have them yet; we check automatically.',
    ],
    [
      'an administrator',
      { state: 'Suspended', reason: 'SuspendedByAdministrator', issues: [issue()] },
      'Only an administrator can bring it back: contact the platform’s support.',
    ],
  ])('%s', (_, over, expected) => {
    expect(sentenceOf(panel(over))).toBe(expected);
  });
});

describe('what can be done besides', () => {
  const offers = (html: string) =>
    matches(
      html.split('<details class="menu"')[1]?.split('</details>')[0] ?? '',
      /(?:<button[^>]*>|data-dialog\s*>|<a class="button" href="[^"]*">)([^<]+)</g,
    ).map((text) => text.trim());
  const choices = { primaries: ['a.test'], primaryFollowers: [], canBePrimary: true, destinations: ['a.test'] };
  it.each<[string, Partial<DomainView>, Partial<DomainModel>, readonly string[]]>([
    ['while a record is missing', {}, {}, ['Make it a redirect', 'Remove']],
    ['once it is Live', { state: 'Live', reason: 'Routed' }, {}, ['Re-verify', 'Make it a redirect', 'Remove']],
    [
      'of a redirect',
      { state: 'Live', reason: 'Routed', role: 'redirect', redirect: { to: 'a.test', status: 301 } },
      { choices },
      ['Re-verify', 'Make primary', 'Change destination', 'Remove'],
    ],
    [
      'where no other role is allowed',
      { state: 'Live', reason: 'Routed' },
      { choices: { ...choices, canBePrimary: false, destinations: [] } },
      ['Re-verify', 'Remove'],
    ],
    [
      'while it waits for something other than DNS',
      { state: 'Pending', reason: 'NotDeployed' },
      {},
      ['Make it a redirect', 'Remove'],
    ],
    ['while a second primary is to become a redirect', { state: 'Pending', reason: 'PrimaryExists' }, {}, ['Remove']],
    [
      'where only Remove helps',
      { state: 'Pending', reason: 'PublicSuffix' },
      { choices: { ...choices, canBePrimary: false, destinations: [] } },
      [],
    ],
  ])('%s', (_, over, more, expected) => {
    expect(offers(panel(over, more))).toEqual(expected);
  });
});

const [routing] = domain().records;
const record = (over: Partial<RecordView>): RecordView => {
  if (!routing) throw new Error('no record');
  return { ...routing, ...over };
};

describe('the records', () => {
  const rows = (html: string) =>
    matches(html, /<tr class="\w+">([\s\S]*?)<\/tr>/g).map((row) =>
      plain(row)
        .replaceAll(/ Copy(?= )/g, '')
        .trim(),
    );

  it('can be copied as a form wants them', () => {
    const html = panel();
    for (const value of ['www', target, 'projectdomain-verify=token']) expect(html).toContain(`data-copy="${value}"`);
    expect(matches(html, /aria-label="(Copy (?:name|value))"/g)).toEqual(
      Array.from({ length: 2 }, () => ['Copy name', 'Copy value']).flat(),
    );
  });

  it('name each record once: what to delete, what to add, what to keep', () => {
    const found = record({ status: 'Found', type: 'TXT', value: 'v', found: [] });
    const html = panel({
      records: [found, record({ status: 'Wrong' })],
      issues: [issue(), issue({ code: 'WrongTarget' })],
    });
    expect(rows(html).map((row) => row.split(' ').slice(0, 4).join(' '))).toEqual([
      'Delete this record A',
      'Add this record CNAME',
      'Keep this record TXT',
    ]);
  });

  it('show a CAA record ready to copy, with its fields one by one', () => {
    const caa = { name: '@', fqdn: 'example.com', type: 'CAA', value: '0 issue "ca.example"' };
    const html = panel({
      state: 'Verified',
      reason: 'CAAForbids',
      records: [record({ status: 'Found' })],
      issues: [issue({ code: 'CaaForbidsAuthority', delete: [], create: [caa] })],
    });
    expect(html).toContain('data-copy="0 issue &quot;ca.example&quot;"');
    expect(plain(html)).toContain('flags 0 , tag issue , value ca.example .');
    expect(sentenceOf(html)).toBe('Add the CAA record below to your DNS, then select Re-verify .');
  });

  const apex = record({ type: 'ALIAS', name: '@', fqdn: 'example.com', status: 'Missing', found: [] });
  const named = issue({
    code: 'RecordMissing',
    params: { addresses: '192.0.2.9, 2001:db8::9' },
    delete: [],
    create: [],
  });
  const host: DnsHost = { id: 'x', name: 'X', subdomain: ['cname'], apex: ['alias'], txt: ['txt'] };
  it.each<[string, DomainModel['dnsHost'], readonly string[]]>([
    ['beside the ALIAS where the DNS host is unknown', null, ['ALIAS', 'A', 'AAAA']],
    ['not where it has ALIAS', host, ['ALIAS']],
    ['instead of it where it has none', { ...host, apex: ['addresses'] }, ['A', 'AAAA']],
  ])('have rows of addresses at an apex: %s', (_, dnsHost, types) => {
    const html = panel({ records: [apex], issues: [named] }, { dnsHost });
    expect(matches(html, /data-label="Type"><code>(\w+)/g)).toEqual(types);
    expect(plain(html).includes('all of them')).toBe(types.length === 3);
  });

  it('of an apex are steps: one of the alternatives is added, whose rows follow one headline, and the step counts them', () => {
    const txt = record({ type: 'TXT', name: '_c', fqdn: '_c.example.com', status: 'Missing', found: [], value: 'v' });
    const told = { ...named, create: [{ name: '@', fqdn: 'example.com', type: 'ALIAS', value: apex.value }] };
    const html = panel({ records: [apex, txt], issues: [told] }, { dnsHost: null });
    expect(rows(html).map((row) => row.replace(/ (ALIAS|A|AAAA|TXT) .*/, ' $1'))).toEqual([
      '1. Add one of these: either this ALIAS',
      'or these 2 together: A',
      'and this AAAA',
      '2. Add this record TXT',
    ]);
    expect(sentenceOf(html)).toBe('Do the 2 steps below in your DNS, then select Verify .');
    const alone = panel({ records: [apex], issues: [told] }, { dnsHost: null });
    expect(sentenceOf(alone)).toContain('Make one of the changes below');
  });

  it.each<[string, Partial<DomainView>, string]>([
    ['that are missing', {}, 'Records to add'],
    ['that stand beside another', { issues: [issue()] }, 'Records to change'],
    ['nobody has looked for yet', { records: [record({ status: 'Unknown' })] }, 'Record you need'],
    [
      'that were found',
      { state: 'Verified', reason: 'Issuing', records: [record({ status: 'Found' })] },
      'Record to keep',
    ],
    [
      'of a domain that was Live before records had a status',
      { state: 'Live', reason: 'Routed', records: [record({ status: 'Unknown' })] },
      'Record to keep',
    ],
  ])('%s have the heading "%s"', (_, over, title) => {
    expect(panel(over)).toContain(`<h2 id="records-title">${title}</h2>`);
  });

  it.each<[RecordView['status'], string]>([
    ['Found', 'keep'],
    ['Stale', 'keep'],
    ['Conflicting', 'keep'],
    ['Missing', 'add'],
    ['Wrong', 'add'],
    ['Unknown', 'add'],
  ])('with the status %s say so in words, and are to %s', (status, act) => {
    const html = panel({ records: [record({ status })] });
    expect(html).toContain(`<span class="record-status ${status.toLowerCase()}">${words.recordStatus[status]}</span>`);
    expect(html).toContain(`<tr class="${act}">`);
    expect(plain(html).includes('Now: A 192.0.2.1')).toBe(status !== 'Found');
  });

  it('are those that were found: addresses that lead here instead of the CNAME are kept as what they are', () => {
    const html = panel({
      state: 'Live',
      reason: 'Routed',
      records: [record({ status: 'Found', found: ['A 203.0.113.10', 'AAAA 2001:db8::10'] })],
    });
    expect(rows(html)).toEqual([
      'Keep this record A www 203 .0 .113 .10 Found',
      'Keep this record AAAA www 2001:db8::10 Found',
    ]);
    expect(rows(panel({ records: [record({ status: 'Found', found: [`CNAME ${target}`] })] }))[0]).toContain(
      'CNAME www',
    );
  });

  it('are not said to be unknown where they are served', () => {
    expect(panel({ state: 'Live', reason: 'Routed', records: [record({ status: 'Unknown' })] })).not.toContain(
      'record-status',
    );
  });

  it('use the labels of the DNS host’s own form', () => {
    const labels = { name: 'Sub-domain', value: 'Points to' };
    const dnsHost = { id: 'x', name: 'X', labels };
    expect(matches(panel({ dnsHost, records: [record({})] }), /<th scope="col">([^<]*)</g)).toEqual(
      expect.arrayContaining(['Sub-domain', 'Points to']),
    );
    expect(matches(panel({ dnsHost }), /<th scope="col">([^<]*)</g)).not.toContain('Points to');
  });
});

describe('what was found', () => {
  it('comes from code, act and parameters, never from the message', () => {
    const params = { name: 'www.example.com', zone: 'example.com', behind: 'ns2.example.com' };
    const one = issue({
      code: 'ServersDisagree',
      act: 'WaitForServers',
      actor: 'DnsHost',
      params,
      delete: [],
      create: [],
    });
    const html = plain(panel({ issues: [one] }));
    expect(html).toContain('he name servers of www.example.com give different answers.');
    expect(html).toContain('Leave the records as they are: ns2.example.com does not have them yet.');
    expect(html).not.toContain('a message');
  });

  it('has the answer of each server in a closed part of the page', () => {
    const html = section(panel({ issues: [issue()] }), 'records');
    expect(html).toMatch(
      /<details id="evidence-0">\s*<summary>What each server said<\/summary>[\s\S]*ns1<wbr>\.example/,
    );
  });

  it('does not repeat the heading of the page, and marks warnings as such', () => {
    const title = words.help('Unverified', 'StrayAddress').title;
    const warning = issue({
      code: 'SomeServersSilent',
      severity: 'Warning',
      act: 'AskAboutSilence',
      actor: 'DnsHost',
      delete: [],
      create: [],
    });
    const html = panel({ reason: 'StrayAddress', issues: [issue(), warning] });
    expect(html.split(title)).toHaveLength(2);
    expect(html).toContain(`<h4>Warning: ${words.help('Unverified', 'SomeServersSilent').title}</h4>`);
    expect(html).toContain('<div class="issue warning">');
  });

  it('tells how long a registry may take', () => {
    const one = issue({
      code: 'LameDelegation',
      act: 'EnterNameServers',
      actor: 'Registrar',
      hoursUntilSeen: 48,
      delete: [],
      create: [],
    });
    expect(plain(panel({ issues: [one] }))).toContain('up to 48 hours');
    expect(plain(panel({ state: 'Unverified' }))).toContain('can take up to 48 hours');
  });
});

describe('times', () => {
  it('until caches forget the old record, counted down by the script', () => {
    const html = panel({ state: 'Live', reason: 'Routed', lingersUntil: '2026-11-21T14:05:00Z' });
    expect(plain(html)).toContain(
      'All your name servers have the record. Some visitors may still get an older answer until 21 Nov 2026, 14:05 UTC',
    );
    expect(html).toContain('data-until="2026-11-21T14:05:00Z" hidden');
  });

  it.each<[string, Partial<DomainView>, Partial<DomainModel>, string]>([
    [
      'of the next check, and how often there is one, for a domain that is checked for ever',
      { nextCheckAt: '2026-11-21T14:05:00Z' },
      {},
      'Next check: 21 Nov 2026, 14:05 UTC . We check DNS every 15 minutes.',
    ],
    [
      'of the next check, and how often there is one where many domains are served',
      { nextCheckAt: '2026-11-21T14:05:00Z' },
      { checkEveryMinutes: 45 },
      'Next check: 21 Nov 2026, 14:05 UTC . We check DNS every 45 minutes.',
    ],
    [
      'of the next check, in hours where so many domains are served',
      { nextCheckAt: '2026-11-21T14:05:00Z' },
      { checkEveryMinutes: 120 },
      'Next check: 21 Nov 2026, 14:05 UTC . We check DNS every 2 hours.',
    ],
    [
      'at which automatic checks end',
      { checksEndAt: '2026-11-27T08:15:00Z' },
      {},
      'We keep checking automatically until 27 Nov 2026, 08:15 UTC .',
    ],
    [
      'at which they ended',
      { checksEndAt: '2026-11-27T08:15:00Z' },
      { checksEnded: true },
      'Automatic checks ended on 27 Nov 2026 at 08:15 UTC .',
    ],
  ])('%s', (_, over, more, expected) => {
    expect(plain(panel(over, more))).toContain(expected);
  });
});

describe('the facts', () => {
  it.each<[DomainView['state'], boolean]>([
    ['Live', true],
    ['Degraded', true],
    ['Verified', false],
    ['Suspended', false],
  ])('link to a domain that is %s: %s', (state, linked) => {
    expect(section(panel({ state }), 'details').includes('href="https://www.example.com/"')).toBe(linked);
  });
});

describe('the timeline', () => {
  const at = '2027-02-18T10:00:00Z';
  it.each([
    ['a state', entry({ state: 'Live', reason: 'Routed' }), 'Live'],
    [
      'a finding',
      entry({ kind: 'Finding', reason: 'Appeared', code: 'StrayAddress', params: { name: 'x.test' } }),
      `${words.help('Unverified', 'StrayAddress').title} `,
    ],
    ['a finding that is gone', entry({ kind: 'Finding', reason: 'Gone', code: 'StrayAddress' }), 'Resolved: '],
    ['an order', entry({ kind: 'Order', reason: 'Ordered', params: { order: 'First' } }), 'Certificate ordered'],
    [
      'a renewal',
      entry({ kind: 'Order', reason: 'Ordered', params: { order: 'Renewal' } }),
      'Renewal of the certificate ordered',
    ],
    ['a refusal', entry({ kind: 'Order', reason: 'Failed' }), 'The certificate order failed'],
    [
      'a refusal with a wait',
      entry({ kind: 'Order', reason: 'Failed', params: { until: at } }),
      'The next one can be placed from 18 Feb 2027, 10:00 UTC',
    ],
    [
      'a certificate',
      entry({ kind: 'Certificate', reason: 'Issued', params: { notAfter: at } }),
      'Certificate issued, valid until 18 Feb 2027',
    ],
    [
      'a renewed certificate',
      entry({ kind: 'Certificate', reason: 'Renewed', params: { notAfter: at } }),
      'Certificate renewed, valid until 18 Feb 2027',
    ],
    [
      'what another version told',
      entry({ kind: 'Order', reason: 'Paused', message: 'the order is paused' }),
      'The order is paused.',
    ],
  ])('tells %s', (_, told, expected) => {
    expect(plain(section(panel({}, { timeline: [told] }), 'timeline'))).toContain(expected);
  });

  it.each([
    ['once, where the check that found it also changed the state', at, 1],
    ['twice, where the state changed at another time', '2027-02-18T10:05:00Z', 2],
  ])('says the title of a finding %s', (_, changedAt, times) => {
    const title = words.help('Unverified', 'StrayAddress').title;
    const timeline = [
      entry({ at: changedAt, state: 'Unverified', reason: 'StrayAddress' }),
      entry({ at, kind: 'Finding', reason: 'Appeared', code: 'StrayAddress', params: { name: 'x.test' } }),
    ];
    expect(plain(section(panel({}, { timeline }), 'timeline')).split(title).length - 1).toBe(times);
  });
});

describe('a sentence', () => {
  it.each([
    ['begins with a name', 'www.example.com leads elsewhere', 'www.example.com leads elsewhere.'],
    ['begins with a word', 'the key is banned', 'The key is banned.'],
    [
      'has a time',
      'banned until 2026-11-21T14:05:09.123Z, then free',
      'Banned until 21 Nov 2026, 14:05 UTC, then free.',
    ],
    ['has a time nobody knows', 'since 2026-99-99T99:99:99Z', 'Since 2026-99-99T99:99:99Z.'],
    ['is none', '', ''],
  ])('that %s', (_, said, expected) => {
    expect(sentence(view, said)).toBe(expected);
  });
});
