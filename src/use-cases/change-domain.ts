import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Rejection } from '../rules/acceptance.ts';
import { rejectionOf } from '../rules/acceptance.ts';
import { isDeclaredBy } from '../rules/declared-domains.ts';
import { isPrimary } from '../rules/domain-head.ts';
import { acceptanceCandidate } from './acceptance-candidate.ts';
import { indexKey } from '../kubernetes/object-keys.ts';
import type { DomainView } from './domain-view.ts';
import { domainView } from './describe-domain.ts';
import { changeDeclared, changeLabels, changeStandAlone, seenDomain } from './domain-declaration.ts';
import type { DomainChange } from './domain-spec.ts';
import { primaryOf } from './domain-config.ts';
import { changedSpec, withLabels } from './domain-spec.ts';
import type { DomainPath } from './find-in-account.ts';
import { domainsIn } from './find-in-account.ts';
import { problemOfFinding } from './error-to-problem.ts';
import { Problem } from './problem.ts';
import type { RequestContext } from './api-dependencies.ts';
import { useCase } from './use-case.ts';

interface ChangeDomain extends DomainPath {
  readonly change: DomainChange;
}

/**
 * Changes role, redirect or labels wherever the domain is declared. Rejects with the problem that the acceptance rules raise, and with
 * label-cap-reached. Labels alone are changed whatever those rules say of the rest.
 */
export const changeDomain = useCase<ChangeDomain, DomainView>('domains:write', async (context, input) => {
  const { change, ...path } = input;
  const { labels = {}, role, redirect, prepare } = change;
  const { project, domain: before } = await seenDomain(context, path);
  withLabels(before.spec, labels);
  const isOfLabels = change.labels !== undefined && [role, redirect, prepare].every((said) => said === undefined);
  if (isOfLabels) return domainView(context, await changeLabels({ writing: context, project, domain: before }, labels));
  const spec = changedSpec(before.spec, change, () => primaryOf(context, project));
  const isDeclared = isDeclaredBy(before, project);
  if (isDeclared) rejectPreparing(before, spec);
  rejectSecondPrimary(context, before, spec);
  rejectInvalidChange(context, before, spec);
  const write = isDeclared ? changeDeclared : changeStandAlone;
  return domainView(context, await write({ writing: context, project, domain: before }, spec, labels));
});

/** Throws where it would be asked of a project's configuration, which has no word for it. */
function rejectPreparing(before: ProjectDomain, spec: ProjectDomain['spec']): void {
  if ((spec.prepare ?? false) === (before.spec.prepare ?? false)) return;
  throw new Problem(
    'prepare-unavailable',
    `${spec.hostname} is in its project's configuration, which cannot say that it is prepared; take it out there and add it with {"prepare": true}`,
  );
}

/** Throws where the project has a primary already, whichever of the two was proven first: it is served, and two would not be. */
function rejectSecondPrimary(context: RequestContext, before: ProjectDomain, spec: ProjectDomain['spec']): void {
  if (isPrimary(before) || !isPrimary({ spec })) return;
  const { hostname, project } = spec;
  const [other] = domainsIn(context, { project })
    .filter((domain) => isPrimary(domain) && domain.spec.hostname !== hostname)
    .map((domain) => domain.spec.hostname);
  if (other === undefined) return;
  throw new Problem(
    'primary-exists',
    `${other} is the project's primary domain; with ?swap=true the two change places, and ${other} redirects to ${hostname} from then on; or PUT the whole domain-config`,
    { members: { reason: 'PrimaryExists' satisfies Rejection['reason'], primary: other } },
  );
}

/**
 * Throws what the acceptance rules object to. When primary and redirect swap roles, one has to change first, so a
 * destination that still redirects back to this hostname is allowed.
 */
function rejectInvalidChange(context: RequestContext, before: ProjectDomain, spec: ProjectDomain['spec']): void {
  const candidate = acceptanceCandidate(context, { ...before, spec });
  const rejection = rejectionOf(candidate);
  if (!rejection) return;
  const { namespace = '' } = before.metadata;
  const back = context.dependencies.caches.domains
    .byIndex('project', indexKey(namespace, spec.project))
    .some((other) => other.spec.hostname === spec.redirect?.to && other.spec.redirect?.to === spec.hostname);
  if (rejection.reason === 'RedirectToRedirect' && back) return;
  throw problemOfFinding(rejection);
}
