import type { ProjectDomain } from '../generated/project-domain.ts';
import { isLeaving } from '../rules/leaving.ts';
import { wildcardAbove } from '../rules/wildcard.ts';
import type { ClaimHolder, HeldHostnames } from './hostname-holder.ts';
import { holderOf } from './hostname-holder.ts';

/**
 * Whether a hostname is served over HTTPS, with a certificate of its own, of the wildcard above it, or, of a platform hostname, the edge's. Before that
 * a visitor who came over http would be led to a warning. Pure.
 */
export function isServedSecurely(hostname: string, held: HeldHostnames): boolean {
  const claim = held.claimOf(hostname);
  if (isPlatform(claim)) return hasPlatformCertificate(claim);
  if (hasCertificate(holderOf(held, hostname))) return true;
  const above = wildcardAbove(hostname);
  return above !== null && hasCertificate(holderOf(held, above));
}

/** It was issued, and nothing has withdrawn it since. */
const hasCertificate = (domain: ProjectDomain | undefined): boolean =>
  domain?.status?.state !== 'Suspended' && domain?.status?.certificate?.notAfter !== undefined;

const isPlatform = (claim: ClaimHolder | undefined): claim is ClaimHolder =>
  claim?.spec.phase === 'Held' && claim.spec.proof?.method === 'Platform' && !isLeaving(claim);

/** Nothing was ever ordered for one that the edge's own certificate covers. */
const hasPlatformCertificate = ({ spec: { orders = [] } }: ClaimHolder): boolean =>
  orders.length === 0 || orders.some(({ outcome }) => outcome === 'Issued');
