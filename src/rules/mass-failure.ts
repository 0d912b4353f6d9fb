/** How many of the domains that are served fail at this moment, and over how many namespaces both are spread. */
export interface FailureCounts {
  readonly served: number;
  readonly failing: number;
  readonly namespaces: number;
  readonly failingNamespaces: number;
}

const failingAtLeast = 10;
const failingShare = 1 / 10;
/** What one or two accounts do is their own matter, however many domains they have. */
const namespacesAtLeast = 3;

/**
 * More than a tenth of all served domains fail at once, in more than a tenth of the namespaces: that is hardly their
 * owners' doing. Nobody is degraded or suspended for it until it is over.
 */
export function isMassFailure({ served, failing, namespaces, failingNamespaces }: FailureCounts): boolean {
  if (failing < failingAtLeast || failing <= served * failingShare) return false;
  return failingNamespaces >= Math.min(namespacesAtLeast, namespaces) && failingNamespaces > namespaces * failingShare;
}
