import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { GatewayKind } from '../resources/kinds.ts';
import { gatewayFinding } from '../routing/gateway/gateway-acceptance.ts';
import type { Finding } from '../rules/conditions.ts';
import { isTrue } from '../rules/conditions.ts';
import type { GatewayReason } from '../rules/reasons.ts';
import type { ControllerSettings } from './controller-settings.ts';
import { sharedRead } from './shared-read.ts';

const keptMs = 10_000;

/**
 * Whether nobody else can attach to the Gateways, read live and shared for ten seconds: what is wrong with one of them, or that nothing is.
 * null where none serves hostnames.
 */
export function createGatewayGuard(
  cluster: Cluster,
  { gateways, systemNamespace }: Pick<ControllerSettings, 'gateways' | 'systemNamespace'>,
  elapsed: () => number,
): () => Promise<Finding<GatewayReason> | null> {
  if (gateways.length === 0) return () => Promise.resolve(null);
  const read = async () => {
    const findings = await Promise.all(
      gateways.map(async (one) => gatewayFinding((await cluster.get(GatewayKind, one)) ?? null, one, systemNamespace)),
    );
    return findings.find((finding) => !isTrue(finding)) ?? findings[0] ?? null;
  };
  return sharedRead(read, { keptMs, elapsed });
}
