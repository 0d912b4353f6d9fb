import { describe, expect, it } from '@jest/globals';
import type { DnsIssue } from '../../../src/dns/verdict/dns-verdict.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { readCheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { issue } from '../../../src/dns/verdict/dns-issue.ts';
import type { TimelineEntry } from '../../../src/rules/timeline.ts';
import { kindOf } from '../../../src/rules/timeline.ts';
import {
  certificateIn,
  claim,
  domain,
  heldBy,
  now,
  request,
  route,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/** What a domain's timeline tells besides its states: findings, orders and certificates, each once. */

type Status = NonNullable<ProjectDomain['status']>;
type Given = Partial<ProjectDomainSnapshot>;
type Order = NonNullable<HostnameClaim['spec']['orders']>[number];

const minute = 60_000;
const at = (ago: number) => `${new Date(now - ago).toISOString().slice(0, 19)}Z`;

function statusAfter(status: Status, given: Given): Status {
  const subject = domain({ status });
  const { writes } = decideProjectDomain(
    snapshot({ ...given, domain: subject, checkStatus: readCheckStatus(subject) }),
  );
  const write = writes.find(({ verb, kind }) => verb === 'applyStatus' && kind.kind === 'ProjectDomain');
  if (write?.verb !== 'applyStatus') throw new Error('no status is written');
  return write.object.status as Status;
}

/** The status after one reconcile for each of these, as each is read back by the next one. */
const statusOf = (status: Status, ...all: readonly Given[]): Status =>
  all.reduce((before, given) => statusAfter(before, given), status);

/** What was told besides the states, as `reason code` or `reason`. */
const news = ({ timeline = [] }: Status): readonly string[] =>
  timeline
    .filter((entry) => kindOf(entry) !== 'State')
    .map(({ reason, code }) => (code === undefined ? reason : `${reason} ${code}`));

const problem = (code: DnsIssue['code'], severity: DnsIssue['severity'] = 'Error') =>
  issue(code, { name: 'www.example.com', zone: 'example.com' }, { severity });
const no = (...issues: readonly DnsIssue[]): Given => ({
  verdict: verdict({ routing: { verdict: 'no', code: 'RecordMissing', by: null }, issues }),
});
const yes: Given = { verdict: verdict() };
const unclear = (field: 'routing' | 'caa', ...issues: readonly DnsIssue[]): Given => {
  const silent = { verdict: 'unknown', code: 'NoUsableAnswer', by: null } as const;
  return { verdict: verdict({ [field]: silent, issues }) };
};
const missing = problem('RecordMissing');
const stray = problem('StrayAddress');
const silent = problem('SomeServersSilent', 'Warning');

describe('findings', () => {
  it.each<[string, readonly Given[], readonly string[]]>([
    ['one that is new is told', [no(missing)], ['Appeared RecordMissing']],
    ['one that stays is told once', [no(missing), no(missing), no(missing)], ['Appeared RecordMissing']],
    ['one of which there are two is told once', [no(stray, stray)], ['Appeared StrayAddress']],
    ['one that is over is told', [no(missing), yes], ['Appeared RecordMissing', 'Gone RecordMissing']],
    [
      'one that follows another is told behind the end of that one',
      [no(missing), no(stray)],
      ['Appeared RecordMissing', 'Gone RecordMissing', 'Appeared StrayAddress'],
    ],
    ['a reconcile without a check tells nothing', [no(missing), { verdict: null }], ['Appeared RecordMissing']],
    [
      'a check that cannot tell ends nothing, and what is seen again is not new',
      [no(stray), unclear('routing'), no(stray)],
      ['Appeared StrayAddress'],
    ],
    [
      'what ended meanwhile is told by the first check that can tell',
      [no(stray), unclear('routing'), unclear('caa'), yes],
      ['Appeared StrayAddress', 'Gone StrayAddress'],
    ],
    [
      'a warning stays through a confirmation',
      [{ verdict: verdict({ issues: [silent] }) }, { verdict: verdict({ isConfirmation: true }) }],
      ['Appeared SomeServersSilent'],
    ],
    [
      'a Pending domain tells of none, as none is looked for',
      [no(missing), { ...no(stray), limits: null }],
      ['Appeared RecordMissing'],
    ],
  ])('%s', (_, reconciles, expected) => {
    expect(news(statusOf({}, ...reconciles))).toEqual(expected);
  });

  it('of the version before, which told none, are told when they end and not before', () => {
    const { timeline: _, ...old } = statusOf({}, no(missing));
    expect(news(statusOf(old, no(missing)))).toEqual([]);
    expect(news(statusOf(old, no(missing), yes))).toEqual(['Gone RecordMissing']);
  });

  it('have what a page says of them, within the bounds of the schema', () => {
    const name = 'x'.repeat(2_000);
    const long = { ...silent, params: { zone: name }, message: 'm'.repeat(2_000) };
    const told = statusOf({}, { verdict: verdict({ issues: [long] }) }).timeline?.find(
      ({ kind }) => kind === 'Finding',
    );
    expect(told).toMatchObject({ code: 'SomeServersSilent', severity: 'Warning', at: at(0), state: 'Verified' });
    expect([told?.params?.zone?.length, told?.message.length]).toEqual([256, 256]);
  });

  it('come before the state that they lead to', () => {
    const { timeline = [] } = statusOf({}, no(missing), yes);
    expect(timeline.map(({ kind = 'State', reason, state }) => `${kind} ${kind === 'State' ? state : reason}`)).toEqual(
      ['Finding Appeared', 'State Unverified', 'Finding Gone', 'State Verified'],
    );
  });

  it('that flap for a day leave the states, orders and certificates as they were', () => {
    const states: readonly TimelineEntry[] = Array.from({ length: 25 }, (_, index) => ({
      at: at(minute),
      state: index === 24 ? 'Unverified' : 'Live',
      reason: String(index),
      message: 'x',
    }));
    const order = { ...(states[0] as TimelineEntry), kind: 'Order' as const };
    const start: Status = { state: 'Unverified', timeline: [order, ...states] };
    const flapping = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? no(stray) : no(missing)));
    const { timeline = [] } = statusOf(start, ...flapping);
    expect(timeline).toHaveLength(50);
    expect(timeline.filter(({ kind = 'State' }) => kind !== 'Finding')).toEqual([order, ...states]);
  });
});

describe('orders', () => {
  const order = (ago: number, rest: Partial<Order> = {}): Order => ({
    request: `u-${ago}`,
    at: at(ago),
    outcome: 'Pending',
    ...rest,
  });
  const ordered = (...orders: readonly Order[]): Given => ({
    ...heldBy,
    ...yes,
    claim: claim({ orders: [...orders], proof: { method: 'CNAME', at: at(9 * minute) } }),
  });
  const failed = { outcome: 'Failed' } as const;
  const abandoned = { outcome: 'Abandoned' } as const;

  it.each<[string, readonly Given[], readonly string[]]>([
    ['none is told before there is one', [ordered()], []],
    ['one is told once', [ordered(order(minute)), ordered(order(minute))], ['Ordered']],
    [
      'its failure is told once',
      [ordered(order(minute)), ordered(order(minute, failed)), ordered(order(minute, failed))],
      ['Ordered', 'Failed'],
    ],
    [
      'that it was given up is told once',
      [ordered(order(minute)), ordered(order(minute, abandoned)), ordered(order(minute, abandoned))],
      ['Ordered', 'Abandoned'],
    ],
    ['both are told where the order was missed', [ordered(order(minute, failed))], ['Ordered', 'Failed']],
    [
      'each of several is told in turn',
      [ordered(order(5 * minute)), ordered(order(5 * minute, failed), order(minute))],
      ['Ordered', 'Failed', 'Ordered'],
    ],
    ['one that was issued is told by its certificate', [ordered(order(minute, { outcome: 'Issued' }))], ['Ordered']],
    ['those of the holder before are none of ours', [ordered(order(10 * minute, failed))], []],
    [
      'those of another account are none of ours',
      [{ ...ordered(order(minute)), claimRelation: { kind: 'Foreign', phase: 'Held', epoch: 2 } }],
      [],
    ],
  ])('%s', (_, reconciles, expected) => {
    expect(news(statusOf({}, ...reconciles))).toEqual(expected);
  });

  /** Fails when a status tells an account how often, or when, another one ordered certificates for the name. */
  it.each<[string, Given, object]>([
    ['its own', ordered(order(minute)), { attempts: 1, requestedAt: at(minute) }],
    [
      'its own, but not those of the holder before',
      ordered(order(10 * minute), order(minute)),
      { attempts: 1, requestedAt: at(minute) },
    ],
    [
      'none of an account that holds the name now',
      { ...ordered(order(minute)), claimRelation: { kind: 'Foreign', phase: 'Held', epoch: 2 } },
      { attempts: 0, requestedAt: undefined },
    ],
  ])('are counted in the status: %s', (_, given, expected) => {
    const { attempts, requestedAt } = statusOf({}, given).certificate ?? {};
    expect({ attempts, requestedAt }).toEqual(expected);
  });

  it('of the version before, which told none, are not told afterwards', () => {
    const old = { certificate: { name: 'pd-x', requestedAt: at(minute) } };
    expect(news(statusOf(old, ordered(order(2 * minute, failed), order(minute, failed))))).toEqual([]);
    expect(news(statusOf(old, ordered(order(minute), order(0))))).toEqual(['Ordered']);
  });

  it('are told with their time and kind, and a failure with what the authority said', () => {
    const failure = { type: 'Ready', status: 'False' as const, reason: 'Failed', message: 'no challenge was right' };
    const asked = request('r1', [failure]);
    const open = { ...ordered(order(minute, { request: 'u-r1', kind: 'Renewal' })), requests: [asked] };
    const { timeline = [] } = statusOf({}, ordered(order(minute, { request: 'u-r1', kind: 'Renewal' })), open);
    const params = { orderedAt: at(minute), order: 'Renewal' };
    expect(timeline.filter(({ kind }) => kind === 'Order')).toMatchObject([
      { at: at(minute), reason: 'Ordered', params },
      { at: at(0), reason: 'Failed', params, message: 'no challenge was right' },
    ]);
  });

  it('say until when the authority asked to wait', () => {
    const waiting = order(minute, { ...failed, scope: 'Name', waitsUntil: at(-minute) });
    const { timeline = [] } = statusOf({}, ordered(waiting));
    expect(timeline.find(({ reason }) => reason === 'Failed')?.params).toMatchObject({ until: at(-minute) });
  });
});

describe('certificates', () => {
  const until = (notAfter: string): Given => {
    const { status, ...rest } = certificateIn(true);
    return { ...heldBy, ...yes, route, certificate: { ...rest, status: { ...status, notAfter } } };
  };
  const [first, second] = ['2026-04-01T00:00:00Z', '2026-06-01T00:00:00Z'];

  it.each<[string, Status, readonly Given[], readonly string[]]>([
    ['the first one is issued', {}, [until(first)], ['Issued']],
    ['it is told once', {}, [until(first), until(first)], ['Issued']],
    ['a later one renews it', {}, [until(first), until(second)], ['Issued', 'Renewed']],
    [
      'one that comes back from its Secret is the same one',
      {},
      [until(first), { ...heldBy, ...yes }, until(first)],
      ['Issued'],
    ],
    [
      'one that the version before knew of is not told',
      { certificate: { name: 'x', notAfter: first } },
      [until(first)],
      [],
    ],
    ['its renewal is', { certificate: { name: 'x', notAfter: first } }, [until(first), until(second)], ['Renewed']],
    [
      'while cert-manager does not answer, nothing is',
      {},
      [until(first), { ...heldBy, ...yes, certManagerUnavailable: true, certificate: undefined }],
      ['Issued'],
    ],
  ])('%s', (_, status, reconciles, expected) => {
    expect(news(statusOf(status, ...reconciles))).toEqual(expected);
  });

  it('are told with their end', () => {
    const { timeline = [] } = statusOf({}, until(first));
    expect(timeline.find(({ kind }) => kind === 'Certificate')).toMatchObject({
      at: at(0),
      params: { notAfter: first },
    });
  });
});

describe('revocations', () => {
  const notAfter = '2026-04-01T00:00:00Z';
  const ended = (ago: number, result: 'Revoked' | 'Expired' = 'Revoked', orderedAgo = 8 * minute): Order => ({
    request: `u-${orderedAgo}`,
    at: at(orderedAgo),
    outcome: 'Issued',
    acme: { account: 'https://ca.test/1', thumbprint: 't', placed: 1, notAfter },
    revocation: { reason: 'superseded', since: at(7 * minute), result, endedAt: at(ago) },
  });
  const given = (...orders: readonly Order[]): Given => {
    const { status, ...rest } = certificateIn(true);
    const certificate = { ...rest, status: { ...status, notAfter } };
    return {
      ...heldBy,
      ...yes,
      route,
      certificate,
      claim: claim({ orders, proof: { method: 'CNAME', at: at(9 * minute) } }),
    };
  };
  const issued: Status = {
    timeline: [
      { at: at(8 * minute), kind: 'Certificate', state: 'Live', reason: 'Issued', params: { notAfter }, message: 'x' },
    ],
  };
  const told = ({ timeline = [] }: Status) =>
    timeline.filter(({ reason }) => reason === 'Revoked').map((one) => one.at);

  it.each<[string, readonly Given[], readonly number[]]>([
    ['one is told once', [given(ended(minute)), given(ended(minute))], [minute]],
    ['one that ended another way is not told', [given(ended(minute, 'Expired'))], []],
    [
      'of several that are seen at once each is told once, by its time',
      [given(ended(minute), ended(3 * minute)), given(ended(minute), ended(3 * minute))],
      [3 * minute, minute],
    ],
    ['a later one follows', [given(ended(3 * minute)), given(ended(3 * minute), ended(minute))], [3 * minute, minute]],
    [
      'another one of the same second is told too, once',
      [
        given(ended(minute)),
        given(ended(minute), ended(minute, 'Revoked', 7 * minute)),
        given(ended(minute), ended(minute, 'Revoked', 7 * minute)),
      ],
      [minute, minute],
    ],
  ])('%s', (_, reconciles, expected) => {
    expect(told(statusOf(issued, ...reconciles))).toEqual(expected.map(at));
  });

  /** Fails when the certificate that is served is told once more because a revocation was told last. */
  it('do not have the certificate that is served told again', () => {
    const reasons = news(statusOf(issued, given(ended(minute)), given(ended(minute))));
    expect(reasons.filter((reason) => reason !== 'Ordered')).toEqual(['Issued', 'Revoked']);
  });

  it('that are more than a timeline has places for are not told in turns without end', () => {
    const atOnce = Array.from({ length: 20 }, (__, index) => ended(minute, 'Revoked', 8 * minute - index * 1_000));
    const many = given(ended(2 * minute, 'Revoked', 8.5 * minute), ...atOnce);
    const full = Array.from(
      { length: 50 },
      () => ({ at: at(9 * minute), state: 'Live', reason: 'x', message: 'x' }) as const,
    );
    const once = statusOf({ timeline: full }, many).timeline;
    expect(told({ timeline: once ?? [] })).not.toEqual([]);
    expect(statusOf({ timeline: full }, many, many).timeline).toEqual(once);
  });
});

describe('the timeline alone never causes a write', () => {
  it.each<[string, Given]>([
    ['an issue', no(missing, silent)],
    ['an inconclusive check', unclear('routing', problem('NoUsableAnswer'))],
    [
      'a failed order',
      { ...heldBy, ...yes, claim: claim({ orders: [{ request: 'r', at: at(0), outcome: 'Failed' }] }) },
    ],
    ['a certificate', { ...heldBy, ...yes, certificate: certificateIn(true) }],
  ])('%s: the same snapshot again adds nothing, even where the timeline is full', (_, given) => {
    const full = Array.from({ length: 50 }, (__, index) => ({
      at: at(minute),
      state: index % 2 ? 'Live' : 'Degraded',
      reason: 'x',
      message: 'x',
    }));
    const once = statusOf({ timeline: full }, given).timeline;
    expect(once).toHaveLength(50);
    expect(once).not.toEqual(full);
    expect(statusOf({ timeline: full }, given, given).timeline).toEqual(once);
  });
});
