import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { GatewayKind } from '../resources/kinds.ts';
import { gatewayFinding } from '../routing/gateway/gateway-acceptance.ts';
import type { Finding } from '../rules/conditions.ts';
import type { GatewayReason } from '../rules/reasons.ts';
import type { ControllerSettings } from './controller-settings.ts';
import { sharedRead } from './shared-read.ts';

const keptMs = 10_000;

/** Whether nobody else can attach to the Gateway, read live and shared for ten seconds; null where none serves hostnames. */
export function createGatewayGuard(
  cluster: Cluster,
  { gateway, systemNamespace }: Pick<ControllerSettings, 'gateway' | 'systemNamespace'>,
  elapsed: () => number,
): () => Promise<Finding<GatewayReason> | null> {
  if (gateway === null) return () => Promise.resolve(null);
  const read = async () => gatewayFinding((await cluster.get(GatewayKind, gateway)) ?? null, gateway, systemNamespace);
  return sharedRead(read, { keptMs, elapsed });
}
