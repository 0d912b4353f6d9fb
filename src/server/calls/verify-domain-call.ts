import type { ProjectDomain } from '../../generated/project-domain.ts';
import { acceptanceFinding } from '../../rules/acceptance.ts';
import { isTrue } from '../../rules/conditions.ts';
import { ProjectDomainKind } from '../../resources/kinds.ts';
import { verifyAnnotation } from '../../resources/annotations.ts';
import { statusOf } from '../../use-cases/edit-object.ts';
import { domainOf } from '../../use-cases/find-in-account.ts';
import { acceptanceCandidate } from '../../use-cases/acceptance-candidate.ts';
import { Problem } from '../../use-cases/problem.ts';
import type { ApiRequest } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { domain as domainSchema, waitQuery } from '../schemas.ts';
import { until } from '../../use-cases/cache-wait.ts';
import { domainView } from '../../use-cases/resource-views.ts';
import { inTurn } from '../../use-cases/writes/write-turn.ts';

export const verifyDomain = apiCall({
  method: 'post',
  path: '/v1/projects/{project}/domains/{hostname}/verify',
  name: 'verifyDomain',
  summary: 'Asks for a check of DNS now, and for a fresh attempt at a certificate that is overdue',
  scope: 'domains:write',
  query: waitQuery,
  successes: {
    200: { description: 'The check is finished, or the state changed, within `wait`.', schema: domainSchema },
    202: { description: 'The check is asked for.', schema: domainSchema },
  },
  problems: ['not-found', 'account-not-ready', 'domain-pending', 'cluster-unavailable'],
  async handle(request) {
    const { dependencies, caller, query, signal } = request;
    const before = domainOf(request);
    refuseWhilePending(request, before);
    const asked = new Date(dependencies.now()).toISOString();
    await annotate(request, before, asked);
    const { namespace = '', name, uid } = before.metadata;
    const seconds = query.wait === undefined ? 0 : Number.parseInt(query.wait, 10);
    const isFinished = (seen: ProjectDomain | undefined) =>
      seen?.metadata.uid !== uid || seen?.status?.check?.verifySeen === asked || stateOf(seen) !== stateOf(before);
    const finished =
      seconds > 0 &&
      (await until(dependencies.caches.domains, { namespace, name }, isFinished, { ms: seconds * 1_000, signal }));
    const after = dependencies.caches.domains.get({ namespace, name });
    if (after === undefined && finished)
      throw new Problem('not-found', `${before.spec.hostname} was removed meanwhile`);
    return { status: finished ? 200 : 202, body: domainView(dependencies, caller, after ?? before) };
  },
});

const stateOf = (domain: ProjectDomain | undefined): string | undefined => domain?.status?.state;

/** What waits for something else than DNS is not helped by looking at DNS. */
function refuseWhilePending({ dependencies, caller }: ApiRequest, domain: ProjectDomain): void {
  const finding = acceptanceFinding(acceptanceCandidate(dependencies, caller, domain));
  const served = domain.status?.state !== undefined && domain.status.state !== 'Pending';
  if (isTrue(finding) || served) return;
  throw new Problem('domain-pending', finding.message, { members: { reason: finding.reason } });
}

async function annotate(request: ApiRequest, { metadata }: ProjectDomain, asked: string): Promise<void> {
  const { name, namespace = '', uid } = metadata;
  const { apiVersion, kind } = ProjectDomainKind;
  const annotated = { name, namespace, ...(uid ? { uid } : {}), annotations: { [verifyAnnotation]: asked } };
  try {
    const intent = { apiVersion, kind, metadata: annotated };
    await inTurn(request, null, () => request.dependencies.cluster.apply(ProjectDomainKind, intent));
  } catch (error) {
    const status = statusOf(error);
    if (status !== 404 && status !== 409 && status !== 422) throw error;
    throw new Problem('not-found', `domain ${name} is gone`);
  }
}
