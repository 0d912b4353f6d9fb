import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { isDeclaredBy } from '../../rules/declared-domains.ts';
import { namesHolder } from '../../rules/precedence.ts';
import { domainOf, projectOf } from '../../use-cases/find-in-account.ts';
import { apiCall } from '../api-call.ts';
import { domain as domainSchema } from '../schemas.ts';
import { removeDeclared, removeStandAlone } from '../../use-cases/domain-declaration.ts';
import { until } from '../../use-cases/cache-wait.ts';
import { domainView } from '../../use-cases/resource-views.ts';

/** After this the answer says that removal goes on by itself. */
const removalShownWithin = 10_000;

export const removeDomain = apiCall({
  method: 'delete',
  path: '/v1/projects/{project}/domains/{hostname}',
  name: 'removeDomain',
  summary: 'Removes a hostname: route first, then certificate',
  scope: 'domains:write',
  successes: {
    202: { description: 'It is being removed; the route was still there after ten seconds.', schema: domainSchema },
    204: { description: 'The route is gone.', schema: null },
  },
  problems: ['not-found', 'account-not-ready', 'invalid-redirect', 'conflict', 'cluster-unavailable'],
  async handle(request) {
    const { dependencies, caller, signal } = request;
    const project = projectOf(request);
    const domain = domainOf(request);
    const remove = isDeclaredBy(domain, project) ? removeDeclared : removeStandAlone;
    await remove({ writing: request, project, domain });
    const began = dependencies.now();
    const patience = () => ({ ms: Math.max(0, removalShownWithin - (dependencies.now() - began)), signal });
    const { namespace = '', name, uid } = domain.metadata;
    const isGone = (seen: ProjectDomain | undefined) => seen?.metadata.uid !== uid;
    const isReleased = (claim: HostnameClaim | undefined) =>
      !claim || claim.spec.phase === 'Tombstone' || !namesHolder(claim, domain);
    const gone =
      (await until(dependencies.caches.domains, { namespace, name }, isGone, patience())) &&
      (await until(dependencies.caches.claims, { namespace: '', name: domain.spec.hostname }, isReleased, patience()));
    return gone ? { status: 204 } : { status: 202, body: domainView(dependencies, caller, domain) };
  },
});
