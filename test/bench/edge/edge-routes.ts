import type { BulkApi } from '../../../dev/campaigns/bulk.ts';
import { canWildcard } from '../../../dev/platform/controllers.ts';
import type { ClassRouting } from '../../../dev/platform/services.ts';
import { withHash } from '../../../src/kubernetes/applied-intent.ts';
import { objectKeyOf, objectPath } from '../../../src/kubernetes/object-keys.ts';
import type { RoutingClass } from '../../../src/routing/create-routes.ts';
import { createRoutes } from '../../../src/routing/create-routes.ts';
import { applyRoute, removeRouteOf } from '../../../src/routing/route-writes.ts';
import type { EdgeHostname } from './edge-objects.ts';
import { backendName, backendPort } from './edge-objects.ts';

/** Routes as the operator writes them, by the same functions, sent straight to the kube-apiserver. */
export interface EdgeRoutes {
  /** Applies every object of the route of a hostname that is served; resolves once the last was taken. */
  apply(wanted: EdgeHostname, service?: string): Promise<void>;
  remove(wanted: EdgeHostname): Promise<void>;
}

const probe = { address: '192.0.2.1', port: 443, httpPort: 80 };
const applying = '?fieldManager=projectdomain&force=true';

/** Routes for an edge that is the only one. */
export function edgeRoutes(api: BulkApi, routing: ClassRouting): EdgeRoutes {
  const edge = { ...routing, httpsRedirect: true, class: 'default', probe, isRetired: false, addresses: [] };
  const routes = createRoutes({ classes: [edge as RoutingClass], wildcards: canWildcard(routing) });
  return {
    async apply(wanted, service = backendName) {
      const backend = { name: service, port: backendPort };
      const route = { ...wanted, backend, hasCertificate: true, answersChallenges: true };
      for (const action of applyRoute(routes, route, undefined)) {
        if (action.verb !== 'apply') throw new Error(`a new route needs no ${action.verb}`);
        const path = objectPath(action.kind, objectKeyOf(action.object));
        await api.send('PATCH', `${path}${applying}`, withHash(action.object));
      }
    },
    async remove({ namespace, hostname }) {
      for (const action of removeRouteOf(routes, namespace, hostname)) {
        if (action.verb !== 'remove') throw new Error(`to remove a route needs no ${action.verb}`);
        await api.send('DELETE', objectPath(action.kind, action.key));
      }
    },
  };
}
