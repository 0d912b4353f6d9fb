import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createGatewayListenerRoutes } from '../../../src/routing/gateway/gateway-listener-routes.ts';
import { createGatewayRoutes } from '../../../src/routing/gateway/gateway-routes.ts';
import { disarmKept, removeRoute } from '../../../src/routing/route-writes.ts';
import type { RouteImplementation } from '../../../src/routing/route-port.ts';
import { domain, routes as ingresses } from '../../support/snapshot.ts';

/** What an edge would go on serving because somebody's finalizer keeps it: by each implementation of routes. */

const [namespace, hostname] = ['acme', 'www.example.com'];
const gateway = { namespace: 'edge', name: 'customers' };
const deletionTimestamp = '2026-01-01T00:00:00Z';

/** A served hostname's route as it is in the cluster; `change` is made to the metadata of each object. */
function routeBy(routes: RouteImplementation, change: object): readonly KubernetesObject[] {
  const backend = { name: 'shop-web', port: 8080 };
  const wanted = { namespace, hostname, owner: domain(), backend, hasCertificate: true, answersChallenges: true };
  return routes.manifests(wanted).map((object, index) => ({
    ...object,
    metadata: { ...object.metadata, uid: `u-${index}`, ...change },
  }));
}

describe.each<[string, RouteImplementation]>([
  ['an Ingress', ingresses],
  ['a ListenerSet with its HTTPRoutes', createGatewayRoutes(gateway)],
  ['HTTPRoutes at listeners of the Gateway', createGatewayListenerRoutes(gateway)],
])('%s', (_, routes) => {
  const disarmed = (objects: readonly KubernetesObject[]) => disarmKept(routes, { namespace, hostname, objects });

  it('that is deleted and kept leads nowhere but to the redirector, and is deleted no second time', () => {
    const kept = routeBy(routes, { deletionTimestamp });
    expect(JSON.stringify(kept)).toContain('shop-web');
    const writes = disarmed(kept);
    expect(writes.length).toBeGreaterThan(0);
    expect(JSON.stringify(writes)).not.toContain('shop-web');
    expect(JSON.stringify(writes)).toContain('projectdomain-redirect');
    expect(removeRoute(routes, { objects: kept })).toEqual([]);
  });

  it('is changed only as the objects that were read, so that none is made anew', () => {
    const kept = routeBy(routes, { deletionTimestamp });
    const uids = new Map(kept.map(({ kind, metadata }) => [`${kind} ${metadata.name}`, metadata.uid]));
    for (const write of disarmed(kept)) {
      if (write.verb !== 'apply') throw new Error(`it is a ${write.verb}`);
      const { kind, metadata } = write.object;
      expect(metadata.uid).toBe(uids.get(`${kind} ${metadata.name}`));
    }
  });

  it('is left alone where it is not deleted, and where nobody owns it', () => {
    expect(disarmed(routeBy(routes, {}))).toEqual([]);
    expect(disarmed(routeBy(routes, { deletionTimestamp, ownerReferences: [] }))).toEqual([]);
  });
});
