import type { z } from 'zod';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { rejectionOf } from '../../rules/acceptance.ts';
import { isDeclaredBy } from '../../rules/declared-domains.ts';
import { ProjectDomainKind } from '../../resources/kinds.ts';
import { domainPlaces, makeWithin, mustHaveRoom } from '../../use-cases/caps.ts';
import { statusOf } from '../../use-cases/edit-object.ts';
import { domainIn, domainOf, projectOf } from '../../use-cases/find-in-account.ts';
import { problemOfFinding, rejectionCodes } from '../../use-cases/finding-to-problem.ts';
import { pageOf } from '../../use-cases/pagination.ts';
import { acceptanceCandidate, draftDomain, indexKey } from '../../use-cases/acceptance-candidate.ts';
import { Problem } from '../../use-cases/problem.ts';
import type { Answer, ApiRequest } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { domain, domainChange, domainNew, domainPage, dryRunQuery, pageQuery } from '../schemas.ts';
import { changeDeclared, changeStandAlone } from '../../use-cases/domain-declaration.ts';
import { settled } from '../../use-cases/cache-wait.ts';
import { domainView, domainViews } from '../../use-cases/resource-views.ts';
import { createInTurn } from '../../use-cases/writes/write-turn.ts';

const collection = '/v1/projects/{project}/domains';
const path = `${collection}/{hostname}`;

type Spec = ProjectDomain['spec'];

export const listDomains = apiCall({
  method: 'get',
  path: collection,
  name: 'listDomains',
  summary: "The project's domains, by hostname",
  scope: 'domains:read',
  query: pageQuery,
  successes: { 200: { description: 'A page of domains.', schema: domainPage } },
  problems: ['not-found', 'account-not-ready'],
  async handle(request) {
    const { dependencies, caller, query } = request;
    const { namespace = '', name } = projectOf(request).metadata;
    const all = dependencies.caches.domains
      .byIndex('project', indexKey(namespace, name))
      .filter((item) => !item.metadata.deletionTimestamp);
    const { items, nextCursor } = pageOf(all, (item) => `${item.spec.hostname} ${item.metadata.name}`, query);
    return { status: 200, body: { items: await domainViews(dependencies, caller, items), nextCursor } };
  },
});

export const showDomain = apiCall({
  method: 'get',
  path,
  name: 'showDomain',
  summary: 'One domain: its state, why, and the records to create',
  scope: 'domains:read',
  successes: { 200: { description: 'The domain.', schema: domain } },
  problems: ['not-found', 'account-not-ready'],
  handle: (request) =>
    Promise.resolve({ status: 200, body: domainView(request.dependencies, request.caller, domainOf(request)) }),
});

export const addDomain = apiCall({
  method: 'post',
  path: collection,
  name: 'addDomain',
  summary: 'Adds a hostname; `dryRun=true` shows the records it would take and creates nothing',
  scope: 'domains:write',
  query: dryRunQuery,
  body: domainNew,
  successes: {
    200: { description: 'It was there already, or this was a dry run.', schema: domain },
    201: { description: 'The domain, with the records to create.', schema: domain },
  },
  problems: [...rejectionCodes, 'cluster-unavailable'],
  async handle(request) {
    const { dependencies, caller, query } = request;
    const project = projectOf(request);
    const spec = specOf(project.metadata.name, request.body);
    const existing = domainIn(request, project.metadata, spec.hostname);
    if (existing) return theSame(request, existing, spec);
    const draft = draftDomain(project.metadata.namespace ?? '', spec);
    const rejection = rejectionOf(acceptanceCandidate(dependencies, caller, draft));
    if (rejection) throw problemOfFinding(rejection);
    if (query.dryRun !== 'true') return create(request, draft);
    mustHaveRoom(request, domainPlaces(request, draft));
    return { status: 200, body: { ...domainView(dependencies, caller, draft), createdAt: null } };
  },
});

async function create(request: ApiRequest, draft: ProjectDomain): Promise<Answer> {
  const { dependencies, caller, signal } = request;
  const { namespace = '', name } = draft.metadata;
  const cache = dependencies.caches.domains;
  const { first, result } = dependencies.writes.shared.join(
    JSON.stringify([namespace, draft.spec]),
    signal,
    (waits) => {
      const places = domainPlaces(request, draft);
      const make = () => createInTurn({ dependencies, caller, signal: waits }, ProjectDomainKind, { ...draft });
      return makeWithin(request, { places, cache, key: { namespace, name } }, make);
    },
  );
  try {
    const created = await result;
    await settled(cache, created, signal);
    if (!first) return theSame(request, created, draft.spec);
    const headers = { location: `/v1/projects/${draft.spec.project}/domains/${draft.spec.hostname}` };
    return { status: 201, body: domainView(dependencies, caller, created), headers };
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
    const winner = await dependencies.cluster.get(ProjectDomainKind, { namespace, name });
    if (!winner) throw error;
    if (winner.spec.project === draft.spec.project) return theSame(request, winner, draft.spec);
    throw new Problem(
      'hostname-in-use',
      `another project of the account has ${draft.spec.hostname}; remove it there first`,
    );
  }
}

/** Adding the same again is no mistake; adding it otherwise is. */
function theSame(
  { dependencies, caller }: ApiRequest,
  existing: ProjectDomain,
  { role, redirect, hostname }: Spec,
): Answer {
  const same =
    (existing.spec.role ?? 'Primary') === role &&
    existing.spec.redirect?.to === redirect?.to &&
    (existing.spec.redirect?.status ?? 301) === (redirect?.status ?? 301);
  if (same) return { status: 200, body: domainView(dependencies, caller, existing) };
  throw new Problem(
    'hostname-in-use',
    `the project has ${hostname} with another role or destination; remove it first, or change it with PATCH`,
  );
}

function specOf(project: string, { hostname, role, redirect }: z.output<typeof domainNew>): Spec {
  if (role === 'primary') {
    if (redirect)
      throw new Problem('invalid-redirect', 'a primary has no `redirect`; leave it out, or set role redirect');
    return { project, hostname, role: 'Primary' };
  }
  if (!redirect)
    throw new Problem('invalid-redirect', 'a redirect needs `redirect`, such as {"to": "www.example.com"}');
  return { project, hostname, role: 'Redirect', redirect: { to: redirect.to, status: redirect.status } };
}

export const changeDomain = apiCall({
  method: 'patch',
  path,
  name: 'changeDomain',
  summary: 'Changes role or redirect, in whichever place the domain is declared',
  scope: 'domains:write',
  body: domainChange,
  successes: { 200: { description: 'The domain as it is now.', schema: domain } },
  problems: [...rejectionCodes, 'conflict', 'cluster-unavailable'],
  async handle(request) {
    const { dependencies, caller } = request;
    const project = projectOf(request);
    const before = domainOf(request);
    const spec = changedSpec(before.spec, request.body);
    refuseWhatCannotBe(request, before, spec);
    const change = isDeclaredBy(before, project) ? changeDeclared : changeStandAlone;
    return {
      status: 200,
      body: domainView(dependencies, caller, await change({ writing: request, project, domain: before }, spec)),
    };
  },
});

function changedSpec(before: Spec, { role, redirect }: z.output<typeof domainChange>): Spec {
  const wanted = role ?? (before.role === 'Redirect' ? 'redirect' : 'primary');
  const kept = before.redirect && { to: before.redirect.to, status: before.redirect.status ?? 301 };
  const next = redirect === undefined ? (wanted === 'redirect' ? kept : undefined) : (redirect ?? undefined);
  return specOf(before.project, { hostname: before.hostname, role: wanted, redirect: next });
}

/** Of two hostnames that change places one must begin: that its destination still redirects back is no obstacle. */
function refuseWhatCannotBe({ dependencies, caller }: ApiRequest, before: ProjectDomain, spec: Spec): void {
  const candidate = acceptanceCandidate(dependencies, caller, { ...before, spec });
  const rejection = rejectionOf(candidate);
  if (!rejection) return;
  const { namespace = '' } = before.metadata;
  const back = dependencies.caches.domains
    .byIndex('project', indexKey(namespace, spec.project))
    .some((other) => other.spec.hostname === spec.redirect?.to && other.spec.redirect?.to === spec.hostname);
  if (rejection.reason === 'RedirectToRedirect' && back) return;
  throw problemOfFinding(rejection);
}
