import { describe, expect, it } from '@jest/globals';
import { canConfirm, isCheckDue } from '../../../src/controllers/project-domain/check-due.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { CheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { days } from '../../../src/rules/check-schedule.ts';
import { findCondition, timestamp } from '../../../src/rules/conditions.ts';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import {
  certificateIn,
  claim,
  domain,
  granting,
  heldBy,
  now,
  request,
  route,
  settings,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/** What a domain's reconcile does where the operator orders itself, beside what it does where cert-manager does. */

const ours: ProjectDomainSnapshot['settings'] = { ...settings, issuer: { kind: 'AcmeIssuer', name: 'ca' } };
const issuerRef = { group: 'projectdomain.io', kind: 'AcmeIssuer', name: 'ca' };
const requestOfOurs = (...conditions: Parameters<typeof request>[1] & object) => {
  const made = request('r', conditions);
  return { ...made, spec: { ...made.spec, issuerRef } };
};
const approved = { type: 'Approved', status: 'True' } as const;

const checked = { state: 'Verified', check: { checkedAt: timestamp(now - 90_000) } } as const;
const held = (changes: Partial<ProjectDomainSnapshot> = {}): ProjectDomainSnapshot =>
  snapshot({ ...heldBy, settings: ours, domain: domain({ status: { ...checked } }), verdict: verdict(), ...changes });

const writesOf = (of: ProjectDomainSnapshot) => decideProjectDomain(of).writes;

function pathsOf(of: ProjectDomainSnapshot): { readonly paths: readonly string[]; readonly tls: boolean } | null {
  const write = writesOf(of).find(({ verb, kind }) => verb === 'apply' && kind.kind === 'Ingress');
  if (write?.verb !== 'apply') return null;
  const { tls, rules } = write.object.spec as {
    readonly tls?: unknown;
    readonly rules: readonly { readonly http: { readonly paths: readonly { readonly path: string }[] } }[];
  };
  return { paths: rules[0]?.http.paths.map(({ path }) => path) ?? [], tls: tls !== undefined };
}

const challenges = '/.well-known/acme-challenge/';

describe('the route of a held hostname', () => {
  it.each<[string, Partial<ProjectDomainSnapshot>, ReturnType<typeof pathsOf>]>([
    [
      'leads to the answers of challenges alone before the certificate is there',
      {},
      { paths: [challenges], tls: false },
    ],
    ['is not there before that where cert-manager orders', { settings }, null],
    [
      'leads to the project too once it is there, and to the answers for renewals',
      { certificate: certificateIn(true) },
      { paths: ['/', challenges], tls: true },
    ],
    [
      'goes on to lead to the project while the certificate is issued anew',
      { certificate: certificateIn(false), route },
      { paths: ['/', challenges], tls: true },
    ],
    ['is not there before the hostname is held', { claim: undefined, claimRelation: { kind: 'Free', epoch: 1 } }, null],
  ])('%s', (_, changes, expected) => {
    expect(pathsOf(held(changes))).toEqual(expected);
  });
});

describe('the Certificate', () => {
  const specOf = (of: ProjectDomainSnapshot) => {
    const write = writesOf(of).find(({ verb, kind }) => verb === 'apply' && kind.kind === 'Certificate');
    return write?.verb === 'apply' ? write.object.spec : null;
  };

  it('names our issuer, and is renewed by cert-manager later than authorities suggest', () => {
    expect(specOf(held())).toMatchObject({ issuerRef, renewBeforePercentage: 25 });
  });

  it('is as before where cert-manager orders', () => {
    expect(specOf(held({ settings }))).not.toHaveProperty('renewBeforePercentage');
  });
});

function ordersOf(of: ProjectDomainSnapshot): readonly OrderEntry[] | null {
  const write = writesOf(of).find(({ verb, kind }) => verb === 'replace' && kind.kind === 'HostnameClaim');
  return write?.verb === 'replace' ? ((write.object as HostnameClaim).spec.orders ?? []) : null;
}

describe('an order', () => {
  const open = requestOfOurs();
  const granted = { certificate: certificateIn(false), requests: [open], orderLedger: granting(open) };

  it('is recorded with the check that it rests on where the operator places it', () => {
    expect(ordersOf(held(granted))).toMatchObject([{ request: 'u-r', outcome: 'Pending', checkedAt: timestamp(now) }]);
  });

  it('is recorded without where cert-manager places it', () => {
    const byCertManager = request('r');
    const of = held({ ...granted, settings, requests: [byCertManager] });
    expect(ordersOf(of)?.[0]).not.toHaveProperty('checkedAt');
  });

  const waiting = (entry: Partial<OrderEntry>, changes: Partial<ProjectDomainSnapshot> = {}) => {
    const order = { request: 'u-r', at: timestamp(now - 90_000), outcome: 'Pending' as const, ...entry };
    return held({
      certificate: certificateIn(false),
      requests: [requestOfOurs(approved)],
      claim: claim({ orders: [order] }),
      ...changes,
    });
  };
  const old = { checkedAt: timestamp(now - 90_000) };
  const placed = { acme: { account: 'a', thumbprint: 't', placed: 1, order: 'o' } };

  it.each<[string, boolean, ProjectDomainSnapshot]>([
    ['that is not placed yet has its domain checked again after a minute', true, waiting(old, { verdict: null })],
    ['that is placed does not', false, waiting({ ...old, ...placed }, { verdict: null })],
    ["of cert-manager's does not", false, waiting({}, { verdict: null })],
  ])('%s: %s', (_, isDue, of) => {
    const checkStatus = { ...of.checkStatus, checkedAt: now, fullyCheckedAt: now - 90_000 };
    expect(isCheckDue({ ...of, checkStatus })).toBe(isDue);
  });

  const live = domain({ status: { state: 'Live' } });
  const allRight = { routing: 'Yes', ownership: 'Yes', caa: 'Yes', corroborated: true } as const;

  // Would fail if one lost packet cost a request its turn: the next scheduled check may be a quarter of an hour away.
  it.each<[string, Partial<CheckStatus>, number, boolean]>([
    ['could not tell is checked again after ten seconds', { routing: 'Unknown' }, 10_000, true],
    ['could not tell is not checked again sooner', { routing: 'Unknown' }, 9_000, false],
    ['was told by one name server alone is checked again after ten seconds', { corroborated: false }, 10_000, true],
    ['said no is not checked again as soon', { routing: 'Unknown', caa: 'No' }, 10_000, false],
    ['said yes is not either', {}, 10_000, false],
  ])('of a request that has its turn and whose last check %s', (_, answers, age, isDue) => {
    const at = now + 60_000;
    const of = held({ ...granted, domain: live, verdict: null, now: at });
    const checks = { ...of.checkStatus, ...allRight, ...answers, checkedAt: at - age, fullyCheckedAt: at - age };
    expect(isCheckDue({ ...of, checkStatus: checks })).toBe(isDue);
  });

  it('of a request that has its turn brings the domain back after a check that could not tell', () => {
    const routing = { ...verdict().routing, verdict: 'unknown' as const };
    const checks = { checkedAt: timestamp(now), startedAt: timestamp(now - 10 * days), ...allRight };
    const served = domain({ status: { state: 'Live', check: { ...checks, successes: 2, failures: 0 } } });
    const of = held({ ...granted, domain: served, verdict: { ...verdict(), routing } });
    expect(decideProjectDomain(of).requeueAt).toBe(now + 10_000);
  });

  it('that waits has the later check recorded, and a reconcile when that is a minute old', () => {
    const of = waiting(old);
    expect(ordersOf(of)).toMatchObject([{ checkedAt: timestamp(now) }]);
    expect(decideProjectDomain(of).requeueAt).toBeLessThanOrEqual(now + 60_000);
  });

  it('that waits is not kept from its check by itself, where it is the last that the authority allows of its name', () => {
    const issued = ['a', 'b', 'c', 'd'].map((id) => ({
      request: id,
      at: timestamp(now - 86_400_000),
      outcome: 'Issued' as const,
    }));
    const order = { request: 'u-r', at: timestamp(now - 90_000), outcome: 'Pending' as const, ...old };
    const orders = ordersOf(waiting(old, { claim: claim({ orders: [...issued, order] }) }));
    expect(orders?.at(-1)).toMatchObject({ checkedAt: timestamp(now) });
  });

  it.each<[string, boolean, Partial<OrderEntry>]>([
    ['a renewal that is not placed yet needs more than a confirmation that the hostname leads here', false, old],
    ['one that is placed does not', true, { ...old, ...placed }],
    ['one that has to wait for a time does not before that', true, { ...old, waitsUntil: timestamp(now + 60_000) }],
  ])('%s', (_, isEnough, entry) => {
    const live = domain({ status: { ...checked, state: 'Live' } });
    const of = waiting(entry, { domain: live, certificate: certificateIn(true), leadingSince: now });
    const all = { routing: 'Yes', ownership: 'Yes', caa: 'Yes', corroborated: true } as const;
    const checkStatus = { ...of.checkStatus, ...all, checkedAt: now, fullyCheckedAt: now - 90_000 };
    expect(canConfirm({ ...of, checkStatus })).toBe(isEnough);
  });

  it('that waits has no check recorded that forbids it', () => {
    const forbidden = verdict({ caa: { verdict: 'no', code: 'CaaForbidsAuthority' } });
    expect(ordersOf(waiting(old, { verdict: forbidden }))).toBeNull();
  });

  it('has its outcome from whoever placed it, once its proofs are given up', () => {
    const ended = requestOfOurs(approved, { type: 'Ready', status: 'True' });
    expect(
      ordersOf(waiting({ ...old, ...placed }, { requests: [ended], certificate: certificateIn(true) })),
    ).toBeNull();
  });
});

describe('a request that is approved', () => {
  const approvedAt = (ago: number) => ({ ...approved, lastTransitionTime: timestamp(now - ago) });
  const removed = (of: ProjectDomainSnapshot) => writesOf(of).filter(({ verb }) => verb === 'remove').length;
  const at = { certificate: certificateIn(false) };
  const order = (outcome: 'Pending' | 'Failed') => claim({ orders: [{ request: 'u-r', at: timestamp(now), outcome }] });

  it.each<[string, number, ProjectDomainSnapshot]>([
    [
      'without an order is removed: cert-manager would wait for ever',
      1,
      held({ ...at, requests: [requestOfOurs(approvedAt(180_000))] }),
    ],
    ['is not while its order may not be seen yet', 0, held({ ...at, requests: [requestOfOurs(approvedAt(60_000))] })],
    [
      'is not while its order is open',
      0,
      held({ ...at, requests: [requestOfOurs(approvedAt(180_000))], claim: order('Pending') }),
    ],
    [
      'is once its order has ended without it',
      1,
      held({ ...at, requests: [requestOfOurs(approvedAt(180_000))], claim: order('Failed') }),
    ],
    [
      'is not once it has failed itself',
      0,
      held({
        ...at,
        requests: [requestOfOurs(approvedAt(180_000), { type: 'Ready', status: 'False', reason: 'Failed' })],
      }),
    ],
    [
      'is left to cert-manager where that orders',
      0,
      held({ ...at, settings, requests: [request('r', [approvedAt(180_000)])] }),
    ],
  ])('%s', (_, count, of) => {
    expect(removed(of)).toBe(count);
  });
});

describe('what a certificate that is being issued waits for', () => {
  const silent = 'the certificate authority does not answer; it is asked again';
  const pending = { type: 'Ready', status: 'False', reason: 'Pending', message: silent } as const;
  const order = { request: 'u-r', at: timestamp(now - 60_000), outcome: 'Pending' } as const;
  const at = { certificate: certificateIn(false), claim: claim({ orders: [order] }) };
  const shown = (of: ProjectDomainSnapshot) => {
    const write = writesOf(of).find(({ verb, kind }) => verb === 'applyStatus' && kind.kind === 'ProjectDomain');
    if (write?.verb !== 'applyStatus') throw new Error('no status is written');
    const { conditions } = write.object.status as NonNullable<ProjectDomain['status']>;
    return findCondition(conditions, 'CertificateIssued')?.message;
  };

  it.each<[string, string, ProjectDomainSnapshot]>([
    [
      'is told once its request says so',
      `the certificate is being issued: ${silent}`,
      held({ ...at, requests: [requestOfOurs(approved, pending)] }),
    ],
    [
      'is not while that is a matter of moments',
      'the certificate is being issued',
      held({ ...at, requests: [requestOfOurs(approved)] }),
    ],
    [
      "is not in cert-manager's words where that orders",
      'the certificate is being issued',
      held({ ...at, settings, requests: [request('r', [approved, pending])] }),
    ],
  ])('%s', (_, message, of) => {
    expect(shown(of)).toBe(message);
  });
});

describe('after a failure', () => {
  const failedAt = (ago: number, outcome: OrderEntry['outcome'] = 'Failed'): Partial<ProjectDomainSnapshot> => {
    const certificate = certificateIn(false);
    const conditions = [{ type: 'Issuing', status: 'False' as const, reason: 'Failed', message: 'refused' }];
    return {
      certificate: {
        ...certificate,
        status: { ...certificate.status, lastFailureTime: timestamp(now - ago), conditions },
      },
      claim: claim({ orders: [{ request: 'u-r', at: timestamp(now - ago), outcome }] }),
    };
  };
  const asked = { verify: { kind: 'asked', value: timestamp(now), fresh: true } } as const;
  const attempts = (of: ProjectDomainSnapshot) => writesOf(of).filter(({ verb }) => verb === 'replaceStatus').length;

  it.each<[string, number, ProjectDomainSnapshot]>([
    [
      "the next attempt begins once the hostname's own wait has ended, not cert-manager's",
      1,
      held(failedAt(6 * 60_000)),
    ],
    ['it does not before', 0, held(failedAt(4 * 60_000))],
    ['it does at once where nobody had refused the last order', 1, held(failedAt(1_000, 'Abandoned'))],
    ['it is left to cert-manager where that orders', 0, held({ ...failedAt(6 * 60_000), settings })],
    [
      'it begins there for Verify where nobody had refused the last order',
      1,
      held({ ...failedAt(1_000, 'Abandoned'), ...asked, settings }),
    ],
    ['it is left to cert-manager where nobody asks', 0, held({ ...failedAt(1_000, 'Abandoned'), settings })],
    [
      'it is left to cert-manager where the last order failed, whoever asks',
      0,
      held({ ...failedAt(6 * 60_000), ...asked, settings }),
    ],
    [
      'it does not while DNS says no',
      0,
      held({
        ...failedAt(6 * 60_000),
        verdict: verdict({ routing: { verdict: 'no', code: 'RecordMissing', by: null } }),
      }),
    ],
    [
      'it does not while the failed order is not settled',
      0,
      held({
        ...failedAt(6 * 60_000),
        claim: claim({ orders: [{ request: 'u-r', at: timestamp(now), outcome: 'Pending' }] }),
      }),
    ],
  ])('%s', (_, count, of) => {
    expect(attempts(of)).toBe(count);
  });
});
