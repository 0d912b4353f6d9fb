import { describe, expect, it } from '@jest/globals';
import type { DnsVerdict } from '../../../src/dns/verdict/dns-verdict.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { isCheckDue } from '../../../src/controllers/project-domain/check-due.ts';
import { readCheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { verifyAnnotation } from '../../../src/resources/object-metadata.ts';
import { checkHistoryOf, checksEnd } from '../../../src/rules/next-dns-check.ts';
import { domainView } from '../../../src/use-cases/describe-domain.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { certificateIn, claim, domain, heldBy, now, route, snapshot, verdict } from '../../support/snapshot.ts';

/** The operator acts by the schedule, the API server announces it: both have to mean the same second. */

type Status = NonNullable<ProjectDomain['status']>;
type Given = Partial<ProjectDomainSnapshot>;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const at = (ago: number) => new Date(now - ago).toISOString();
const resync = 30 * minute;

const missing = verdict({ routing: { verdict: 'no', code: 'RecordMissing', by: null } });
const elsewhere: DnsVerdict = { ...missing, needsToken: true };
const conditions = (falseTypes: readonly string[]): NonNullable<Status['conditions']> =>
  ['Accepted', 'OwnershipVerified', 'DNSVerified', 'CertificateIssued', 'Routed', 'Ready'].map((type) => ({
    type,
    status: falseTypes.includes(type) ? 'False' : 'True',
    reason: 'RecordMissing',
    message: 'x',
    lastTransitionTime: at(day),
  }));
const series = (age: number): Status => ({ state: 'Unverified', check: { startedAt: at(age) } });
const served = (state: 'Live' | 'Degraded', check: Status['check'] = {}): Status => ({
  state,
  check: { startedAt: at(30 * day), ...check },
  conditions: conditions(state === 'Live' ? [] : ['DNSVerified']),
});
const live: Given = { ...heldBy, certificate: certificateIn(true), route };
const suspended = claim();
const suspendedClaim = {
  ...suspended,
  metadata: { ...suspended.metadata, annotations: { 'projectdomain.io/suspend': 'abuse' } },
};

/** The domain with the status that the operator writes after a check, and when it comes back by itself. */
function checked(status: Status, found: DnsVerdict, given: Given) {
  const before = domain({ status });
  const actions = decideProjectDomain(
    snapshot({ ...given, domain: before, checkStatus: readCheckStatus(before), verdict: found }),
  );
  const written = actions.writes.find(({ verb, kind }) => verb === 'applyStatus' && kind.kind === 'ProjectDomain');
  if (written?.verb !== 'applyStatus') throw new Error('no status is written');
  return { domain: domain({ status: written.object.status as Status }), requeueAt: actions.requeueAt };
}

/** What the API server shows at a time. */
function shown(subject: ProjectDomain, given: Given, time: number) {
  const api = createInMemoryApi();
  const context = api.as(api.account('acme', 'pro'));
  if (given.claim)
    api.put({ ...given.claim, spec: { ...given.claim.spec, account: context.caller.account.spec.id ?? '' } });
  return domainView({ ...context, dependencies: { ...context.dependencies, now: () => time } }, subject);
}

const isDueAt = (subject: ProjectDomain, given: Given, time: number): boolean =>
  isCheckDue(snapshot({ ...given, domain: subject, checkStatus: readCheckStatus(subject), now: time }));

describe('the next check that the API server announces is the one that the operator makes', () => {
  it.each<[string, Status, DnsVerdict, Given, number, string]>([
    ['a minute after Add', series(minute), missing, {}, 5 * second, 'Unverified'],
    ['ten minutes after Add', series(10 * minute), missing, {}, 23 * second, 'Unverified'],
    ['an hour after Add', series(hour), missing, {}, 168 * second, 'Unverified'],
    ['a share of the age that is no whole second', series(125 * second), missing, {}, 7 * second, 'Unverified'],
    [
      'after a day, later than the next reconcile',
      series(2 * day + 5 * minute),
      missing,
      {},
      3_468 * second,
      'Unverified',
    ],
    ['with all right, before the certificate', series(10 * minute), verdict(), heldBy, 15 * minute, 'Verified'],
    [
      'with all right, and no certificate after a day: no more often than before',
      series(2 * day + 5 * minute),
      verdict(),
      heldBy,
      3_468 * second,
      'Verified',
    ],
    [
      'with DNS right, but CAA that forbids the certificate',
      series(10 * minute),
      verdict({ caa: { verdict: 'no' } as never }),
      heldBy,
      23 * second,
      'Verified',
    ],
    [
      'with DNS right, but signatures that the authority would refuse',
      series(10 * minute),
      verdict({ dnssec: 'Bogus' }),
      heldBy,
      23 * second,
      'Verified',
    ],
    [
      'with DNS right, but by one name server of two',
      series(10 * minute),
      verdict({ corroborated: false }),
      heldBy,
      23 * second,
      'Verified',
    ],
    ['Live, checked at its moment', served('Live'), verdict(), live, 15 * minute, 'Live'],
    ['Live, a foreign address for the first time', served('Live'), elsewhere, live, 10 * second, 'Live'],
    [
      'Live, the same for the second time',
      served('Live', { failures: 1, failingSince: at(minute), token: { nonce: 'n', answer: 'a' } }),
      elsewhere,
      live,
      15 * minute,
      'Live',
    ],
    [
      'Degraded',
      served('Degraded', { failures: 9, failingSince: at(2 * hour) }),
      missing,
      live,
      15 * minute,
      'Degraded',
    ],
    [
      'Suspended, in a young series',
      series(hour),
      verdict(),
      { ...heldBy, claim: suspendedClaim },
      168 * second,
      'Suspended',
    ],
  ])('%s', (_, status, found, given, wait, state) => {
    const { domain: after, requeueAt } = checked(status, found, given);
    const view = shown(after, given, now);
    const next = Date.parse(view.nextCheckAt ?? '');
    expect([view.state, next - now]).toEqual([state, wait]);
    expect(Math.abs((requeueAt ?? 0) - Math.min(next, now + resync))).toBeLessThan(second);
    expect([isDueAt(after, given, next - second), isDueAt(after, given, next)]).toEqual([false, true]);
  });
});

describe('no check is announced', () => {
  it.each<[string, Status, DnsVerdict, Given]>([
    ['once the series has ended', series(7 * day), missing, {}],
    ['for a Pending domain', series(minute), missing, { limits: null }],
    [
      'for one whose hostname is being released and that is no longer accepted',
      series(minute),
      missing,
      {
        claim: claim({ phase: 'Releasing' }),
        claimRelation: { kind: 'Releasing', epoch: 1 },
        limits: null,
      },
    ],
  ])('%s, and the operator only looks at the object again', (_, status, found, given) => {
    const { domain: after, requeueAt } = checked(status, found, given);
    expect(shown(after, given, now).nextCheckAt).toBeNull();
    expect(requeueAt).toBe(now + resync);
  });

  it('before the first one: it is under way', () => {
    const { domain: after } = checked(series(minute), missing, {});
    const { checkedAt: _, ...check } = after.status?.check ?? {};
    expect(shown({ ...after, status: { ...after.status, check } }, {}, now).nextCheckAt).toBeNull();
  });

  it('but the one after it is, once it has come, although nothing was written meanwhile', () => {
    const { domain: after } = checked(series(minute), missing, {});
    const shownAt = [4, 5, 9, 10].map((seconds) => shown(after, {}, now + seconds * second).nextCheckAt);
    expect(shownAt.map((at) => (Date.parse(at ?? '') - now) / second)).toEqual([5, 10, 10, 15]);
  });

  it.each<[string, string, boolean]>([
    ['after a Verify that the operator has not answered yet', at(0), true],
    ['but after one that it ignores, the schedule goes on', 'tomorrow', false],
  ])('%s', (_, value, isAsked) => {
    const { domain: after } = checked(series(minute), missing, {});
    const asked = { ...after, metadata: { ...after.metadata, annotations: { [verifyAnnotation]: value } } };
    expect(shown(asked, {}, now).nextCheckAt === null).toBe(isAsked);
    expect(shown(asked, {}, now).checksEndAt).not.toBeNull();
  });

  it.each<[string, Partial<ProjectDomain>]>([
    ['before the first reconcile', { status: {} }],
    ['while the domain is being removed', { metadata: { ...domain().metadata, deletionTimestamp: at(0) } }],
  ])('%s', (_, changes) => {
    const { domain: after } = checked(series(minute), missing, {});
    expect(shown({ ...after, ...changes }, {}, now)).toMatchObject({ nextCheckAt: null, checksEndAt: null });
  });
});

describe('a held domain of an absent account', () => {
  it('is not checked, so a check that would be due brings nothing back before the next resync', () => {
    const subject = domain({ status: served('Live', { checkedAt: at(day) }) });
    const absent = { ...live, account: undefined, target: null, ownership: null };
    const given = snapshot({ ...absent, domain: subject, checkStatus: readCheckStatus(subject) });
    expect(isCheckDue(given)).toBe(false);
    expect(decideProjectDomain(given).requeueAt).toBe(now + resync);
  });
});

describe('the end of the automatic checks', () => {
  it.each<[string, Status, DnsVerdict, Given, string | null]>([
    ['is seven days after Add', series(minute), missing, {}, '2026-01-08T11:59:00Z'],
    ['stays, once it has passed', series(8 * day), missing, {}, '2025-12-31T12:00:00Z'],
    [
      'is seven days after Add, all right and without a certificate',
      series(minute),
      verdict(),
      heldBy,
      '2026-01-08T11:59:00Z',
    ],
    ['is none for a domain that is served', served('Live'), verdict(), live, null],
    ['is none for a Pending domain', series(minute), missing, { limits: null }, null],
  ])('%s', (_, status, found, given, end) => {
    expect(shown(checked(status, found, given).domain, given, now).checksEndAt).toBe(end);
  });

  it('is the last check of a domain that was served until it was suspended, not the end of its first series', () => {
    const checks = { ...checkHistoryOf(domain()), startedAt: 0, checkedAt: 60 * day };
    const suspended = { uid: undefined, state: 'Suspended', isHeld: true, checks, driftInterval: 15 * minute };
    expect(checksEnd(suspended)).toBe(60 * day);
    expect(checksEnd({ ...suspended, checks: { ...checks, checkedAt: day } })).toBe(7 * day);
  });
});
