import type { ClassRouting } from '../../dev/platform/services.ts';
import type { Kubectl } from '../../dev/platform/kubectl.ts';
import { listenerOf } from '../../src/routing/gateway/gateway-listeners.ts';

/** A route that the operator did not make, of whoever has come past the admission policy: for a hostname, with any Secret of its namespace. */
export interface ForgedRoute {
  readonly namespace: string;
  readonly hostname: string;
  readonly secretName: string;
  /** name of the Service, at port 8080 */
  readonly service: string;
}

const name = 'forged';
const gatewayApi = 'gateway.networking.k8s.io';
const standard = { apiVersion: `${gatewayApi}/v1` } as const;

/** Makes it as this edge is routed; resolves to what takes it away again. */
export async function forgeRoute(
  kubectl: Kubectl,
  routing: ClassRouting,
  route: ForgedRoute,
): Promise<() => Promise<void>> {
  const objects = objectsOf(routing, route);
  await kubectl.apply(...objects);
  const remove = async () =>
    void (await kubectl.run(['delete', '--ignore-not-found', '-f', '-'], JSON.stringify(listOf(objects))));
  if (routing.kind !== 'Gateway' || routing.listeners === 'ListenerSet') return remove;
  await setListeners(kubectl, routing, [{ ...listenerOf(route), name }]);
  return async () => {
    await setListeners(kubectl, routing, []);
    await remove();
  };
}

function objectsOf(routing: ClassRouting, route: ForgedRoute): readonly object[] {
  const metadata = { name, namespace: route.namespace };
  if (routing.kind === 'Ingress') return [ingress(routing.className, route)];
  const { namespace, name: gateway, listeners } = routing;
  const toGateway = { group: gatewayApi, kind: 'Gateway', namespace, name: gateway };
  const httpRoute = (parent: object) => ({
    ...standard,
    kind: 'HTTPRoute',
    metadata,
    spec: {
      parentRefs: [parent],
      hostnames: [route.hostname],
      rules: [{ backendRefs: [{ name: route.service, port: 8_080 }] }],
    },
  });
  const secret = { group: '', kind: 'Secret', name: route.secretName };
  if (listeners !== 'ListenerSet') {
    const from = [{ group: gatewayApi, kind: 'Gateway', namespace }];
    const grant = {
      apiVersion: `${gatewayApi}/v1beta1`,
      kind: 'ReferenceGrant',
      metadata,
      spec: { from, to: [secret] },
    };
    return [grant, httpRoute({ ...toGateway, sectionName: name })];
  }
  const tls = { mode: 'Terminate', certificateRefs: [secret] };
  const listener = { name, hostname: route.hostname, protocol: 'HTTPS', port: 443, tls };
  return [
    { ...standard, kind: 'ListenerSet', metadata, spec: { parentRef: toGateway, listeners: [listener] } },
    httpRoute({ group: gatewayApi, kind: 'ListenerSet', name, sectionName: name }),
  ];
}

const ingress = (className: string, { namespace, hostname, secretName, service }: ForgedRoute) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name, namespace },
  spec: {
    ingressClassName: className,
    tls: [{ hosts: [hostname], secretName }],
    rules: [
      {
        host: hostname,
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: service, port: { number: 8_080 } } } }],
        },
      },
    ],
  },
});

/** Has these listeners on the Gateway beside all others. */
async function setListeners(
  kubectl: Kubectl,
  { namespace, name: gateway }: { readonly namespace: string; readonly name: string },
  listeners: readonly object[],
): Promise<void> {
  const seen = await kubectl.get<{ readonly spec: { readonly gatewayClassName: string } }>(
    'gateway',
    gateway,
    namespace,
  );
  const { gatewayClassName } = seen?.spec ?? { gatewayClassName: '' };
  const object = {
    ...standard,
    kind: 'Gateway',
    metadata: { namespace, name: gateway },
    spec: { gatewayClassName, listeners },
  };
  await kubectl.run(['apply', '--server-side', '--field-manager=forged-route', '-f', '-'], JSON.stringify(object));
}

const listOf = (items: readonly object[]) => ({ apiVersion: 'v1', kind: 'List', items });
