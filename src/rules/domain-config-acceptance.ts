import type { Project } from '../generated/project.ts';
import { hostnameFinding } from './acceptance.ts';
import type { Finding } from './conditions.ts';
import { no } from './conditions.ts';
import { declaredDomains } from './declared-domains.ts';
import type { Limits } from './plan-limits.ts';
import { acceptedReasons as reasons } from './reasons.ts';

export interface DomainConfigContext {
  readonly limits: Limits;
  /** name of the account's plan, for the message */
  readonly plan: string;
  readonly platformDomains: readonly string[];
  readonly platformHostname: string | null;
  /** hostnames of the project that its configuration does not declare */
  readonly others: readonly string[];
  /** ProjectDomains of the account: those that its other projects and sources have, and those of the configuration now */
  readonly count: { readonly elsewhere: number; readonly declared: number };
}

/** What stands against a project's configuration of domains, whoever is in the cluster already; null when nothing. */
export function domainConfigFinding(domains: Project['spec']['domains'], picture: DomainConfigContext): Finding | null {
  const entries = declaredDomains('', domains);
  const { customDomains } = picture.limits;
  if (entries.length === 0) return lacksDestination(domains);
  if (!customDomains.enabled) {
    return no(reasons.PlanUpgradeRequired, `plan ${picture.plan} has no custom domains; upgrade to Pro or higher`);
  }
  const objection =
    lacksDestination(domains) ??
    entries
      .map(({ hostname }) => hostnameFinding(hostname, picture.platformDomains))
      .find((finding) => finding !== null) ??
    redirectsObjection(entries, picture) ??
    twice(entries.map(({ hostname }) => hostname));
  return objection ?? capObjection(entries, picture);
}

function capObjection(entries: readonly Entry[], { limits, others, count }: DomainConfigContext): Finding | null {
  const { maxPerProject } = limits.customDomains;
  const inProject = new Set([...entries.map(({ hostname }) => hostname), ...others]).size;
  if (inProject > maxPerProject) {
    return no(reasons.DomainCapReached, `the plan allows ${maxPerProject} domains a project`);
  }
  const { domains } = limits.maximum;
  if (entries.length <= count.declared || count.elsewhere + entries.length <= domains) return null;
  return no(reasons.DomainCapReached, `the account may have ${domains} domains; remove some, or ask for a larger plan`);
}

type Entry = ReturnType<typeof declaredDomains>[number];

function lacksDestination(domains: Project['spec']['domains']): Finding | null {
  const { primary, redirects = [] } = domains ?? {};
  const lost = redirects.find(({ to = primary }) => to === undefined);
  if (!lost) return null;
  return no(reasons.RedirectToForeign, `${lost.from} leads nowhere: give it \`to\`, or the project a primary`);
}

function redirectsObjection(entries: readonly Entry[], picture: DomainConfigContext): Finding | null {
  const declared = new Map(entries.map((entry) => [entry.hostname, entry]));
  const claimRelation = new Set([picture.platformHostname, ...picture.others]);
  return (
    entries.map((entry) => badRedirect(entry, declared, claimRelation)).find((finding) => finding !== null) ?? null
  );
}

function badRedirect(
  { hostname, redirect }: Entry,
  declared: ReadonlyMap<string, Entry>,
  claimRelation: ReadonlySet<string | null>,
): Finding | null {
  if (!redirect) return null;
  const { to } = redirect;
  if (to === hostname) return no(reasons.RedirectToSelf, `${hostname} cannot redirect to itself`);
  if (claimRelation.has(to)) return null;
  const destination = declared.get(to);
  if (!destination) return no(reasons.RedirectToForeign, `${to} is no hostname of the project; add it there first`);
  if (destination.role === 'Primary') return null;
  return no(reasons.RedirectToRedirect, `${to} is a redirect itself; redirect straight to its destination`);
}

function twice(hostnames: readonly string[]): Finding | null {
  const seen = new Set<string>();
  const again = hostnames.find((hostname) => {
    const known = seen.has(hostname);
    seen.add(hostname);
    return known;
  });
  return again === undefined ? null : no(reasons.HostnameInUse, `${again} is named twice; a hostname has one role`);
}
