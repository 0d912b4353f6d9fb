import type { ProjectDomain } from '../generated/project-domain.ts';
import { claimName } from '../rules/claim-name.ts';
import type { SuspendableClaim } from '../rules/claim-suspension.ts';
import type { Deletable } from '../rules/leaving.ts';
import { isLeaving } from '../rules/leaving.ts';
import type { PlatformClaim } from '../rules/platform-hostname.ts';
import type { ChallengedOrder } from './challenge-answer.ts';

/** Who holds a hostname, whether still, and by which account a certificate of it is ordered. */
export interface ClaimHolder extends PlatformClaim {
  readonly metadata: SuspendableClaim['metadata'] & Deletable['metadata'];
  readonly spec: PlatformClaim['spec'] & { readonly orders?: readonly ChallengedOrder[] };
}

/** Claims, and the domains that they name. Each lookup costs the same however many there are. */
export interface HeldHostnames {
  /** by the claim's name, which is its hostname but for a wildcard */
  readonly claimOf: (name: string) => ClaimHolder | undefined;
  readonly domain: (namespace: string, name: string) => ProjectDomain | undefined;
}

/** The domain that the claim of a hostname, or of a wildcard, names, while it is held and neither is being deleted, whatever keeps them. */
export function holderOf({ claimOf, domain }: HeldHostnames, hostname: string): ProjectDomain | undefined {
  const claim = claimOf(claimName(hostname));
  if (claim?.spec.phase !== 'Held' || isLeaving(claim)) return undefined;
  const { namespace, name } = claim.spec.holder;
  const holder = domain(namespace, name);
  return holder?.spec.hostname === hostname && !isLeaving(holder) ? holder : undefined;
}
