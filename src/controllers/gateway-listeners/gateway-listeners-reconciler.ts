import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { GatewayKind } from '../../resources/kinds.ts';
import { applyActions } from '../apply-actions.ts';
import type { CommonNeeds } from '../needs.ts';
import { decideGatewayListeners } from './decide-gateway-listeners.ts';
import { grantedHostnames } from './granted-hostnames.ts';
import type { Controller } from '../controller.ts';
import { itself, one } from '../controller.ts';

export const gatewayListenersController: Controller = {
  workers: one,
  shareOf: itself,
  reconcile: reconcileGatewayListeners,
};

/** Reconciles the listeners of hostnames on the Gateway of one routing class, which is the key. */
async function reconcileGatewayListeners(dependencies: CommonNeeds, routingClass: string): Promise<ReconcileResult> {
  const { caches, cluster, settings, now } = dependencies;
  const found = settings.writtenGateways.find((one) => one.class === routingClass);
  if (!found) return {};
  const { namespace, name } = found;
  const gateway = (await cluster.get(GatewayKind, { namespace, name })) ?? null;
  // After the answer, so that nothing that came meanwhile is missed.
  const granted = grantedHostnames(caches, routingClass, gateway?.spec?.listeners ?? []);
  const snapshot = Object.freeze({ now: now(), reference: { namespace, name }, gateway, granted });
  return applyActions(dependencies, decideGatewayListeners(snapshot));
}
