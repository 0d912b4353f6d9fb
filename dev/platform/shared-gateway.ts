import type { Kubectl } from './kubectl.ts';
import { installGatewayKinds } from './services.ts';

/** A Gateway onto which the operator writes the listeners of hostnames. */
export const sharedGateway = { kind: 'Gateway', namespace: 'edge', name: 'customers' } as const;

const standard = { apiVersion: 'gateway.networking.k8s.io/v1' } as const;

/** Gateway API's kinds, and the Gateway as docs/edges.md has it, of a class of this controller. */
export async function installSharedGateway(kubectl: Kubectl, className: string, controllerName: string): Promise<void> {
  await installGatewayKinds(kubectl);
  const { namespace, name } = sharedGateway;
  await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const selector = { matchExpressions: [{ key: 'projectdomain.io/account', operator: 'Exists' }] };
  await kubectl.apply(
    { ...standard, kind: 'GatewayClass', metadata: { name: className }, spec: { controllerName } },
    {
      ...standard,
      kind: 'Gateway',
      metadata: { namespace, name },
      spec: {
        gatewayClassName: className,
        listeners: [
          { name: 'http', protocol: 'HTTP', port: 80, allowedRoutes: { namespaces: { from: 'Selector', selector } } },
        ],
      },
    },
  );
}
