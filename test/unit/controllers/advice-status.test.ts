import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import {
  evaluateProjectDomain,
  decideProjectDomain,
} from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { readCheckStatus, withVerdict } from '../../../src/controllers/project-domain/check-status.ts';
import { issuesStatus } from '../../../src/controllers/project-domain/issues-status.ts';
import { recordsStatus } from '../../../src/controllers/project-domain/records-status.ts';
import type { DnsVerdict } from '../../../src/dns/verdict/dns-verdict.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import { domain, heldBy, issueWith, now, snapshot, verdict } from '../../support/snapshot.ts';

/** What the operator keeps of issues and records in a status, over checks and over versions. */

type Status = NonNullable<ProjectDomain['status']>;

const wrong = { routing: { verdict: 'no', code: 'StrayAddress', by: null } } as const;
const warning = issueWith({ code: 'SomeServersSilent', severity: 'Warning', actor: 'DnsHost', message: 'silent' });
const withStatus = (status: Status, found: DnsVerdict | null, at = now) =>
  evaluateProjectDomain(snapshot({ domain: domain({ status }), verdict: found, now: at }));
const statusOf = (given: ReturnType<typeof snapshot>): Status => {
  const write = decideProjectDomain(given).writes.find(({ verb }) => verb === 'applyStatus');
  if (write?.verb !== 'applyStatus') throw new Error('no status is written');
  return write.object.status as Status;
};

describe('an issue in the status', () => {
  const [first] = issuesStatus(withStatus({}, verdict({ ...wrong, issues: [issueWith()] })), 'Unverified');
  if (!first) throw new Error('no issue');
  const later = now + 3_600_000;

  it.each([
    ['the same', issueWith(), timestamp(now)],
    [
      'the same with other answers',
      issueWith({ servers: [{ server: 'ns1', address: '', answer: 'no' }] }),
      timestamp(now),
    ],
    ['another record', issueWith({ record: 'www.example.com. A 192.0.2.9' }), timestamp(later)],
    ['another code', issueWith({ code: 'WrongTarget' }), timestamp(later)],
  ])('found again an hour later, %s, is since %3$s', (_, found, since) => {
    const again = withStatus({ issues: [first] }, verdict({ ...wrong, issues: [found] }), later);
    expect(issuesStatus(again, 'Unverified')[0]?.since).toBe(since);
  });

  it.each<[string, Status, DnsVerdict | null, readonly string[]]>([
    ['stays where DNS was not looked at', { issues: [first] }, null, ['StrayAddress']],
    ['goes when it is mended', { issues: [first] }, verdict(), []],
    [
      'that is a warning stays over a confirmation, which asks nobody else',
      { issues: [first, { ...first, code: 'SomeServersSilent', severity: 'Warning' }] },
      verdict({ isConfirmation: true }),
      ['SomeServersSilent'],
    ],
    [
      'of an older version, without severity, is no warning',
      { issues: [{ code: 'Old', message: 'm', record: '', fix: 'f' }] },
      verdict({ isConfirmation: true }),
      [],
    ],
  ])('%s', (_, status, found, codes) => {
    expect(issuesStatus(withStatus(status, found), 'Live').map(({ code }) => code)).toEqual(codes);
  });
});

describe('a warning', () => {
  it('is never the message of a condition, even before an error', () => {
    const error = issueWith({ message: 'stray', fix: 'delete it' });
    const given = snapshot({ ...heldBy, verdict: verdict({ ...wrong, issues: [warning, error] }) });
    const messages = (statusOf(given).conditions ?? []).map(({ message }) => message);
    expect(messages.filter((message) => message.includes('silent'))).toEqual([]);
    expect(messages.some((message) => message.includes('stray'))).toBe(true);
  });

  it('changes no condition', () => {
    const conditions = (issues: DnsVerdict['issues']) =>
      statusOf(snapshot({ ...heldBy, verdict: verdict({ issues }) })).conditions;
    expect(conditions([warning])).toEqual(conditions([]));
  });
});

describe('a record in the status', () => {
  const found = { purpose: 'Routing', status: 'Wrong', found: ['A 192.0.2.1'] } as const;
  const records = (status: Status, of: DnsVerdict | null) => {
    return recordsStatus(withStatus(status, of)).map((record) => ({ status: record.status, found: record.found }));
  };
  const known = recordsStatus(withStatus({}, verdict({ records: [found] })));

  it.each<[string, Status, DnsVerdict | null, object]>([
    ['has what this check found', {}, verdict({ records: [found] }), { status: 'Wrong', found: ['A 192.0.2.1'] }],
    ['keeps it until the next check', { records: known }, null, { status: 'Wrong', found: ['A 192.0.2.1'] }],
    ['is not known before the first check', {}, null, { status: 'Unknown', found: [] }],
    [
      'is not known while another value was looked for',
      { records: known.map((record) => ({ ...record, value: 'p-other.cname.apps.example.net' })) },
      null,
      { status: 'Unknown', found: [] },
    ],
    [
      'is not known where an older version looked',
      { records: known.map(({ status: _status, found: _found, ...record }) => record) },
      null,
      { status: 'Unknown', found: [] },
    ],
  ])('%s', (_, status, of, expected) => {
    expect(records(status, of)[0]).toEqual(expected);
  });
});

describe('caches that still have what was there before', () => {
  const fresh = readCheckStatus(domain());
  type Chain = DnsVerdict['chain'];
  const www = (ttl: number): Chain => [{ name: 'www.example.com', ttl }];
  const alias = (ttl: number, behind: number): Chain => [...www(ttl), { name: 'alias.example.com', ttl: behind }];
  const bad = (chain: Chain) => verdict({ ...wrong, chain });
  const unclear = (chain: Chain) =>
    verdict({ routing: { verdict: 'unknown', code: 'NoUsableAnswer', by: null }, chain });
  const right = (chain: Chain = [...www(300), { name: 'p-1.cname.example.net', ttl: 60 }]) => verdict({ chain });

  /** The end after these checks, one a minute; in seconds from the last of them. */
  const endAfter = (...checks: readonly DnsVerdict[]): number | null => {
    const after = checks.reduce((status, found, minute) => withVerdict(status, found, now + minute * 60_000), fresh);
    const last = now + (checks.length - 1) * 60_000;
    return after.lingersUntil === null ? null : (after.lingersUntil - last) / 1_000;
  };

  it.each<[string, readonly DnsVerdict[], number | null]>([
    ['give it for the TTL of what changed', [bad(www(7_200)), right()], 7_200],
    ['count from the check that saw the change, not from a later one', [bad(www(7_200)), right(), right()], 7_140],
    ['have forgotten an earlier TTL that was lowered in time', [bad(www(90)), bad(www(10)), right()], 30],
    ['still have what had a long TTL before it was lowered', [bad(www(7_200)), bad(www(10)), right()], 7_140],
    ['keep an alias that changed as long as the alias, whatever is behind it', [bad(alias(20, 7_200)), right()], 20],
    [
      'keep what is behind an alias that stays as long as that',
      [bad(alias(20, 7_200)), right([...alias(20, 300), { name: 'p-1.cname.example.net', ttl: 60 }])],
      7_200,
    ],
    ['keep addresses behind an alias that lead here now', [bad(alias(20, 7_200)), right(alias(20, 7_200))], 7_200],
    ['are as they were while nobody can see the records', [bad(www(7_200)), unclear([]), right()], 7_200],
    [
      'keep what only part of the way was seen of',
      [bad(alias(20, 7_200)), unclear(www(20)), right(alias(20, 60))],
      7_200,
    ],
    ['have nothing else where it was right from the first check on', [right()], null],
    ['have nothing else where no TTL was seen', [bad([]), right()], null],
  ])('%s', (_, checks, expected) => {
    expect(endAfter(...checks)).toBe(expected);
  });

  it.each([
    ['while it lasts, whatever later checks find', now + 7_199_000, now + 7_200_000],
    ['and not longer', now + 7_200_000, null],
  ])('are mentioned %s', (_, at, expected) => {
    const mended = withVerdict(withVerdict(fresh, bad(www(7_200)), now), right(), now);
    expect(withVerdict(mended, verdict({ isConfirmation: true }), at).lingersUntil).toBe(expected);
  });

  it('are remembered in the status', () => {
    const status = statusOf(snapshot({ verdict: bad(www(300)) }));
    expect(readCheckStatus(domain({ status })).wrongChain).toEqual(www(300));
    const mended = statusOf(
      snapshot({ domain: domain({ status }), checkStatus: readCheckStatus(domain({ status })), verdict: right() }),
    );
    expect(mended.check?.lingersUntil).toBe(timestamp(now + 300_000));
  });
});

describe('whatever stands in DNS', () => {
  it('the status fits its schema', () => {
    const long = { name: 'n'.repeat(400), fqdn: 'n'.repeat(400), type: 'TXT', value: 'v'.repeat(5_000) } as const;
    const many = <T>(one: T) => Array.from({ length: 40 }, () => one);
    const text = 'm'.repeat(5_000);
    const issue = issueWith({
      message: text,
      record: text,
      fix: text,
      params: { name: text },
      delete: many(long),
      create: many(long),
      servers: many({ server: text, address: text, answer: text }),
    });
    const nameServers = many('\\255'.repeat(250));
    const chain = many({ name: '\\255'.repeat(250), ttl: 604_800 }).slice(0, 9);
    const records = [{ purpose: 'Routing', status: 'Wrong', found: many(text) }] as const;
    const status = statusOf(
      snapshot({ verdict: verdict({ ...wrong, records, issues: many(issue), chain, nameServers }) }),
    );
    const crd = parse(readFileSync('crds/project-domain.yaml', 'utf8')) as Crd;
    const schema = crd.spec.versions[0].schema.openAPIV3Schema.properties.status;
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    expect([validate(status), validate.errors]).toEqual([true, null]);
  });
});

interface Crd {
  readonly spec: {
    readonly versions: readonly [
      { readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly status: object } } } },
    ];
  };
}
