import { renderClusterParts, systemNamespace } from './chart.ts';
import type { Kubectl } from './kubectl.ts';
import { secondClass } from './ours.ts';
import type { ClassRouting, IssuerKind } from './services.ts';
import { installGatewayKinds, issuerName } from './services.ts';
import type { Tools } from './tools.ts';

/** Definitions, rights and admission policies as the chart installs them. */
export async function installClusterParts(
  kubectl: Kubectl,
  { helm }: Tools,
  { kind, routings }: { readonly kind: IssuerKind; readonly routings: readonly [ClassRouting, ...ClassRouting[]] },
): Promise<void> {
  for (const routing of routings) {
    if (routing.kind !== 'Gateway') continue;
    await installGatewayKinds(kubectl);
    await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: routing.namespace } });
  }
  const [first, second] = routings;
  const routed = { ...servedBy(first), ...(second ? besideFirst(second) : {}) };
  const manifests = await renderClusterParts(helm, { issuer: { kind, name: issuerName }, ...routed });
  await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace } });
  await kubectl.run(['apply', '--server-side', '-f', '-'], manifests);
}

/** The chart's values for an edge, as the only one and as a class. */
const servedBy = (routing: ClassRouting): object => ({ ingressClass: '', ...classOf(routing) });

/** The controller is said: the chart goes by the name of the class otherwise. */
function classOf({ controller, ...routing }: ClassRouting): object {
  if (routing.kind === 'Ingress') return { ingressClass: routing.className, controller };
  return { gateway: { namespace: routing.namespace, name: routing.name }, controller };
}

/** The chart's values for a second edge. Where it is reached is the operator's configuration alone. */
function besideFirst(routing: ClassRouting): object {
  return { routing: { classes: [{ class: secondClass, ...classOf(routing), probe: { address: '192.0.2.1' } }] } };
}
