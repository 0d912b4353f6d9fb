import type { Finding } from '../../../model/condition.ts';
import { no, unknown, yes } from '../../../model/condition.ts';
import { isWithin, parseHostname } from '../../../model/hostname.ts';
import { accepted as reasons } from '../../../model/reasons.ts';
import { compareRank } from '../rank.ts';
import type { DomainSnapshot, Rival } from '../snapshot.ts';

type Rule = (snapshot: DomainSnapshot) => Finding | null;

/**
 * May this domain be served at all? Rules that need the whole picture, in this order; the first that objects decides.
 * A parent that is merely absent (a partial restore) is Unknown: nothing new, nothing taken away.
 */
const rules: readonly Rule[] = [
  hostnameIsUsable,
  accountExists,
  planExists,
  projectExists,
  planAllowsDomains,
  hostnameIsNotTakenByASibling,
  projectWasDeployed,
  redirectGoesSomewhere,
  primaryIsTheOnlyOne,
  capIsNotReached,
];

/** The Accepted finding. */
export function accept(snapshot: DomainSnapshot): Finding {
  for (const rule of rules) {
    const objection = rule(snapshot);
    if (objection) return objection;
  }
  return yes(reasons.Accepted, 'the domain may be served');
}

function hostnameIsUsable({ domain, settings }: DomainSnapshot): Finding | null {
  const { hostname } = domain.spec;
  const parsed = parseHostname(hostname);
  if (!parsed.ok) return no(parsed.code, parsed.message);
  const own = [settings.platformDomain, settings.cnameDomain].find((zone) => isWithin(hostname, zone));
  if (own === undefined) return null;
  return no('PlatformHostname', `${hostname} lies under the platform's own domain ${own}; use a domain you own`);
}

function accountExists({ account, domain }: DomainSnapshot): Finding | null {
  if (account?.spec.id) return null;
  const namespace = domain.metadata.namespace;
  return unknown(
    reasons.AccountNotFound,
    account
      ? `account ${account.metadata.name} is being set up`
      : `namespace ${namespace} belongs to no Account; an administrator labels it projectdomain.io/account and creates the Account`,
  );
}

function planExists({ account, limits }: DomainSnapshot): Finding | null {
  if (limits) return null;
  return unknown(
    reasons.PlanNotFound,
    `plan ${account?.spec.plan} does not exist; create it or change the account's plan`,
  );
}

function projectExists({ project, domain }: DomainSnapshot): Finding | null {
  if (project) return null;
  const { namespace } = domain.metadata;
  const message = `there is no Project ${domain.spec.project} in namespace ${namespace}; create it, or add the domain to another project`;
  return unknown(reasons.ProjectNotFound, message);
}

function planAllowsDomains({ limits, account }: DomainSnapshot): Finding | null {
  if (limits?.customDomains.enabled) return null;
  return no(reasons.PlanUpgradeRequired, `plan ${account?.spec.plan} has no custom domains; upgrade to Pro or higher`);
}

function hostnameIsNotTakenByASibling({ twins, rank, standing }: DomainSnapshot): Finding | null {
  const first = twins.toSorted((a, b) => compareRank(a.rank, b.rank))[0];
  const behind = first !== undefined && compareRank(first.rank, rank) < 0;
  if (!behind && standing.kind !== 'Sibling') return null;
  const where = first === undefined ? 'another object' : `${first.namespace}/${first.name}`;
  return no(reasons.HostnameInUse, `${where} of the same account already has this hostname; remove one of the two`);
}

function projectWasDeployed({ project, standing }: DomainSnapshot): Finding | null {
  if (project?.status?.deployedAt || standing.kind === 'Held') return null;
  const service = project?.spec.service.name;
  return no(
    reasons.NotDeployed,
    `project ${project?.metadata.name} was never deployed: Service ${service} has had no ready endpoint`,
  );
}

function redirectGoesSomewhere(snapshot: DomainSnapshot): Finding | null {
  const { role, redirect, hostname, project } = snapshot.domain.spec;
  if (role !== 'Redirect' || !redirect) return null;
  const { to } = redirect;
  if (to === hostname) return no(reasons.RedirectToSelf, `${hostname} cannot redirect to itself`);
  const platformHostname = snapshot.project?.status?.platformHostname;
  if (to === platformHostname) return null;
  const destination = snapshot.siblings.find((sibling) => sibling.hostname === to);
  if (!destination)
    return no(reasons.RedirectToForeign, `${to} is no hostname of project ${project}; add it there first`);
  if (destination.role === 'Primary') return null;
  return no(reasons.RedirectToRedirect, `${to} is a redirect itself; redirect straight to its destination`);
}

function primaryIsTheOnlyOne({ domain, siblings, rank }: DomainSnapshot): Finding | null {
  if (domain.spec.role === 'Redirect') return null;
  const before = ahead(siblings, rank).find((sibling) => sibling.role === 'Primary');
  if (!before) return null;
  return no(
    reasons.PrimaryExists,
    `${before.hostname} is the project's primary domain; make this one a redirect, or remove ${before.hostname}`,
  );
}

function capIsNotReached({ siblings, rank, limits }: DomainSnapshot): Finding | null {
  const cap = limits?.customDomains.maxPerProject ?? 0;
  if (ahead(siblings, rank).length < cap) return null;
  return no(reasons.DomainCapReached, `the plan allows ${cap} domains a project; remove another one or upgrade`);
}

const ahead = (rivals: readonly Rival[], rank: DomainSnapshot['rank']): readonly Rival[] =>
  rivals.filter((rival) => compareRank(rival.rank, rank) < 0);
