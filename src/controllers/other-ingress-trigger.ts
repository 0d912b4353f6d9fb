import type { Ingress } from '../resources/kubernetes-types.ts';
import { hostsOf } from '../routing/ingress/other-ingresses.ts';
import { claimKey } from '../rules/claim-name.ts';
import type { Change, ReconcileKeys } from './reconcile-requests.ts';
import type { Caches } from './needs.ts';
import { holderOf } from './triggers.ts';

/** The domains that hold the hostnames that somebody else's Ingress has, or had: a few dozen at most. */
export function otherIngressTrigger(
  { claims }: Pick<Caches, 'claims'>,
  { object, previous }: Change<Ingress>,
): Pick<ReconcileKeys, 'projectDomain'> {
  const hosts = new Set([...hostsOf(object), ...(previous ? hostsOf(previous) : [])]);
  const held = [...hosts].flatMap((host) => claims.get(claimKey(host)) ?? []);
  return { projectDomain: held.flatMap((claim) => holderOf(claim).projectDomain ?? []) };
}
