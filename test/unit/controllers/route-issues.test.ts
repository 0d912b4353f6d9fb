import { describe, expect, it } from '@jest/globals';
import type { Actions } from '../../../src/controller-runtime/actions.ts';
import { readCheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { createGatewayRoutes } from '../../../src/routing/gateway/gateway-routes.ts';
import type { ObservedRoute } from '../../../src/routing/route-port.ts';
import { findCondition, timestamp } from '../../../src/rules/conditions.ts';
import {
  certificateIn,
  domain,
  heldBy,
  issueWith,
  now,
  project,
  settings,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/** What the edge says of a domain's route stands among its issues: it explains, and decides nothing. */

type Status = NonNullable<ProjectDomain['status']>;

const controller = 'edge.test/controller';
const routes = createGatewayRoutes({ namespace: 'edge', name: 'customers' });

interface Saying {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly secondsAgo?: number;
}

/** The objects of a hostname, with what is said of the listener for HTTPS. */
function routeWith(said: readonly Saying[] | null, hostname = 'www.example.com'): ObservedRoute {
  const conditions = (of: readonly Saying[]) =>
    of.map(({ secondsAgo = 90, ...one }) => ({
      ...one,
      observedGeneration: 1,
      lastTransitionTime: timestamp(now - secondsAgo * 1_000),
    }));
  const accepted = conditions([{ type: 'Accepted', status: 'True' }]);
  const wanted = { namespace: 'acme', hostname, owner: domain(), backend: { name: 'shop-web', port: 80 } };
  const objects = routes.manifests({ ...wanted, hasCertificate: true }).map((manifest) => {
    const metadata = { ...manifest.metadata, generation: 1, creationTimestamp: timestamp(now - 30_000) };
    const { parentRefs = [] } = (manifest as unknown as { spec: { parentRefs?: readonly object[] } }).spec;
    const parents = parentRefs.map((parentRef) => ({ parentRef, controllerName: controller, conditions: accepted }));
    if (said === null) return { ...manifest, metadata };
    const listeners = [{ name: 'https', conditions: conditions(said) }];
    const status = manifest.kind === 'ListenerSet' ? { conditions: accepted, listeners } : { parents };
    return { ...manifest, metadata, status };
  }) as unknown as readonly KubernetesObject[];
  return { objects, backend: 'shop-web', secretName: 'pd-x' };
}

const conflict = { type: 'Conflicted', status: 'True', reason: 'HostnameConflict' };
const overlap = { type: 'OverlappingTLSConfig', status: 'True', reason: 'OverlappingHostnames' };

const held: Partial<ProjectDomainSnapshot> = {
  ...heldBy,
  settings: { ...settings, routes },
  edgeControllers: { 'Gateway edge/customers': controller },
  certificate: certificateIn(true),
  verdict: verdict(),
};

const decide = (changes: Partial<ProjectDomainSnapshot>, status?: Status) => {
  const subject = domain(status ? { status } : {});
  return decideProjectDomain(snapshot({ ...held, ...changes, domain: subject, checkStatus: readCheckStatus(subject) }));
};
const statusIn = ({ writes }: Pick<Actions, 'writes'>): Status => {
  const write = writes.findLast(({ verb }) => verb === 'applyStatus');
  if (write?.verb !== 'applyStatus') throw new Error('no status is written');
  return write.object.status as Status;
};
const codes = ({ issues = [] }: Status): readonly string[] => issues.map(({ code, severity }) => `${severity} ${code}`);
const told = ({ timeline = [] }: Status): readonly string[] =>
  timeline.filter(({ kind }) => kind === 'Finding').map(({ reason, code }) => `${reason} ${code}`);

describe('what the edge says of a domain', () => {
  it('is an issue with who has to act, and changes no condition and no state', () => {
    const answered = { probe: { ok: true } as const };
    const [quiet, conflicted] = [[], [conflict]].map((said) =>
      statusIn(decide({ ...answered, route: routeWith(said) })),
    );
    expect(codes(conflicted ?? {})).toEqual(['Error HostnameConflicted']);
    expect(conflicted?.issues?.[0]).toMatchObject({
      act: 'RemoveOtherListener',
      actor: 'Platform',
      params: { name: 'www.example.com', edge: 'Gateway edge/customers', said: 'HostnameConflict' },
      message: 'another listener of Gateway edge/customers has www.example.com (HostnameConflict)',
      since: timestamp(now),
    });
    expect([conflicted?.state, conflicted?.conditions]).toEqual([quiet?.state, quiet?.conditions]);
    expect(quiet?.state).toBe('Live');
  });

  it('that does not answer yet explains why, and Routed is still what was seen', () => {
    const silent = { probe: { ok: false, code: 'NoAnswer', detail: 'refused' } as const };
    const status = statusIn(decide({ ...silent, route: routeWith([conflict]) }));
    expect(findCondition(status.conditions, 'Routed')).toMatchObject({ status: 'Unknown', reason: 'NotAnswering' });
    expect(codes(status)).toEqual(['Error HostnameConflicted']);
  });

  it('is a warning where it is only to be known, behind errors of DNS', () => {
    const broken = verdict({ routing: { verdict: 'no', code: 'StrayAddress', by: null }, issues: [issueWith()] });
    const status = statusIn(decide({ route: routeWith([overlap]), verdict: broken }));
    expect(codes(status)).toEqual(['Error StrayAddress', 'Warning HostnameOverlaps']);
  });

  it.each<[string, Partial<ProjectDomainSnapshot>, readonly string[]]>([
    ['goes when it is no longer said, although DNS is not checked', { verdict: null, route: routeWith([]) }, []],
    ['stays while it is said', { verdict: null, route: routeWith([conflict]) }, ['Error HostnameConflicted']],
    [
      'stays over a confirmation of DNS',
      { verdict: verdict({ isConfirmation: true }), route: routeWith([conflict]) },
      ['Error HostnameConflicted'],
    ],
    ['goes with the route', { verdict: null, route: undefined }, []],
  ])('%s', (_, changes, expected) => {
    const before = statusIn(decide({ route: routeWith([conflict]) }));
    expect(codes(statusIn(decide(changes, before)))).toEqual(expected);
  });

  it('is told in the timeline when it comes and when it is over, once', () => {
    const first = statusIn(decide({ route: routeWith([conflict]) }));
    const second = statusIn(decide({ route: routeWith([conflict]), verdict: null }, first));
    const last = statusIn(decide({ route: routeWith([]), verdict: null }, second));
    expect([told(first), told(second), told(last)]).toEqual([
      ['Appeared HostnameConflicted'],
      ['Appeared HostnameConflicted'],
      ['Appeared HostnameConflicted', 'Gone HostnameConflicted'],
    ]);
  });

  it('is written once: the same said again writes the same status', () => {
    const first = statusIn(decide({ route: routeWith([conflict]) }));
    expect(statusIn(decide({ route: routeWith([conflict]), verdict: null }, first))).toEqual(first);
  });

  it.each<[string, readonly Saying[] | null, number, number | null]>([
    ['a fault that is new', [{ ...conflict, secondsAgo: 20 }], now + 40_000, null],
    ['an object that nobody answers for', null, now + 30_000, now - 30_000],
  ])('is looked at again in time: %s', (_, said, at, since) => {
    const { requeueAt, recentCheck } = decide({ route: routeWith(said), probe: { ok: true } });
    expect([requeueAt, recentCheck.edgeSilentSince]).toEqual([at, since]);
  });
});

describe('what the edge says of a platform hostname', () => {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const gathered = gatherProject(stores, { ...settings, routes }, project, now);
  const routedOf = (said: readonly Saying[]) => {
    const decided = decideProject({
      ...gathered,
      edgeControllers: { 'Gateway edge/customers': controller },
      route: routeWith(said, gathered.hostname),
    });
    return findCondition(statusIn(decided).conditions, 'Routed');
  };

  it('is in the message of Routed, which it does not decide', () => {
    const [quiet, conflicted, overlapping] = [[], [conflict], [overlap]].map(routedOf);
    expect(conflicted).toMatchObject({ status: quiet?.status, reason: quiet?.reason });
    expect(conflicted?.message).toMatch(
      /; HostnameConflicted: another listener of Gateway edge\/customers has shop\.apps/,
    );
    expect(overlapping).toEqual(quiet);
  });
});
