import type { ClassRouting } from '../../dev/platform/services.ts';
import { hasListenersOnGateway } from '../../dev/platform/controllers.ts';
import { eventually } from '../../dev/lib/eventually.ts';
import type { Kubectl } from '../../dev/platform/kubectl.ts';
import type { Gateway } from '../../src/resources/gateway-types.ts';
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
  if (routing.kind !== 'Gateway' || !hasListenersOnGateway(routing)) return remove;
  await addListener(kubectl, routing, { ...listenerOf(route), name });
  return async () => {
    await removeListener(kubectl, routing);
    await remove();
  };
}

function objectsOf(routing: ClassRouting, route: ForgedRoute): readonly object[] {
  const metadata = { name, namespace: route.namespace };
  if (routing.kind === 'Ingress') return [ingress(routing.className, route)];
  const { namespace, name: gateway } = routing;
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
  if (hasListenersOnGateway(routing)) {
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

interface ListenedGateway {
  readonly namespace: string;
  readonly name: string;
}

const patch = (kubectl: Kubectl, { namespace, name: gateway }: ListenedGateway, steps: readonly object[]) =>
  kubectl.run(['patch', 'gateway', gateway, '-n', namespace, '--type=json', '-p', JSON.stringify(steps)]);

/** kubectl apply --server-side would take over what kubectl apply has written, and leave it out. */
const addListener = (kubectl: Kubectl, gateway: ListenedGateway, value: object) =>
  patch(kubectl, gateway, [{ op: 'add', path: '/spec/listeners/-', value }]);

/** Tried again where others came or went since it was read. */
const removeListener = (kubectl: Kubectl, gateway: ListenedGateway) =>
  eventually('the forged listener is gone', 30_000, async () => {
    const seen = await kubectl.get<Gateway>('gateway', gateway.name, gateway.namespace);
    const index = seen?.spec?.listeners?.findIndex((one) => one.name === name) ?? -1;
    if (index < 0) return;
    const path = `/spec/listeners/${index}`;
    await patch(kubectl, gateway, [
      { op: 'test', path: `${path}/name`, value: name },
      { op: 'remove', path },
    ]);
  });

const listOf = (items: readonly object[]) => ({ apiVersion: 'v1', kind: 'List', items });
