import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { issuesStatus } from '../../../src/controllers/project-domain/issues-status.ts';
import { recordsStatus } from '../../../src/controllers/project-domain/records-status.ts';
import { readCheckStatus, withVerdict } from '../../../src/controllers/project-domain/check-status.ts';
import type { DnsVerdict } from '../../../src/dns/verdict/dns-verdict.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import { domain, heldBy, issueWith, now, snapshot, verdict } from '../../support/snapshot.ts';

/** What the operator keeps of issues and records in a status, over checks and over versions. */

type Status = NonNullable<ProjectDomain['status']>;

const wrong = { routing: { verdict: 'no', code: 'StrayAddress', by: null } } as const;
const warning = issueWith({ code: 'SomeServersSilent', severity: 'Warning', actor: 'DnsHost', message: 'silent' });
const withStatus = (status: Status, found: DnsVerdict | null) =>
  snapshot({ domain: domain({ status }), verdict: found });
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
    const again = { ...withStatus({ issues: [first] }, verdict({ ...wrong, issues: [found] })), now: later };
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
    const given = withStatus(status, of);
    return recordsStatus(given, given.checkStatus).map((record) => ({ status: record.status, found: record.found }));
  };
  const known = recordsStatus(withStatus({}, verdict({ records: [found] })), readCheckStatus(domain()));

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
  const bad = (wrongTtl: number | null) => verdict({ ...wrong, wrongTtl });

  it('may give it for the largest TTL that was seen, counted from the first check that is right', () => {
    const seen = [bad(300), bad(7_200), bad(null), bad(60)].reduce(
      (status, found) => withVerdict(status, found, now),
      fresh,
    );
    expect(seen.lingersUntil).toBeNull();
    expect(withVerdict(seen, verdict(), now)).toMatchObject({ wrongTtl: null, lingersUntil: now + 7_200_000 });
  });

  it.each([
    ['while it lasts, whatever later checks find', now + 7_199_000, now + 7_200_000],
    ['and not longer', now + 7_200_000, null],
  ])('are mentioned %s', (_, at, expected) => {
    const right = withVerdict(withVerdict(fresh, bad(7_200), now), verdict(), now);
    expect(withVerdict(right, verdict({ isConfirmation: true }), at).lingersUntil).toBe(expected);
  });

  it('are not mentioned for records that were right from the first check on', () => {
    expect(withVerdict(fresh, verdict(), now).lingersUntil).toBeNull();
  });

  it('are remembered in the status', () => {
    const status = statusOf(snapshot({ verdict: bad(300) }));
    expect(readCheckStatus(domain({ status })).wrongTtl).toBe(300);
    const right = statusOf(
      snapshot({ domain: domain({ status }), checkStatus: readCheckStatus(domain({ status })), verdict: verdict() }),
    );
    expect(right.check?.lingersUntil).toBe(timestamp(now + 300_000));
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
    const records = [{ purpose: 'Routing', status: 'Wrong', found: many(text) }] as const;
    const status = statusOf(
      snapshot({ verdict: verdict({ ...wrong, records, issues: many(issue), wrongTtl: 604_800, nameServers }) }),
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
