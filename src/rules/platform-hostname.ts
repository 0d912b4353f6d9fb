import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { Project } from '../generated/project.ts';
import { namesHolder } from './precedence.ts';

/** What is read of a claim to know whose a platform hostname is. */
export interface PlatformClaim {
  readonly metadata?: { readonly deletionTimestamp?: string };
  readonly spec: Pick<HostnameClaim['spec'], 'phase' | 'holder'> & {
    readonly proof?: Pick<HostnameClaim['spec']['proof'], 'method'>;
  };
}

/** A project with what its status says of its address. */
type Addressed = Pick<Project, 'metadata'> & {
  readonly status?: Pick<NonNullable<Project['status']>, 'platformHostname'>;
};

/**
 * The project's platform hostname: that of its status, while the hostname's claim is Held, names this project and is not being deleted. Null otherwise, as a status
 * may be older than the claim, and another project may have the hostname by now. Pure.
 */
export function heldPlatformHostname(
  project: Addressed | undefined,
  claimOf: (hostname: string) => PlatformClaim | undefined,
): string | null {
  const { platformHostname } = project?.status ?? {};
  if (project === undefined || platformHostname === undefined) return null;
  const claim = claimOf(platformHostname);
  const isLeaving = claim?.metadata?.deletionTimestamp !== undefined;
  return isPlatformHolder(claim, project) && !isLeaving ? platformHostname : null;
}

/** True while the claim is Held, as a platform hostname, by this project. */
export const isPlatformHolder = (claim: PlatformClaim | undefined, project: Pick<Project, 'metadata'>): boolean =>
  claim?.spec.phase === 'Held' && claim.spec.proof?.method === 'Platform' && namesHolder(claim, project);
