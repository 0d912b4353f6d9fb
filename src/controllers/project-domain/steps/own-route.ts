import { isOrderedHere } from '../../../issuing/issuer-ref.ts';
import { findCondition, isTrue } from '../../../rules/conditions.ts';
import { isWildcard } from '../../../rules/wildcard.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';
import { isOwnRoutable, isRouteOver, ownTrouble } from './own-usability.ts';

/**
 * The Secret that the route is to name; undefined for the one that is named after the hostname. One of the customer's own stays until
 * what follows it is there, but never longer than its names are its account's.
 */
export function routedSecret(snapshot: ProjectDomainSnapshot): string | undefined {
  const { own, certificate } = snapshot;
  if (own === null) return undefined;
  if (isOwnRoutable(snapshot)) return own.wanted?.secretName;
  const isReady = isTrue(findCondition(certificate?.status?.conditions, 'Ready'));
  return own.routed === null || isReady || isRouteOver(snapshot) ? undefined : own.routed;
}

/**
 * Whether the path of ACME's challenges leads to the redirector: where the operator orders, but not where the customer's own is served
 * and nothing is under way, nor for a wildcard, whose challenges are answered over DNS.
 */
export function routesChallenges(snapshot: ProjectDomainSnapshot): boolean {
  const { settings, own, certificate, domain } = snapshot;
  const isLeft = certificate === undefined && own !== null && own.wanted !== null && ownTrouble(snapshot) === null;
  return isOrderedHere(settings.issuer) && !isLeft && !isWildcard(domain.spec.hostname);
}
