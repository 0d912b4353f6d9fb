import type { ProjectDomain } from '../generated/project-domain.ts';
import { hostnameMeant } from '../rules/hostname.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';
import { isPastPending } from '../use-cases/domain-view.ts';
import { CommandFailure, didYouMean } from './usage-errors.ts';
import type { ClusterSession } from './with-cluster.ts';

/** Finds a domain in the session's namespace by hostname or object name. Rejects with CommandFailure. */
export async function findDomain({ cluster, namespace }: ClusterSession, meant: string): Promise<ProjectDomain> {
  return pickDomain(await cluster.list(ProjectDomainKind, { namespace }), meant, namespace);
}

/** Object names take precedence over hostnames; among several domains with one hostname, the accepted one is taken. */
export function pickDomain(domains: readonly ProjectDomain[], meant: string, namespace: string): ProjectDomain {
  const named = domains.find(({ metadata }) => metadata.name === meant);
  if (named) return named;
  const hostname = hostnameMeant(meant);
  const same = domains.filter(({ spec }) => spec.hostname === hostname);
  const accepted = same.filter(isPastPending);
  const [found, ...more] = accepted.length > 0 ? accepted : same;
  if (!found) throw new CommandFailure(missing(domains, meant, namespace));
  if (more.length === 0) return found;
  const names = [found, ...more].map(({ metadata }) => metadata.name);
  throw new CommandFailure(`${meant} is the hostname of ${names.join(' and ')}; give one of these names`);
}

function missing(domains: readonly ProjectDomain[], meant: string, namespace: string): string {
  if (domains.length === 0)
    return `there is no domain ${meant}: namespace ${namespace} has none; name the account's namespace with -n`;
  const names = domains.flatMap(({ metadata, spec }) => [spec.hostname, metadata.name]);
  const hint = didYouMean(meant, names) || ' The command list shows what is there.';
  return `there is no domain ${meant} in namespace ${namespace}.${hint}`;
}
