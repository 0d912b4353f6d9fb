import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import type { Gateway } from '../resources/gateway-types.ts';
import { GatewayClassKind, GatewayKind } from '../resources/kinds.ts';
import { gatewayFinding } from '../routing/gateway/gateway-acceptance.ts';
import type { GuardedGateway } from '../routing/gateway/gateway-acceptance.ts';
import { areInGateway, isFull } from '../routing/gateway/gateway-listeners.ts';
import type { GatewayReference } from '../routing/gateway/gateway-reference.ts';
import { edgeOf } from '../routing/gateway/gateway-reference.ts';
import type { EdgeControllers } from '../routing/route-findings.ts';
import type { Finding } from '../rules/conditions.ts';
import { isTrue } from '../rules/conditions.ts';
import type { GatewayReason } from '../rules/reasons.ts';
import type { ControllerSettings } from './controller-settings.ts';
import { sharedRead } from './shared-read.ts';

const keptMs = 10_000;

type GatewaySettings = Pick<ControllerSettings, 'gateways' | 'systemNamespace'>;

/** Whether nobody else can attach to the Gateways. */
export interface GatewayGuard {
  /** what is wrong with one of them, or that nothing is */
  readonly finding: Finding<GatewayReason>;
  /** the routing classes of those with which something is */
  readonly openClasses: readonly string[];
  /** the Gateways that have listeners of hostnames themselves, and no place for another */
  readonly fullEdges: readonly string[];
}

/** Whether nobody else can attach to the Gateways, read live and shared for ten seconds; null where none serves hostnames. */
export function createGatewayGuard(
  cluster: Cluster,
  { gateways, systemNamespace }: GatewaySettings,
  elapsed: () => number,
): () => Promise<GatewayGuard | null> {
  if (gateways.length === 0) return () => Promise.resolve(null);
  const read = async () => {
    const seen = await Promise.all(
      gateways.map(async (one) => {
        const gateway = (await cluster.get(GatewayKind, one)) ?? null;
        const finding = gatewayFinding(gateway, one, systemNamespace);
        return { name: one.class, finding, fullEdges: fullEdges(gateway, one) };
      }),
    );
    const open = seen.filter(({ finding }) => !isTrue(finding));
    const told = open[0] ?? seen[0];
    if (told === undefined) return null;
    return {
      finding: told.finding,
      openClasses: open.map(({ name }) => name),
      fullEdges: seen.flatMap((one) => one.fullEdges),
    };
  };
  return sharedRead(read, { keptMs, elapsed });
}

const fullEdges = (gateway: Gateway | null, one: GuardedGateway): readonly string[] =>
  areInGateway(one.listeners) && gateway !== null && isFull(gateway) ? [edgeOf(one)] : [];

/** Whose the Gateways are that exist and have a class, read live and shared for ten seconds. */
export function createGatewayControllers(
  cluster: Cluster,
  { gateways }: { readonly gateways: readonly GatewayReference[] },
  elapsed: () => number,
): () => Promise<EdgeControllers> {
  const controllerOf = async (gateway: GatewayReference): Promise<string | undefined> => {
    const name = (await cluster.get(GatewayKind, gateway))?.spec?.gatewayClassName;
    const found = name === undefined ? undefined : await cluster.get(GatewayClassKind, { namespace: '', name });
    return found?.spec?.controllerName;
  };
  const read = async (): Promise<EdgeControllers> => {
    const found = await Promise.all(gateways.map(async (one) => [edgeOf(one), await controllerOf(one)] as const));
    return Object.fromEntries(
      found.flatMap(([edge, controller]) => (controller === undefined ? [] : [[edge, controller]])),
    );
  };
  return sharedRead(read, { keptMs, elapsed });
}

/** What a reconcile decides from of the Gateways. */
export interface ObservedGateways {
  /** routing classes to whose Gateways others can attach */
  readonly openClasses: readonly string[];
  /** Gateways that take no further hostname */
  readonly fullEdges: readonly string[];
  readonly edgeControllers: EdgeControllers;
}

/** Reads both, as they are shared among reconciles. */
export async function observeGateways(dependencies: {
  readonly gatewayGuard: () => Promise<GatewayGuard | null>;
  readonly edgeControllers: () => Promise<EdgeControllers>;
}): Promise<ObservedGateways> {
  const [guard, edgeControllers] = await Promise.all([dependencies.gatewayGuard(), dependencies.edgeControllers()]);
  return { openClasses: guard?.openClasses ?? [], fullEdges: guard?.fullEdges ?? [], edgeControllers };
}
