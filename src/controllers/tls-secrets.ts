import { isAllowed } from '../kubernetes/access-review.ts';
import type { CommonNeeds } from './needs.ts';
import type { Certificate } from '../resources/cert-manager-types.ts';
import { findCondition } from '../rules/conditions.ts';

interface Reach extends Pick<CommonNeeds, 'cluster'> {
  readonly caches: { readonly namespaces: { has(key: { readonly namespace: ''; readonly name: string }): boolean } };
}

/**
 * Whether a namespace of a claim's holder is gone, and with it the right to delete its Secrets, which stands in the namespace itself: to delete
 * one is forbidden then, and would be for ever. One that is still there is in reach, whatever rights are missing. Asks only where it is gone.
 */
export async function areSecretsGone({ cluster, caches }: Reach, namespace: string): Promise<boolean> {
  if (caches.namespaces.has({ namespace: '', name: namespace })) return false;
  return !(await isAllowed(cluster, { namespace, verb: 'delete', resource: 'secrets' }));
}

/**
 * Whether a certificate's Secret is not there, as after somebody deleted it; DoesNotExist is cert-manager's reason. An edge may then serve nothing
 * over HTTPS, so that nothing that has to be answered may be led there, the challenge for the next certificate above all.
 */
export const hasLostSecret = (certificate: Certificate | undefined): boolean =>
  findCondition(certificate?.status?.conditions, 'Ready')?.reason === 'DoesNotExist';
