import { describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { WriteAction, Actions } from '../../../src/controller-runtime/actions.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { readCheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import {
  certificateIn,
  claim,
  domain,
  granting,
  heldBy,
  issueWith,
  route,
  verdict,
  limits,
  now,
  request,
  competitor,
  snapshot,
  ingress,
  routeOf,
} from '../../support/snapshot.ts';

/** Snapshot in, plan out: what people see and what is done, without any world. */

type Status = NonNullable<ProjectDomain['status']>;

function statusOf(actions: Actions): Status {
  const write = actions.writes.find((action) => action.verb === 'applyStatus' && action.kind.kind === 'ProjectDomain');
  if (write?.verb !== 'applyStatus') throw new Error('the plan writes no status');
  return write.object.status as Status;
}

/** What is done besides the status, as `verb Kind`. */
const deeds = ({ writes }: Actions): readonly string[] =>
  writes
    .filter(({ verb, kind }) => !(verb === 'applyStatus' && kind.kind === 'ProjectDomain'))
    .map(({ verb, kind }) => `${verb} ${kind.kind}`);

const settled = (given: Partial<ProjectDomainSnapshot>) => {
  const owned = {
    ...domain().metadata,
    ownerReferences: [{ apiVersion: '', kind: 'Project', name: 'shop', uid: 'u-shop' }],
  };
  const subject = given.domain ?? domain();
  return snapshot({
    ...given,
    domain: { ...subject, metadata: { ...owned, ...('annotations' in subject.metadata ? subject.metadata : {}) } },
  });
};

const reason = (actions: Actions) => statusOf(actions).conditions?.find(({ type }) => type === 'Ready')?.reason;

describe('may it be served at all', () => {
  it.each<[string, Partial<ProjectDomainSnapshot>, string, string]>([
    ['a public suffix', { domain: domain({ spec: { hostname: 'co.uk' } }) }, 'Pending', 'PublicSuffix'],
    [
      "a name under the platform's domain",
      { domain: domain({ spec: { hostname: 'x.apps.example.net' } }) },
      'Pending',
      'PlatformHostname',
    ],
    ['a namespace of no account', { account: undefined }, 'Pending', 'AccountNotFound'],
    ['a plan that does not exist', { limits: null }, 'Pending', 'PlanNotFound'],
    ['a project that does not exist', { project: undefined }, 'Pending', 'ProjectNotFound'],
    [
      'a plan without custom domains',
      {
        limits: {
          ...limits,
          rateLimit: { requestsPerMinute: 60, requestsPerDay: 1000 },
          customDomains: { enabled: false, maxPerProject: 0 },
        },
      },
      'Pending',
      'PlanUpgradeRequired',
    ],
    [
      'a project never deployed',
      { project: { ...snapshot().project, status: {} } as ProjectDomainSnapshot['project'] },
      'Pending',
      'NotDeployed',
    ],
    ['another primary that was first', { siblings: [competitor({ role: 'Primary' })] }, 'Pending', 'PrimaryExists'],
    [
      'another primary that came later',
      { siblings: [competitor({ role: 'Primary', createdAt: '2026-01-01T11:59:59Z' })] },
      'Unverified',
      'Waiting',
    ],
    [
      'a later primary that holds its name',
      { siblings: [competitor({ role: 'Primary', createdAt: '2026-01-01T11:59:59Z', held: true })] },
      'Pending',
      'PrimaryExists',
    ],
    [
      'the cap reached',
      {
        limits: {
          ...limits,
          rateLimit: { requestsPerMinute: 60, requestsPerDay: 1000 },
          customDomains: { enabled: true, maxPerProject: 1 },
        },
        siblings: [competitor()],
      },
      'Pending',
      'DomainCapReached',
    ],
    [
      'the same hostname in the same account, first',
      { sameHostname: [competitor({ hostname: 'www.example.com' })] },
      'Pending',
      'HostnameInUse',
    ],
    [
      'a redirect to itself',
      { domain: domain({ spec: { role: 'Redirect', redirect: { to: 'www.example.com' } } }) },
      'Pending',
      'RedirectToSelf',
    ],
    [
      'a redirect to a foreign name',
      { domain: domain({ spec: { role: 'Redirect', redirect: { to: 'x.test' } } }) },
      'Pending',
      'RedirectToForeign',
    ],
    [
      'a redirect to a redirect',
      {
        domain: domain({ spec: { role: 'Redirect', redirect: { to: 'other.example.com' } } }),
        siblings: [competitor()],
      },
      'Pending',
      'RedirectToRedirect',
    ],
    [
      'a redirect to the platform hostname',
      { domain: domain({ spec: { role: 'Redirect', redirect: { to: 'shop.apps.example.net' } } }) },
      'Unverified',
      'Waiting',
    ],
  ])('%s', (_, given, state, why) => {
    const actions = decideProjectDomain(settled(given));
    expect([statusOf(actions).state, reason(actions)]).toEqual([state, why]);
    expect(deeds(actions)).toEqual([]);
  });
});

describe('from proof to claim', () => {
  const no = verdict({
    routing: { verdict: 'no', code: 'RecordMissing', by: null },
    ownership: { verdict: 'no', code: 'RecordMissing' },
  });
  it.each<[string, Partial<ProjectDomainSnapshot>, readonly string[], string]>([
    [
      'proof of a free name creates the claim and nothing else yet',
      { verdict: verdict() },
      ['create HostnameClaim'],
      'Verified',
    ],
    ['no proof, no claim', { verdict: no }, [], 'Unverified'],
    [
      'routing without ownership is no proof',
      { verdict: verdict({ ownership: { verdict: 'no', code: 'TxtMissing' } }) },
      [],
      'Unverified',
    ],
    ['not accepted, no claim, whatever DNS says', { verdict: verdict(), limits: null }, [], 'Pending'],
    [
      'a tombstone of this account is revived',
      { verdict: verdict(), claim: claim({ phase: 'Tombstone', releasedAt: 'x' }) },
      ['replace HostnameClaim'],
      'Verified',
    ],
    [
      'proof by one server of a zone that has two is no proof yet',
      { verdict: verdict({ corroborated: false }) },
      [],
      'Unverified',
    ],
    [
      'a name held elsewhere is not taken by a first proof',
      {
        verdict: verdict(),
        claimRelation: { kind: 'Foreign', phase: 'Held', epoch: 2 },
        claim: claim({ account: 'acc-other' }),
      },
      [],
      'Unverified',
    ],
  ])('%s', (_, given, wanted, state) => {
    const actions = decideProjectDomain(settled(given));
    expect(deeds(actions)).toEqual(wanted);
    expect(statusOf(actions).state).toBe(state);
  });

  it('proof by one server of two says that the other one is missed', () => {
    const actions = decideProjectDomain(settled({ verdict: verdict({ corroborated: false }) }));
    expect(statusOf(actions).conditions).toContainEqual(
      expect.objectContaining({ type: 'DNSVerified', status: 'Unknown', reason: 'OneServerAlone' }),
    );
  });

  const contended = (changes: Partial<ProjectDomainSnapshot>) =>
    settled({
      verdict: verdict(),
      claim: claim({ account: 'acc-other', holder: { namespace: 'other', name: 'www' } }),
      claimRelation: { kind: 'Foreign', phase: 'Held', epoch: 2 },
      foreignHolder: { target: 'p-theirs.cname.apps.example.net', ownership: 'projectdomain-verify=theirs' },
      checkStatus: { ...readCheckStatus(domain()), successes: 1 },
      ...changes,
    });

  it("a second proof with the holder's records gone begins the transfer", () => {
    expect(deeds(decideProjectDomain(contended({})))).toEqual(['replace HostnameClaim']);
  });

  it("the holder's own record still visible keeps the name where it is", () => {
    const discovered = [{ name: 'x', type: 'TXT' as const, ttl: 60, value: 'projectdomain-verify=theirs' }];
    expect(deeds(decideProjectDomain(contended({ verdict: verdict({ discovered }) })))).toEqual([]);
  });

  it('a foreign tombstone goes with its Secret, and the epoch grows', () => {
    const actions = decideProjectDomain(
      contended({ claimRelation: { kind: 'Foreign', phase: 'Tombstone', epoch: 2 } }),
    );
    expect(deeds(actions)).toEqual(['remove Secret', 'replace HostnameClaim']);
    const replaced = actions.writes[1] as Extract<WriteAction, { verb: 'replace' }>;
    expect(replaced.object.spec).toMatchObject({
      epoch: 2,
      account: 'acc-acme',
      phase: 'Held',
      holder: { namespace: 'acme', name: 'www' },
    });
  });

  it('moves alone where the former holder’s namespace is gone: to delete a Secret there is forbidden, and would keep the hostname from everybody', () => {
    const claimRelation = { kind: 'Foreign', phase: 'Tombstone', epoch: 2 } as const;
    const actions = decideProjectDomain(contended({ claimRelation, areSecretsGone: true }));
    expect(deeds(actions)).toEqual(['replace HostnameClaim']);
  });

  it('has the certificates of the former holder revoked by the very write that moves it, and drops what was requested of them', () => {
    const acme = { account: 'a', thumbprint: 't', placed: 1, download: 'd', notAfter: '2026-02-01T00:00:00Z' };
    const orders = [{ request: 'r', at: '2025-12-01T00:00:00Z', outcome: 'Issued' as const, acme }];
    const revocation = { reason: 'superseded' as const, requestedAt: '2026-01-01T00:00:00Z' };
    const foreign = claim({ account: 'acc-other', holder: { namespace: 'other', name: 'www' }, orders, revocation });
    const claimRelation = { kind: 'Foreign', phase: 'Tombstone', epoch: 2 } as const;
    const [, move] = decideProjectDomain(contended({ claim: foreign, claimRelation })).writes;
    const { spec } = (move as Extract<WriteAction, { verb: 'replace' }>).object as typeof foreign;
    expect(spec.orders).toMatchObject([{ request: 'r', revocation: { reason: 'cessationOfOperation' } }]);
    expect(spec).not.toHaveProperty('revocation');
  });

  it('comes back to its own account with its certificates, and with what was requested of them', () => {
    const acme = { account: 'a', thumbprint: 't', placed: 1, download: 'd', notAfter: '2026-02-01T00:00:00Z' };
    const orders = [{ request: 'r', at: '2025-12-01T00:00:00Z', outcome: 'Issued' as const, acme }];
    const revocation = { reason: 'superseded' as const, requestedAt: '2026-01-01T00:00:00Z' };
    const given = claim({ phase: 'Tombstone', orders, revocation });
    const actions = decideProjectDomain(
      settled({ verdict: verdict(), claim: given, claimRelation: { kind: 'Free', epoch: 1 } }),
    );
    const [revive] = actions.writes;
    const { spec } = (revive as Extract<WriteAction, { verb: 'replace' }>).object as typeof given;
    expect([spec.orders, spec.revocation]).toEqual([orders, revocation]);
  });
});

describe('from claim to Live', () => {
  const fresh = { verdict: verdict(), ...heldBy };
  it.each<[string, Partial<ProjectDomainSnapshot>, readonly string[], string, string]>([
    ['a held name gets its Certificate', fresh, ['apply Certificate'], 'Verified', 'Issuing'],
    [
      'CAA that forbids: no Certificate, so no order',
      { ...fresh, verdict: verdict({ caa: { verdict: 'no', code: 'CaaForbidsAuthority' } }) },
      [],
      'Verified',
      'CAAForbids',
    ],
    [
      'CAA that cannot be read: no order either',
      { ...fresh, verdict: verdict({ caa: { verdict: 'unknown', code: 'NoUsableAnswer' } }) },
      [],
      'Verified',
      'CAAUnknown',
    ],
    [
      'an issued certificate gets its Ingress',
      { ...fresh, certificate: certificateIn(true) },
      ['apply Certificate', 'apply Ingress'],
      'Verified',
      'NotAnswering',
    ],
    [
      'an Ingress that does not answer is not Live',
      { ...fresh, certificate: certificateIn(true), route, probe: { ok: false, code: 'Unreachable', detail: 'x' } },
      ['apply Certificate', 'apply Ingress'],
      'Verified',
      'NotAnswering',
    ],
    [
      'an Ingress that answers is Live',
      { ...fresh, certificate: certificateIn(true), route, probe: { ok: true } },
      ['apply Certificate', 'apply Ingress'],
      'Live',
      'Routed',
    ],
  ])('%s', (_, given, wanted, state, why) => {
    const actions = decideProjectDomain(settled(given));
    expect([deeds(actions), statusOf(actions).state, reason(actions)]).toEqual([wanted, state, why]);
  });

  it('a request is recorded on the ledger before it is approved', () => {
    const asked = {
      certificate: certificateIn(false),
      requests: [request('r1')],
      orderLedger: granting(request('r1')),
    };
    expect(deeds(decideProjectDomain(settled({ ...fresh, ...asked })))).toEqual([
      'apply Certificate',
      'replace HostnameClaim',
      'applyStatus CertificateRequest',
    ]);
  });

  it('a recorded request is approved without a second entry', () => {
    const recorded = claim({ orders: [{ request: 'u-r1', at: '2026-01-01T12:00:00Z', outcome: 'Pending' }] });
    const actions = decideProjectDomain(
      settled({ ...fresh, claim: recorded, certificate: certificateIn(false), requests: [request('r1')] }),
    );
    expect(deeds(actions)).toEqual(['apply Certificate', 'applyStatus CertificateRequest']);
  });

  it('a request is left undecided, with the reason on it, where CAA forbids', () => {
    const caa = { verdict: 'no', code: 'CaaForbidsAuthority' } as const;
    const actions = decideProjectDomain(
      settled({ ...fresh, verdict: verdict({ caa }), certificate: certificateIn(true), requests: [request('r1')] }),
    );
    const written = actions.writes.find(({ kind }) => kind.kind === 'CertificateRequest') as Extract<
      WriteAction,
      { verb: 'applyStatus' }
    >;
    expect(written.object.status).toMatchObject({ conditions: [{ type: 'ApprovalWithheld' }] });
  });

  it("a request without its turn in the issuer's ledger waits, and says in the status that it does", () => {
    const actions = decideProjectDomain(
      settled({ ...fresh, certificate: certificateIn(false), requests: [request('r1')] }),
    );
    expect(deeds(actions)).toEqual(['apply Certificate', 'applyStatus CertificateRequest']);
    expect(JSON.stringify(actions.writes)).not.toContain('"Approved"');
    expect(statusOf(actions).certificate?.request).toBe('u-r1');
    // Where others are granted all that there is nothing wakes it, and nobody would be told until when it waits.
    expect(actions.requeueAt).toBe(now + 10_000);
  });

  it('an approval is refused by the API server when the request is no longer the one that was read', () => {
    const asked = {
      certificate: certificateIn(false),
      requests: [request('r1')],
      orderLedger: granting(request('r1')),
    };
    const written = decideProjectDomain(settled({ ...fresh, ...asked })).writes.find(
      ({ kind }) => kind.kind === 'CertificateRequest',
    );
    if (written?.verb !== 'applyStatus') throw new Error('nothing was approved');
    expect(written.object.metadata).toMatchObject({ uid: 'u-r1', resourceVersion: '3' });
  });

  it('failures in a row make the name wait, and say until when', () => {
    const orders = [50, 40, 30, 20, 10].map((minutes) => ({
      request: `r${minutes}`,
      at: new Date(now - minutes * 60_000).toISOString(),
      outcome: 'Failed' as const,
    }));
    const actions = decideProjectDomain(settled({ ...fresh, claim: claim({ orders }) }));
    expect([deeds(actions), reason(actions)]).toEqual([[], 'IssuanceLimited']);
    expect(statusOf(actions).certificate?.waitsUntil).toBe('2026-01-01T13:10:00Z');
  });
});

describe('after Live', () => {
  const hour = 3_600_000;
  const at = (ago: number) => new Date(now - ago).toISOString();
  const T = (type: string) => ({
    type,
    status: 'True' as const,
    reason: 'x',
    message: 'x',
    lastTransitionTime: at(hour * 24 * 30),
  });
  const liveStatus = (check: Status['check'] = {}, falseSince: Record<string, number> = {}): Status => ({
    state: 'Live',
    check,
    conditions: ['Accepted', 'OwnershipVerified', 'DNSVerified', 'CertificateIssued', 'Routed', 'Ready'].map((type) =>
      type in falseSince
        ? { ...T(type), status: 'False' as const, lastTransitionTime: at(falseSince[type] ?? 0) }
        : T(type),
    ),
  });
  const live = (status: Status, given: Partial<ProjectDomainSnapshot> = {}) => {
    const subject = domain({ status });
    return settled({
      domain: subject,
      ...heldBy,
      certificate: certificateIn(true),
      route,
      checkStatus: readCheckStatus(subject),
      ...given,
    });
  };
  const gone = verdict({ routing: { verdict: 'no', code: 'RecordMissing', by: null } });
  const silent = verdict({ routing: { verdict: 'unknown', code: 'NoUsableAnswer', by: null } });
  const failing = (failures: number, since: number): Status['check'] => ({
    failures,
    failingSince: at(since),
    checkedAt: at(hour / 4),
  });

  it.each<[string, ProjectDomainSnapshot, string]>([
    ['one failure changes nothing', live(liveStatus(), { verdict: gone }), 'Live'],
    ['three failures within minutes change nothing', live(liveStatus(failing(2, hour / 2)), { verdict: gone }), 'Live'],
    ['two failures over an hour change nothing', live(liveStatus(failing(1, hour)), { verdict: gone }), 'Live'],
    [
      'three failures over an hour are Degraded, still served',
      live(liveStatus(failing(2, hour)), { verdict: gone }),
      'Degraded',
    ],
    ['a yes forgives', live(liveStatus(failing(2, hour)), { verdict: verdict() }), 'Live'],
    ['an unknown is never a failure', live(liveStatus(failing(2, hour)), { verdict: silent }), 'Live'],
    [
      'an unknown does not make an hour of three failures within minutes',
      live(liveStatus(failing(3, hour)), { verdict: silent }),
      'Live',
    ],
    [
      'thirty days of unknown are Degraded',
      live(liveStatus({ unknownSince: at(hour * 24 * 30) }), { verdict: silent }),
      'Degraded',
    ],
    [
      'a plan that no longer allows it is Degraded',
      live(liveStatus(), {
        limits: {
          ...limits,
          ...snapshot().limits,
          customDomains: { enabled: false, maxPerProject: 0 },
        },
      }),
      'Degraded',
    ],
    [
      'an absent account is Degraded, never taken away',
      live(liveStatus(), { account: undefined, limits: null }),
      'Degraded',
    ],
    [
      'a TXT deleted after verification only warns',
      live(liveStatus(), { verdict: verdict({ ownership: { verdict: 'no', code: 'TxtMissing' } }) }),
      'Live',
    ],
  ])('%s', (_, given, state) => {
    const actions = decideProjectDomain(given);
    expect(statusOf(actions).state).toBe(state);
    expect(deeds(actions).filter((deed) => deed.startsWith('remove'))).toEqual([]);
  });

  it.each<[string, ProjectDomainSnapshot]>([
    [
      'seven days without its record',
      live(liveStatus(failing(9, hour * 24 * 7), { DNSVerified: hour * 24 * 7 }), { verdict: gone }),
    ],
    [
      "an administrator's word",
      live(liveStatus(), {
        claim: { ...claim(), metadata: { ...claim().metadata, annotations: { 'projectdomain.io/suspend': 'abuse' } } },
      }),
    ],
  ])('%s suspends: route and Certificate go, Secret and claim stay', (_, given) => {
    const actions = decideProjectDomain(given);
    expect(statusOf(actions).state).toBe('Suspended');
    expect(deeds(actions)).toEqual(['remove Ingress', 'remove Certificate']);
  });

  it('a record that led elsewhere stays the reason while nobody answers', () => {
    const lost = statusOf(decideProjectDomain(live(liveStatus(failing(2, hour)), { verdict: gone })));
    const after = decideProjectDomain(live(lost, { verdict: silent }));
    expect([statusOf(after).state, reason(after)]).toEqual(['Degraded', 'RecordMissing']);
  });

  it('a reason that only another version knows gives way to one that its sentence fits', () => {
    const { conditions, ...lost } = statusOf(
      decideProjectDomain(live(liveStatus(failing(2, hour)), { verdict: gone })),
    );
    const strange = conditions?.map((one) =>
      one.type === 'DNSVerified' ? { ...one, reason: 'OfAnotherVersion' } : one,
    );
    const after = statusOf(decideProjectDomain(live({ ...lost, conditions: strange ?? [] }, { verdict: silent })));
    expect(after.conditions?.find(({ type }) => type === 'DNSVerified')).toMatchObject({
      ...{ status: 'False', reason: 'WrongTarget', message: 'www.example.com points somewhere else' },
    });
  });

  it('thirty days of unknown never suspend', () => {
    const status = liveStatus({ unknownSince: at(hour * 24 * 90) }, { DNSVerified: hour * 24 * 60 });
    expect(statusOf(decideProjectDomain(live(status, { verdict: silent }))).state).toBe('Degraded');
  });

  it('a name lost to another proof is withdrawn', () => {
    const actions = decideProjectDomain(
      live(liveStatus(), { claimRelation: { kind: 'Releasing', epoch: 1 }, claim: claim({ phase: 'Releasing' }) }),
    );
    expect([statusOf(actions).state, deeds(actions)]).toEqual(['Suspended', ['remove Ingress', 'remove Certificate']]);
  });

  it('children of somebody else under the same name are never removed', () => {
    const foreign = { ...ingress, metadata: { ...ingress.metadata, ownerReferences: [] } };
    const actions = decideProjectDomain(
      live(liveStatus(), {
        claimRelation: { kind: 'Releasing', epoch: 1 },
        route: routeOf(foreign),
        certificate: undefined,
      }),
    );
    expect(deeds(actions)).toEqual([]);
  });

  const annotations = { 'projectdomain.io/suspend': 'abuse' };
  const suspended = { ...heldBy, claim: { ...claim(), metadata: { ...claim().metadata, annotations } } };
  const nobodys = <T extends { readonly metadata: object }>(object: T) => ({
    ...object,
    metadata: { ...object.metadata, ownerReferences: [] },
  });
  const withOwner = (controller: boolean) => ({
    ...ingress,
    metadata: {
      ...ingress.metadata,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'x', uid: 'u-x', controller }],
    },
  });
  it.each<[string, Partial<ProjectDomainSnapshot>, readonly string[]]>([
    [
      'whose owner references a mutating policy took away go all the same: the hostname is this domain’s, and nobody else would end its serving',
      { route: routeOf(nobodys(ingress)), certificate: nobodys(certificateIn(true)) },
      ['remove Ingress', 'remove Certificate'],
    ],
    [
      'that somebody owns besides, as whoever collects them does, go too',
      { route: routeOf(withOwner(false)), certificate: undefined },
      ['remove Ingress'],
    ],
    [
      'of another controller stay, as that would make them again',
      { route: routeOf(withOwner(true)), certificate: undefined },
      [],
    ],
    [
      'without an owner that a finalizer keeps lead to the redirector, which knows that nobody is served there',
      {
        route: routeOf({
          ...nobodys(ingress),
          metadata: { ...nobodys(ingress).metadata, deletionTimestamp: at(0), finalizers: ['example.com/keeps'] },
        }),
        certificate: undefined,
      },
      ['apply Ingress'],
    ],
  ])('children of a suspended hostname %s', (_, changes, wanted) => {
    expect(deeds(decideProjectDomain(live(liveStatus(), { ...suspended, ...changes })))).toEqual(wanted);
  });
});

describe('what is written', () => {
  it('the timeline grows with each new state, keeps fifty, and does not repeat itself', () => {
    const timeline = Array.from({ length: 50 }, (_, index) => ({
      at: 'x',
      state: index % 2 ? 'Live' : 'Degraded',
      reason: 'x',
      message: 'x',
    }));
    const status = { state: 'Live' as const, timeline };
    const grown =
      statusOf(decideProjectDomain(settled({ domain: domain({ status }), verdict: verdict() }))).timeline ?? [];
    expect([grown.length, grown.at(-1)?.state]).toEqual([50, 'Verified']);
    const same =
      statusOf(decideProjectDomain(settled({ domain: domain({ status: { timeline: grown } }), verdict: verdict() })))
        .timeline ?? [];
    expect(same).toEqual(grown);
  });

  it('whatever customers put into DNS, the status stays within the bounds of its schema', () => {
    const issue = issueWith({ message: 'm'.repeat(5_000), record: 'r'.repeat(5_000), fix: 'f'.repeat(5_000) });
    const routing = { verdict: 'no', code: 'StrayAddress', by: null } as const;
    const issues = Array.from({ length: 40 }, () => issue);
    const status = statusOf(decideProjectDomain(settled({ verdict: verdict({ routing, issues }) })));
    expect(status.issues).toHaveLength(32);
    expect(status.issues?.[0]?.message).toMatch(/^m{1023}…$/);
    expect(status.conditions?.every(({ message }) => [...message].length <= 4_096)).toBe(true);
    expect(status.timeline?.every(({ message }) => [...message].length <= 4_096)).toBe(true);
  });

  it('the same snapshot gives the same plan', () => {
    const given = settled({ verdict: verdict(), ...heldBy });
    expect(JSON.stringify(decideProjectDomain(given))).toBe(JSON.stringify(decideProjectDomain(given)));
  });

  it('a domain without an owner is tied to its project', () => {
    const actions = decideProjectDomain(snapshot({ verdict: verdict() }));
    expect(deeds(actions)).toContain('apply ProjectDomain');
  });
});
