import type { Project } from '../generated/project.ts';
import { hostnameObjection } from './acceptance.ts';
import type { Finding } from './condition.ts';
import { no } from './condition.ts';
import { declaredDomains } from './declared-domains.ts';
import type { Limits } from './limits.ts';
import { accepted as reasons } from './reasons.ts';

export interface ConfigurationPicture {
  readonly limits: Limits;
  /** name of the account's plan, for the message */
  readonly plan: string;
  readonly platformDomains: readonly string[];
  readonly platformHostname: string | null;
  /** hostnames of the project that its configuration does not declare */
  readonly others: readonly string[];
}

/** What stands against a project's configuration of domains, whoever is in the cluster already; null when nothing. */
export function configurationObjection(
  domains: Project['spec']['domains'],
  picture: ConfigurationPicture,
): Finding | null {
  const entries = declaredDomains('', domains);
  const { customDomains } = picture.limits;
  if (entries.length === 0) return lacksDestination(domains);
  if (!customDomains.enabled) {
    return no(reasons.PlanUpgradeRequired, `plan ${picture.plan} has no custom domains; upgrade to Pro or higher`);
  }
  const objection =
    lacksDestination(domains) ??
    entries
      .map(({ hostname }) => hostnameObjection(hostname, picture.platformDomains))
      .find((finding) => finding !== null) ??
    entries.map((entry) => badRedirect(entry, entries, picture)).find((finding) => finding !== null) ??
    twice(entries.map(({ hostname }) => hostname));
  if (objection) return objection;
  const count = new Set([...entries.map(({ hostname }) => hostname), ...picture.others]).size;
  if (count <= customDomains.maxPerProject) return null;
  return no(reasons.DomainCapReached, `the plan allows ${customDomains.maxPerProject} domains a project`);
}

type Entry = ReturnType<typeof declaredDomains>[number];

function lacksDestination(domains: Project['spec']['domains']): Finding | null {
  const { primary, redirects = [] } = domains ?? {};
  const lost = redirects.find(({ to = primary }) => to === undefined);
  if (!lost) return null;
  return no(reasons.RedirectToForeign, `${lost.from} leads nowhere: give it \`to\`, or the project a primary`);
}

function badRedirect(
  { hostname, redirect }: Entry,
  entries: readonly Entry[],
  picture: ConfigurationPicture,
): Finding | null {
  if (!redirect) return null;
  const { to } = redirect;
  if (to === hostname) return no(reasons.RedirectToSelf, `${hostname} cannot redirect to itself`);
  if (to === picture.platformHostname || picture.others.includes(to)) return null;
  const destination = entries.find((entry) => entry.hostname === to);
  if (!destination) return no(reasons.RedirectToForeign, `${to} is no hostname of the project; add it there first`);
  if (destination.role === 'Primary') return null;
  return no(reasons.RedirectToRedirect, `${to} is a redirect itself; redirect straight to its destination`);
}

function twice(hostnames: readonly string[]): Finding | null {
  const again = hostnames.find((hostname, index) => hostnames.indexOf(hostname) !== index);
  return again === undefined ? null : no(reasons.HostnameInUse, `${again} is named twice; a hostname has one role`);
}
