import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { isCheckDue } from '../../../src/controllers/project-domain/check-due.ts';
import { readCheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import type { RecentCheck } from '../../../src/controllers/project-domain/recent-checks.ts';
import { createRecentChecks, withRecentCheck } from '../../../src/controllers/project-domain/recent-checks.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { DnsVerdict } from '../../../src/dns/verdict/dns-verdict.ts';
import {
  certificateIn,
  claim,
  domain,
  heldBy,
  issueWith,
  now,
  route,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/** How often a domain is checked and how often its status is written, by a clock that is moved from check to check. */

type Status = NonNullable<ProjectDomain['status']>;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** How long a check takes. */
const took = 300;

interface Life {
  readonly status: Status;
  readonly given: Partial<ProjectDomainSnapshot>;
  /** what a check finds that ends so long after the beginning */
  readonly finds: (age: number) => DnsVerdict;
  readonly lasts: number;
  /** when another process begins to lead, so long after the beginning */
  readonly restarts?: readonly number[];
}

interface Happened {
  /** when checks were due, after the beginning */
  readonly checks: number[];
  readonly writes: { readonly at: number; readonly status: Status }[];
}

/** The process that leads at a time remembers only its own checks. */
function leaders(restarts: readonly number[]) {
  const processes = [Number.NEGATIVE_INFINITY, ...restarts].map((age) => {
    const recentChecks = createRecentChecks();
    recentChecks.begin(now + age);
    return { age, recentChecks };
  });
  return (age: number) => {
    const leader = processes.findLast((one) => one.age <= age);
    if (!leader) throw new Error('nobody leads');
    return leader.recentChecks;
  };
}

function live({ status, given, finds, lasts, restarts = [] }: Life): Happened {
  const leaderAt = leaders(restarts);
  const happened: Happened = { checks: [], writes: [] };
  let subject = domain({ status });
  for (let at = now; at < now + lasts;) {
    const age = at - now;
    const memory = leaderAt(age);
    const { uid = '' } = subject.metadata;
    const checkStatus = withRecentCheck(readCheckStatus(subject), memory.of(uid));
    const seen = { ...given, domain: subject, checkStatus, leadingSince: memory.since };
    const isDue = isCheckDue(snapshot({ ...seen, now: at }));
    if (isDue) happened.checks.push(age);
    const found = isDue ? finds(age + took) : null;
    const actions = decideProjectDomain(snapshot({ ...seen, now: at + took, verdict: found }));
    memory.record(uid, actions.recentCheck);
    const write = actions.writes.find(({ verb, kind }) => verb === 'applyStatus' && kind.kind === 'ProjectDomain');
    if (write?.verb !== 'applyStatus') throw new Error('no status is applied');
    const applied = JSON.parse(JSON.stringify(write.object.status)) as Status;
    if (!isDeepStrictEqual(applied, subject.status)) happened.writes.push({ at: age, status: applied });
    subject = domain({ status: applied });
    const coming = restarts.find((restart) => restart > age) ?? Number.POSITIVE_INFINITY;
    at = Math.min(Math.max(actions.requeueAt ?? 0, at + took), now + coming);
  }
  return happened;
}

const missing = verdict({
  routing: { verdict: 'no', code: 'RecordMissing', by: null },
  ownership: { verdict: 'no', code: 'RecordMissing' },
  issues: [issueWith()],
  records: [{ purpose: 'Routing', status: 'Missing', found: [] }],
});
const silent = verdict({
  routing: { verdict: 'unknown', code: 'NoUsableAnswer', by: null },
  corroborated: false,
});
const served: Pick<Life, 'given'> = { given: { ...heldBy, certificate: certificateIn(true), route } };

/** The status that a Live domain has settled on. */
const settled = (): Status => {
  const conditions = ['Accepted', 'OwnershipVerified', 'DNSVerified', 'CertificateIssued', 'Routed', 'Ready'].map(
    (type) => ({
      type,
      status: 'True' as const,
      reason: type,
      message: '',
      lastTransitionTime: '2025-12-01T00:00:00Z',
    }),
  );
  const status: Status = { state: 'Live', conditions, check: { startedAt: '2025-12-01T00:00:00Z' } };
  const { writes } = live({ ...served, status, finds: () => verdict(), lasts: 2 * hour });
  const last = writes.at(-1)?.status;
  if (!last) throw new Error('nothing was written');
  return { ...last, check: { ...last.check, checkedAt: timestamp(now - 15 * minute) } };
};
const after = (begins: number, later: DnsVerdict) => (age: number) => (age < begins ? verdict() : later);
const stateAt = ({ writes }: Happened, state: string) => writes.find(({ status }) => status.state === state)?.at;

describe('a Live domain', () => {
  it('whose checks all say yes is checked 96 times a day and written never', () => {
    const { checks, writes } = live({ ...served, status: settled(), finds: () => verdict(), lasts: day });
    expect([checks.length, writes]).toEqual([96, []]);
  });

  it('that goes on failing is written as it begins, as its failures count, and as it is Degraded, and not again', () => {
    const { checks, writes } = live({ ...served, status: settled(), finds: after(hour, missing), lasts: day });
    expect(checks.length).toBe(96);
    expect(writes.map(({ status }) => [status.state, status.check?.failures])).toEqual([
      ['Live', 1],
      ['Live', 2],
      ['Live', 3],
      ['Degraded', 3],
    ]);
  });

  it('that nobody answers for is written as that begins and after thirty days', () => {
    const begun = live({ ...served, status: settled(), finds: after(hour, silent), lasts: day }).writes;
    expect(begun.map(({ status }) => status.state)).toEqual(['Live']);
    const { check, ...status } = begun[0]?.status ?? settled();
    const unknownSince = timestamp(now - 30 * day + hour);
    const old = { ...check, checkedAt: timestamp(now - 15 * minute), unknownSince };
    const { writes } = live({ ...served, status: { ...status, check: old }, finds: () => silent, lasts: day });
    expect(writes.map(({ at, status }) => [at, status.state])).toEqual([[hour, 'Degraded']]);
  });

  it.each<[string, readonly number[]]>([
    ['after the first failure', [hour + minute]],
    ['after the second', [hour + 16 * minute]],
    ['after each of them', [61, 76, 91, 106].map((minutes) => minutes * minute)],
  ])('is Degraded as soon, although another process leads %s', (_, restarts) => {
    const failing = { ...served, status: settled(), finds: after(hour, missing), lasts: 4 * hour };
    const degraded = stateAt(live(failing), 'Degraded');
    expect(degraded).toBeGreaterThanOrEqual(2 * hour);
    expect(stateAt(live({ ...failing, restarts }), 'Degraded')).toBe(degraded);
  });

  it('forgets its failures by one yes, which is written once', () => {
    const finds = (age: number) => (age > hour && age < 2 * hour - minute ? missing : verdict());
    const { writes } = live({ ...served, status: settled(), finds, lasts: day });
    expect(writes.map(({ status }) => status.check?.failures)).toEqual([1, 2, 3, 0]);
  });
});

describe('an Unverified domain', () => {
  const fresh: Life = { status: {}, given: {}, finds: () => missing, lasts: 2 * minute };
  const series = (age: number): Status => ({ check: { startedAt: new Date(now - age).toISOString() } });

  it('is checked every five seconds for two minutes, and what is found is written once', () => {
    const { checks, writes } = live({ ...fresh, status: series(0) });
    expect([checks.length, writes.length]).toEqual([24, 1]);
  });

  it('is written again when something else is found', () => {
    const finds = (age: number) => (age < minute ? missing : silent);
    expect(live({ ...fresh, status: series(0), finds }).writes.map(({ at }) => at)).toEqual([0, minute]);
  });

  it('is not written by the end of its checks either', () => {
    const { checks, writes } = live({ ...fresh, status: series(0), lasts: 8 * day });
    expect(writes.length).toBe(1);
    expect(checks.at(-1)).toBeLessThanOrEqual(7 * day);
  });

  it('proves a contested name by two checks, also where another process makes the second', () => {
    const foreign = claim({ account: 'acc-rival', holder: { namespace: 'rival', name: 'www' } });
    const given = { claim: foreign, claimRelation: { kind: 'Foreign', epoch: 2, phase: 'Held' } } as const;
    const contested = { ...fresh, status: series(0), given, finds: () => verdict(), lasts: minute };
    const counts = ({ writes }: Happened) => writes.map(({ at, status }) => [at, status.check?.successes]);
    const alone = counts(live(contested));
    expect(alone.map(([, successes]) => successes)).toEqual([1, 2]);
    expect(counts(live({ ...contested, restarts: [second] }))).toEqual(alone);
  });
});

describe('a process that begins to lead', () => {
  const restarts = [5 * hour + minute];

  it.each<[string, Status, Partial<ProjectDomainSnapshot>, DnsVerdict]>([
    ['a Live domain', settled(), served.given, verdict()],
    [
      'an Unverified one whose next check is an hour away',
      { check: { startedAt: new Date(now - 2 * day - 40 * minute).toISOString() } },
      {},
      missing,
    ],
  ])('checks %s at its own moment within 15 minutes, and not at once', (_, status, given, found) => {
    const { checks } = live({ status, given, finds: () => found, lasts: 6 * hour, restarts });
    const next = (checks.find((at) => at >= (restarts[0] ?? 0)) ?? 0) - (restarts[0] ?? 0);
    expect(next).toBe(14 * minute);
  });
});

describe('what a process remembers of a check', () => {
  const read = { ...readCheckStatus(domain()), checkedAt: now };
  const recent: RecentCheck = {
    checkedAt: now + hour,
    fullyCheckedAt: now + minute,
    writtenAt: now,
    nextAt: null,
    routing: null,
    settledUntil: null,
    unansweredSince: null,
    routeLostAt: null,
    edgeSilentSince: null,
    former: null,
  };
  it.each<[string, Partial<RecentCheck> | null, number | null, number | null]>([
    ['is nothing at first: then the status tells', null, now, null],
    ['is later than what the status tells', {}, now + hour, now + minute],
    ['does not count while the cache shows what was before its last write', { writtenAt: now + second }, null, null],
    ['does not count once somebody else has written later', { checkedAt: now - hour }, now, null],
    ['is nothing of a domain that it has not checked', { checkedAt: null, fullyCheckedAt: null }, now, null],
  ])('%s', (_, changes, checkedAt, fullyCheckedAt) => {
    const known = withRecentCheck(read, changes === null ? undefined : { ...recent, ...changes });
    expect(known).toMatchObject({ checkedAt, fullyCheckedAt });
  });
});
