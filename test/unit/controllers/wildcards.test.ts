import { describe, expect, it } from '@jest/globals';
import {
  decideProjectDomain,
  evaluateProjectDomain,
} from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { orderPermission } from '../../../src/controllers/project-domain/steps/order-permission.ts';
import type { WriteAction } from '../../../src/controller-runtime/actions.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { Ingress } from '../../../src/resources/kubernetes-types.ts';
import { redirectBackend } from '../../../src/routing/redirect-service.ts';
import { ingressControllers } from '../../../src/routing/edges/controllers.ts';
import { createIngressRoutes } from '../../../src/routing/ingress/ingress-routes.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { OverlappingClaim } from '../../../src/rules/hostname-claims.ts';
import {
  certificateIn,
  claim,
  competitor,
  domain,
  heldBy,
  now,
  route,
  settings,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/** Wildcards, and the hostnames that they include, from snapshot to actions. */

const wildcard = '*.example.com';
const serves: ProjectDomainSnapshot['settings'] = {
  ...settings,
  issuer: { kind: 'AcmeIssuer', name: 'ca' },
  challengeZone: 'acme.example.net',
  routes: createIngressRoutes({
    className: 'traefik',
    controller: { ...ingressControllers.Traefik, httpsRedirect: null },
  }),
};
const delegation = {
  name: '_acme-challenge.example.com',
  value: 'mine.acme.example.net',
  label: 'mine',
  zone: 'acme.example.net',
  isAhead: true,
};
const delegated = verdict({ routing: { verdict: 'yes', code: 'Verified', by: 'delegation' } });
const free = { claim: undefined, claimRelation: { kind: 'Free', epoch: 1 } } as const;
const pendingOf = (changes: Partial<HostnameClaim['spec']> = {}) =>
  ({ claim: claim({ phase: 'Pending', ...changes }), claimRelation: { kind: 'Pending', epoch: 1 } }) as const;
const suspendedClaim = (changes: Partial<HostnameClaim['spec']> = {}): HostnameClaim => ({
  ...claim(changes),
  metadata: { ...claim().metadata, annotations: { 'projectdomain.io/suspend': 'abuse' } },
});
const theirs = (hostname: string, phase: OverlappingClaim['phase'] = 'Held') => ({
  overlaps: [{ hostname, account: 'acc-theirs', phase }],
});

const ofWildcard = (changes: Partial<ProjectDomainSnapshot> = {}, status: ProjectDomain['status'] = {}) =>
  snapshot({
    settings: serves,
    delegation,
    domain: domain({ spec: { hostname: wildcard }, status }),
    verdict: delegated,
    ...changes,
  });
const ofHostname = (changes: Partial<ProjectDomainSnapshot> = {}, status: ProjectDomain['status'] = {}) =>
  snapshot({ settings: serves, domain: domain({ status }), verdict: verdict(), ...changes });

const writesOf = (of: ProjectDomainSnapshot, kind: string): readonly WriteAction[] =>
  decideProjectDomain(of).writes.filter((write) => write.kind.kind === kind && write.verb !== 'applyStatus');
const claimsIn = (of: ProjectDomainSnapshot) =>
  writesOf(of, 'HostnameClaim').map((write) =>
    'object' in write ? [write.verb, (write.object as HostnameClaim).spec.phase] : [write.verb],
  );
const ingressesIn = (of: ProjectDomainSnapshot) =>
  writesOf(of, 'Ingress').flatMap((write) => ('object' in write ? [write.object as unknown as Ingress] : []));
const statusOf = (of: ProjectDomainSnapshot) => {
  const write = decideProjectDomain(of).writes.find(({ verb }) => verb === 'applyStatus');
  return (write?.verb === 'applyStatus' ? write.object.status : undefined) as ProjectDomain['status'];
};
const conditionOf = (of: ProjectDomainSnapshot, type: string) => {
  const found = statusOf(of)?.conditions?.find((one) => one.type === type);
  return [found?.status, found?.reason];
};

describe('the claim of a wildcard', () => {
  it('begins as Pending, named by its base, with a flag, and proven by its delegation', () => {
    const [write] = writesOf(ofWildcard(free), 'HostnameClaim');
    expect(write).toMatchObject({
      verb: 'create',
      object: {
        metadata: { name: 'wc--wildcard.example.com' },
        spec: { phase: 'Pending', wildcard: true, proof: { method: 'Delegation' } },
      },
    });
  });

  it.each<[string, Partial<ProjectDomainSnapshot>, readonly (readonly string[])[]]>([
    [
      'is not made while another account holds a hostname that it includes',
      { ...free, ...theirs('docs.example.com') },
      [],
    ],
    ['is held once nothing of another account overlaps', pendingOf(), [['replace', 'Held']]],
    [
      'is given up where another account has a hostname',
      { ...pendingOf(), ...theirs('docs.example.com') },
      [['remove']],
    ],
    [
      'is given up where that is not decided either',
      { ...pendingOf(), ...theirs('docs.example.com', 'Pending') },
      [['remove']],
    ],
    [
      'becomes a tombstone again where there is something to remember',
      { ...pendingOf({ formerHolders: ['former'] }), ...theirs('docs.example.com') },
      [['replace', 'Tombstone']],
    ],
    [
      'becomes a tombstone again where it is suspended: deleted, it could be claimed anew without that',
      { ...pendingOf(), claim: suspendedClaim({ phase: 'Pending' }), ...theirs('docs.example.com') },
      [['replace', 'Tombstone']],
    ],
    [
      'does not move from another account while a third one holds a hostname that it includes',
      { claim: claim(), claimRelation: { kind: 'Foreign', phase: 'Held', epoch: 2 }, ...theirs('docs.example.com') },
      [],
    ],
  ])('%s', (_title, changes, writes) => {
    expect(claimsIn(ofWildcard(changes))).toEqual(writes);
  });

  it('is given up only as it was read, as it may be held by now', () => {
    const [write] = writesOf(ofWildcard({ ...pendingOf(), ...theirs('docs.example.com') }), 'HostnameClaim');
    expect(write).toMatchObject({ verb: 'remove', preconditions: { uid: 'u-claim', resourceVersion: '7' } });
  });

  it('says whose turn it is, to whoever proved it', () => {
    const taken = ofWildcard({ ...free, ...theirs('docs.example.com') });
    expect(conditionOf(taken, 'OwnershipVerified')).toEqual(['False', 'OverlapsElsewhere']);
    expect(conditionOf(taken, 'Ready')).toEqual(['False', 'OverlapsElsewhere']);
    const unproven = verdict({ ownership: { verdict: 'no', code: 'DelegationMissing' } });
    const hidden = ofWildcard({ ...free, ...theirs('docs.example.com'), verdict: unproven });
    expect(JSON.stringify(statusOf(hidden))).not.toContain('docs.example.com');
  });
});

describe('the claim of a hostname, where wildcards are served', () => {
  it.each<[string, Partial<ProjectDomainSnapshot>, readonly (readonly string[])[]]>([
    ['begins as Pending', free, [['create', 'Pending']]],
    ['is held once nothing of another account overlaps', pendingOf(), [['replace', 'Held']]],
    ['waits for a wildcard that is not decided', { ...pendingOf(), ...theirs(wildcard, 'Pending') }, []],
    ['is given up where another account holds the wildcard', { ...pendingOf(), ...theirs(wildcard) }, [['remove']]],
    ['is not made where another account holds the wildcard', { ...free, ...theirs(wildcard) }, []],
  ])('%s', (_title, changes, writes) => {
    expect(claimsIn(ofHostname(changes))).toEqual(writes);
  });

  it('is decided although the domain is not accepted any more, as others wait for it', () => {
    const refused = { account: undefined, ...pendingOf() };
    expect(claimsIn(ofHostname(refused))).toEqual([['replace', 'Held']]);
  });

  it('has labels by which the wildcard above it finds it', () => {
    const [write] = writesOf(ofHostname(free), 'HostnameClaim');
    const labels = write && 'object' in write ? write.object.metadata.labels : undefined;
    expect(Object.keys(labels ?? {})).toEqual(['projectdomain.io/below', 'projectdomain.io/claimed-by']);
  });

  it('is held at once where no wildcards are served', () => {
    const before = snapshot({ ...free, verdict: verdict() });
    expect(claimsIn(before)).toEqual([['create', 'Held']]);
  });

  it('is looked at again within a second while it waits', () => {
    const { requeueAt } = decideProjectDomain(ofHostname({ ...pendingOf(), ...theirs(wildcard, 'Pending') }));
    expect(requeueAt).toBeLessThanOrEqual(now + 1_000);
  });
});

const held = { ...heldBy, claim: claim({ wildcard: true, proof: { method: 'Delegation', at: timestamp(now) } }) };
const serving = { ...held, certificate: certificateIn(true), route, probe: { ok: true } } as const;
const checked = { state: 'Verified', check: { checkedAt: timestamp(now - 90_000), routedBy: 'target' } } as const;

describe('a wildcard', () => {
  it('is refused where none is served', () => {
    const off = snapshot({ domain: domain({ spec: { hostname: wildcard } }) });
    expect(conditionOf(off, 'Accepted')).toEqual(['False', 'WildcardHostname']);
  });

  it('is served beside the project’s primary', () => {
    const siblings = [competitor({ hostname: 'www.example.com', role: 'Primary', held: true })];
    expect(conditionOf(ofWildcard({ siblings }), 'Accepted')).toEqual(['True', 'Accepted']);
    const beside = [competitor({ hostname: wildcard, role: 'Primary', held: true })];
    expect(conditionOf(ofHostname({ siblings: beside }), 'Accepted')).toEqual(['True', 'Accepted']);
  });

  it('shows the delegation always, as its certificates are ordered by it', () => {
    const records = (of: ProjectDomainSnapshot) => statusOf(of)?.records?.map(({ fqdn, value }) => [fqdn, value]);
    const both = [
      [delegation.name, delegation.value],
      [wildcard, 'p-mine.cname.apps.example.net'],
    ];
    expect(records(ofWildcard())).toEqual(both);
    expect(records(ofWildcard({ ...serving, verdict: verdict() }, checked))).toEqual(both);
  });

  it('has its orders answered over DNS after its switch as well', () => {
    const switched = ofWildcard({ ...held, verdict: verdict() }, checked);
    expect(orderPermission(evaluateProjectDomain(switched), true)).toMatchObject({
      obstacle: null,
      delegation: 'mine',
    });
    const exact = ofHostname({ ...heldBy, verdict: verdict() }, checked);
    expect(orderPermission(evaluateProjectDomain(exact), true).delegation).toBeNull();
  });

  it('has a route of one path that every other goes before', () => {
    const [ingress] = ingressesIn(ofWildcard(serving));
    expect(ingress?.spec?.rules).toMatchObject([{ host: wildcard, http: { paths: [{ path: '/' }] } }]);
    expect(ingress?.metadata.annotations).toMatchObject({ 'traefik.ingress.kubernetes.io/router.priority': '1' });
    const [exact] = ingressesIn(ofHostname({ ...heldBy, certificate: certificateIn(true), route }));
    expect(Object.keys(exact?.metadata.annotations ?? {})).toEqual(['projectdomain.io/hostname']);
  });

  it('has no route before its certificate, as no challenge comes there', () => {
    expect(ingressesIn(ofWildcard({ ...held, certificate: certificateIn(false) }))).toEqual([]);
  });

  it('is shown by a hostname that it includes how to be looked at before the switch', () => {
    const routed = statusOf(ofWildcard(serving))?.conditions?.find(({ type }) => type === 'Routed');
    expect(routed).toMatchObject({ reason: 'ReadyToSwitch' });
    expect(routed?.message).toMatch(/--resolve pd-[a-z2-7]+\.example\.com:443:/);
  });
});

describe('a hostname that is suspended', () => {
  const changes = { ...heldBy, claim: suspendedClaim(), certificate: certificateIn(true), route } as const;

  it('keeps a route to the redirector where wildcards are served, so that none catches it', () => {
    const [ingress] = ingressesIn(ofHostname(changes));
    expect(ingress?.spec?.rules?.[0]?.http?.paths).toMatchObject([
      { path: '/', backend: { service: { name: redirectBackend.name } } },
    ]);
    expect(writesOf(ofHostname(changes), 'Certificate').map(({ verb }) => verb)).toEqual(['remove']);
  });

  it('is withdrawn where the cluster refuses what leads it there, rather than served on', () => {
    const refused = ofHostname({ ...changes, isRouteRefused: true });
    expect(writesOf(refused, 'Ingress').map(({ verb }) => verb)).toEqual(['remove']);
    expect(conditionOf(refused, 'Routed')).toEqual(['False', 'Withdrawn']);
  });

  it('is probed within a second once that is over, though this process may still see it as suspended and wakes for nothing else', () => {
    const before = { state: 'Suspended', conditions: [] } as const;
    const lifted = ofHostname({ ...heldBy, certificate: certificateIn(true), route }, before);
    expect(decideProjectDomain(lifted).requeueAt).toBe(now + 200);
  });

  it('is suspended with the wildcard that includes it, so that nobody has it served by adding it', () => {
    const above = { ...changes, claim: claim(), claimAbove: suspendedClaim() };
    expect(conditionOf(ofHostname(above), 'Ready')).toEqual(['False', 'SuspendedByAdministrator']);
    expect(statusOf(ofHostname(above))?.state).toBe('Suspended');
    expect(ingressesIn(ofHostname(above))[0]?.spec?.rules?.[0]?.http?.paths).toMatchObject([
      { path: '/', backend: { service: { name: redirectBackend.name } } },
    ]);
  });

  it('stays suspended where another account takes it over by proof: the annotation moves with the claim', () => {
    const tombstone = suspendedClaim({ phase: 'Tombstone', account: 'acc-theirs', releasedAt: timestamp(now) });
    const proven = { status: { check: { checkedAt: timestamp(now - 90_000), successes: 1 } } };
    const moving = snapshot({
      claim: tombstone,
      claimRelation: { kind: 'Foreign', phase: 'Tombstone', epoch: 2 },
      domain: domain(proven),
      verdict: verdict(),
    });
    const [moved] = writesOf(moving, 'HostnameClaim');
    expect(moved).toMatchObject({
      verb: 'replace',
      object: { metadata: tombstone.metadata, spec: { account: 'acc-acme', phase: 'Held', epoch: 2 } },
    });
  });

  it('loses it elsewhere, and a wildcard loses its own', () => {
    expect(writesOf(snapshot(changes), 'Ingress').map(({ verb }) => verb)).toEqual(['remove']);
    expect(writesOf(ofWildcard(changes), 'Ingress').map(({ verb }) => verb)).toEqual(['remove']);
  });
});

describe('a wildcard, while hostnames that it includes are suspended', () => {
  const suspendedBelow = ['a.example.com', 'b.example.com'];
  const hostsOf = (one: Ingress) => one.spec?.rules?.map(({ host }) => host);

  it('leads them to the redirector before it is served itself, whoever had them', () => {
    const [first, second] = ingressesIn(ofWildcard({ ...serving, suspendedBelow }));
    expect([first && hostsOf(first), second && hostsOf(second)]).toEqual([suspendedBelow, [wildcard]]);
    expect(first?.spec?.rules?.map(({ http }) => http?.paths[0]?.backend.service?.name)).toEqual([
      redirectBackend.name,
      redirectBackend.name,
    ]);
    expect(first?.metadata.annotations).not.toHaveProperty(['traefik.ingress.kubernetes.io/router.priority']);
  });

  it.each([
    ['the project’s absence', { project: undefined }],
    ['a plan without domains', { limits: null }],
  ])('does so where its route is only kept, by %s', (_title, changes) => {
    const kept = ofWildcard({ ...serving, suspendedBelow, ...changes });
    expect(ingressesIn(kept).map(hostsOf)).toEqual([suspendedBelow]);
  });

  it('takes that away again when they are let go, and nothing else', () => {
    const objects = ingressesIn(ofWildcard({ ...serving, suspendedBelow }));
    const before = { ...route, objects: objects as unknown as typeof route.objects };
    for (const changes of [{}, { limits: null }]) {
      const removed = writesOf(ofWildcard({ ...serving, ...changes, route: before }), 'Ingress').flatMap((write) =>
        write.verb === 'remove' ? [write.key.name] : [],
      );
      expect(removed).toEqual([objects[0]?.metadata.name]);
    }
  });

  const stood = { ...route, objects: [...route.objects] };
  const refusalOf = (kind: string, name: string) => ({
    ...{ kind, name, namespace: 'acme', code: 'QuotaFull' as const, by: 'few', said: 'exceeded quota: few' },
  });
  const detour = `${childName(wildcard)}-suspended`;
  const deedsOf = (of: ProjectDomainSnapshot) =>
    writesOf(of, 'Ingress').map((write) => [write.verb, 'object' in write ? hostsOf(write.object as never) : []]);

  it.each([
    ['the Ingress that leads them away, as a full quota does', refusalOf('Ingress', detour)],
    [
      'the Service of the redirector, without which an edge ignores that Ingress',
      refusalOf('Service', redirectBackend.name),
    ],
  ])('is served no more while the cluster refuses %s: otherwise it would catch them', (_title, refused) => {
    const closed = ofWildcard({ ...serving, route: stood, suspendedBelow, refused: [refused] }, checked);
    expect(statusOf(closed)?.state).toBe('Suspended');
    expect(deedsOf(closed)).toEqual([
      ['remove', []],
      ['apply', suspendedBelow],
    ]);
    expect(decideProjectDomain(closed).requeueAt).toBeLessThanOrEqual(now + 60_000);
  });

  it('is so during a mass failure too: that spares who lost DNS, and none that would serve what an administrator suspended', () => {
    const failureCounts = { served: 100, failing: 100, namespaces: 50, failingNamespaces: 50 };
    const refused = [refusalOf('Ingress', detour)];
    const closed = ofWildcard({ ...serving, route: stood, suspendedBelow, refused, failureCounts }, checked);
    expect(statusOf(closed)?.state).toBe('Suspended');
  });

  it('keeps what leads some of them away while it is served no more for the others', () => {
    const objects = ingressesIn(ofWildcard({ ...serving, suspendedBelow: ['a.example.com'] }));
    const before = { ...route, objects: objects.map((one) => ({ ...one, metadata: { ...one.metadata, uid: 'u' } })) };
    const closed = ofWildcard({
      ...{ ...serving, suspendedBelow, refused: [refusalOf('Ingress', detour)] },
      route: before as unknown as typeof route,
    });
    const removed = writesOf(closed, 'Ingress').flatMap((write) => (write.verb === 'remove' ? [write.key.name] : []));
    expect(removed).toEqual([childName(wildcard)]);
  });

  it.each([
    ['something else of it', suspendedBelow, refusalOf('Certificate', childName(wildcard))],
    ['that of hostnames that were let go since', [], refusalOf('Ingress', detour)],
  ])('is served on where the cluster refuses %s', (_title, below, refused) => {
    const open = ofWildcard({ ...serving, route: stood, suspendedBelow: below, refused: [refused] }, checked);
    expect(statusOf(open)?.state).not.toBe('Suspended');
    expect(ingressesIn(open).map(hostsOf)).toContainEqual([wildcard]);
  });

  it('is suspended itself with more than an edge can name, and serves none of them', () => {
    const many = Array.from({ length: 17 }, (_, index) => `h${index}.example.com`);
    const full = ofWildcard({ ...serving, suspendedBelow: many });
    expect(conditionOf(full, 'Ready')).toEqual(['False', 'SuspendedByAdministrator']);
    expect(writesOf(full, 'Ingress').map(({ verb }) => verb)).toEqual(['remove']);
  });
});
