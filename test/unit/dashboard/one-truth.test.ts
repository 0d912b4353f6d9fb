import { describe, expect, it } from '@jest/globals';
import { domainPanel } from '../../../src/dashboard/views/domain-view.ts';
import type { DomainModel } from '../../../src/dashboard/view-models.ts';
import { knownDnsHosts } from '../../../src/rules/dns-hosts/known-dns-hosts.ts';
import { recordStatuses } from '../../../src/rules/desired-records.ts';
import { domainStateNames } from '../../../src/rules/domain-state.ts';
import { issueActs } from '../../../src/rules/issue-acts.ts';
import { issueCodes } from '../../../src/rules/issue-params.ts';
import { domainCodes } from '../../../src/rules/next-step.ts';
import type { DomainView, RecordView } from '../../../src/use-cases/domain-view.ts';
import type { IssueView } from '../../../src/use-cases/issue-view.ts';
import { domain, domainModel, issue } from '../../support/domain-model.ts';
import type { PanelText } from '../../support/panel-sentences.ts';
import { panelText } from '../../support/panel-sentences.ts';
import { presentation } from '../../support/view-context.ts';

/**
 * No two sentences on the page of a domain exclude each other: each row of the table below is a pair that does, looked for on the page of
 * every state with every reason, on those of every issue, and with records of every status. It fails where a text is written for one state and shown in another.
 */

const view = { ...presentation, csrf: 'token' };
const { words } = presentation;
const status = words.recordStatus;

/** What excludes what, and why it matters. `found` returns what is wrong in a page, or nothing. */
const table: readonly (readonly [string, (page: PanelText) => string | false])[] = [
  [
    'a pill that says that others act, beside a button to press',
    ({ pill, hasAction, step }) => (pill === 'In progress' || pill === 'Live') && hasAction && step,
  ],
  [
    'a pill that asks for action, above nothing that can be done',
    ({ pill, hasAction, step }) => pill === 'Needs action' && !hasAction && step,
  ],
  [
    'a TXT record that is shown, and none is',
    ({ all, rows }) => /TXT record shown/.test(all) && !rows.some(({ type }) => type === 'TXT') && all,
  ],
  [
    'a CAA record that is shown or below, and none is',
    ({ all, rows, step }) =>
      (/CAA record shown/.test(all) || /CAA record below/.test(step)) &&
      !rows.some(({ type }) => type === 'CAA') &&
      step,
  ],
  [
    'a value shown under another heading than the table has',
    ({ all, headers }) =>
      [...all.matchAll(/shown as “([^”]*)”/g)].some(([, label = '']) => !headers.includes(label)) &&
      headers.join(' | '),
  ],
  [
    'records to add already, which are there',
    ({ sentences, rows }) =>
      sentences.some((text) => /^You can add/.test(text)) && !rows.some(({ act }) => act === 'add') && 'You can add',
  ],
  [
    'one record to add already, of several',
    ({ sentences, rows }) => {
      const added = rows.filter(({ act }) => act === 'add').length;
      return sentences.some((text) => /^You can add this record/.test(text)) && added !== 1 && `${added} records`;
    },
  ],
  ['an end with two causes', ({ all }) => / or an administrator/.test(all) && all],
  [
    'what each server said, of no server',
    ({ sentences, all }) => sentences.includes('What each server said') && !/ns\d\.example/.test(all) && 'no server',
  ],
  [
    'nothing to do, above a record that is to be added or deleted',
    ({ step, rows, all }) =>
      step.startsWith('Nothing to do') &&
      rows.some(({ act }) => act === 'add' || act === 'delete') &&
      !/You can add/.test(all) &&
      step,
  ],
  [
    'a record that is to be kept and is said to be missing',
    ({ rows }) => rows.some(({ act, text }) => act === 'keep' && text.includes(` ${status.Missing}`)) && 'keep',
  ],
  [
    'something below, and nothing is',
    ({ step, rows, sentences }) => /records? below/.test(step) && rows.length === 0 && sentences.join(' '),
  ],
  [
    'a problem below, and none is',
    ({ all, sentences }) => /problem (?:shown )?below/.test(all) && !sentences.includes('What we found') && all,
  ],
  [
    'automatic checks that have ended, and go on',
    ({ all }) => /Automatic checks ended/.test(all) && /we check again|keep checking|Next check/i.test(all) && all,
  ],
  [
    'a certificate that renews, and is not there',
    ({ step, sentences }) => /certificate renews/.test(step) && sentences.includes('none yet') && step,
  ],
  [
    'the same sentence twice',
    ({ sentences }) =>
      sentences.find((text, index) => /[.]$/.test(text) && text.length > 12 && sentences.indexOf(text) !== index) ??
      false,
  ],
  [
    'the code of the state beside its sentences: it is for support alone, and stands among the details',
    ({ sentences }) => sentences.find((text) => /^Code: \w+$/.test(text)) ?? false,
  ],
];

const reasons = Object.keys(domainCodes);

const [routing, ownership] = domain().records;
if (!routing || !ownership) throw new Error('no records');

const recordsOf = (one: RecordView['status'], both: boolean): readonly RecordView[] => {
  const found = (record: RecordView): RecordView => ({
    ...record,
    status: one,
    found: one === 'Found' ? [`${record.type} ${record.value}`] : one === 'Missing' ? [] : [`${record.type} other`],
  });
  return both ? [found(routing), found(ownership)] : [found(routing)];
};

const faultsOf = (over: Partial<DomainView>, more: Partial<DomainModel> = {}): readonly string[] => {
  const page = panelText(domainPanel(view, domainModel(over, more)).text);
  return table.flatMap(([name, found]) => {
    const fault = found(page);
    return fault === false ? [] : [`${name}: ${fault.slice(0, 300)}`];
  });
};

/** Each kind of fault is told once, with the last of its pages. */
const kindOf = (fault: string): string => fault.split(':')[0] ?? '';

const cloudflare = knownDnsHosts.find(({ id }) => id === 'cloudflare') ?? null;
const soon = '2026-11-21T14:05:00Z';

/** What a page knows beside state, reason and records. */
const contexts: Readonly<Record<string, readonly [Partial<DomainView>, Partial<DomainModel>]>> = {
  'while it is checked': [{ nextCheckAt: soon, checksEndAt: '2026-11-27T08:15:00Z' }, {}],
  'after the checks have ended': [{ checksEndAt: '2026-11-27T08:15:00Z' }, { checksEnded: true }],
  'with DNS at Cloudflare': [
    { dnsHost: { id: 'cloudflare', name: 'Cloudflare', labels: { name: 'Name', value: 'Target' } } },
    { dnsHost: cloudflare },
  ],
  'with a certificate': [{ certificate: { notAfter: '2027-01-01T00:00:00Z', source: 'automatic' } }, {}],
  'where it may lead nowhere': [
    {},
    { choices: { primaries: [], primaryFollowers: [], canBePrimary: false, destinations: [] } },
  ],
};
type Context = readonly [Partial<DomainView>, Partial<DomainModel>];
const allContexts = Object.entries(contexts) as readonly (readonly [string, Context])[];

/** Without an issue a domain that is proven or served has its records; others may have any. */
const fits = (state: DomainView['state'], one: RecordView['status']): boolean =>
  state === 'Live' || state === 'Verified' || state === 'Degraded' ? one === 'Found' || one === 'Unknown' : true;

describe('no two sentences on a page exclude each other', () => {
  it.each(domainStateNames.flatMap((state) => allContexts.map(([name, context]) => [state, name, context] as const)))(
    '%s %s, with every reason and records of every status',
    (state, _, [over, more]) => {
      const found = new Map<string, string>();
      const statuses = recordStatuses.filter((each) => fits(state, each));
      for (const [index, reason] of reasons.entries())
        for (const one of new Set([statuses[index % 2], statuses[index % statuses.length]]))
          for (const fault of one
            ? faultsOf({ ...over, state, reason, records: recordsOf(one, index % 4 > 1) }, more)
            : [])
            found.set(kindOf(fault), `${reason} ${one}: ${fault}`);
      expect([...found.values()]).toEqual([]);
    },
  );

  const caa = { name: '@', fqdn: 'example.com', type: 'CAA', value: '0 issue "ca.example"' };
  const withActs = ['RecordMissing', 'TxtWrong', 'CaaMalformed', 'BehindCdn', 'ServersDisagree'];
  const txt = { name: ownership.name, fqdn: ownership.fqdn, type: 'TXT', value: ownership.value };
  const issuesOf = (code: string): readonly IssueView[] => {
    const create = code.startsWith('Caa') ? [caa] : /^(?:Txt|BehindCdn|Cdn)/.test(code) ? [txt] : issue().create;
    const quiet = { delete: [], create: [], servers: [] };
    const params = { name: 'www.example.com', zone: 'example.com', types: 'CAA' };
    const acts = Object.entries(issueActs) as readonly (readonly [
      string,
      (typeof issueActs)[keyof typeof issueActs],
    ])[];
    return [
      issue({ code, params, create, servers: [] }),
      issue({ code, params, delete: [], create }),
      issue({ code, params, create, severity: 'Warning' }),
      ...(withActs.includes(code) ? acts : []).map(([act, { actor }]) => issue({ ...quiet, code, params, act, actor })),
    ];
  };

  it.each(domainStateNames.filter((state) => state !== 'Pending'))('%s, with every issue', (state) => {
    const found = new Map<string, string>();
    for (const code of Object.keys(issueCodes))
      for (const one of issuesOf(code)) {
        const isGone = one.delete.length + one.create.length > 0;
        const both = one.create.some(({ type }) => type === 'TXT');
        const records = recordsOf(isGone && one.severity === 'Error' ? 'Missing' : 'Found', both);
        for (const fault of faultsOf({ state, reason: code, issues: [one], records }))
          found.set(kindOf(fault), `${code} ${one.act}: ${fault}`);
      }
    expect([...found.values()]).toEqual([]);
  });
});

describe('the table sees', () => {
  const page: PanelText = {
    ...{ pill: '', title: '', step: '', hasAction: false, rows: [], headers: [], sentences: [], all: '' },
  };
  const examples: readonly (readonly [number, Partial<PanelText>])[] = [
    [0, { pill: 'In progress', hasAction: true, step: 'Select Verify.' }],
    [1, { pill: 'Needs action', step: 'Nothing.' }],
    [2, { all: 'add the TXT record shown too' }],
    [3, { all: 'Add the CAA record shown', step: 'x' }],
    [4, { all: 'the value shown as “Target”', headers: ['Value'] }],
    [5, { sentences: ['You can add this record already.'], rows: [{ act: 'keep', type: 'CNAME', text: '' }] }],
    [6, { sentences: ['You can add this record already.'] }],
    [7, { all: 'after a week, or an administrator did' }],
    [8, { sentences: ['What each server said'], all: 'Code: X' }],
    [9, { step: 'Nothing to do.', rows: [{ act: 'add', type: 'CNAME', text: '' }] }],
    [10, { rows: [{ act: 'keep', type: 'CNAME', text: `CNAME ${status.Missing}` }] }],
    [11, { step: 'Add the record below.', sentences: ['x'] }],
    [12, { all: 'Fix the problem below.' }],
    [13, { all: 'Automatic checks ended at noon. Next check: at one.' }],
    [14, { step: 'Nothing to do: your certificate renews.', sentences: ['none yet'] }],
    [15, { sentences: ['We check automatically.', 'We check automatically.'] }],
    [16, { sentences: ['Code: Routed'] }],
  ];
  it.each(examples)('row %i', (index, over) => {
    expect(table[index]?.[1]({ ...page, ...over })).toEqual(expect.any(String));
  });

  it('each of its rows has an example', () => {
    expect(examples.map(([index]) => index)).toEqual(table.map((_, index) => index));
  });
});
