import { addDomain } from '../../use-cases/add-domain.ts';
import { changeDomain } from '../../use-cases/change-domain.ts';
import type { DomainChange } from '../../use-cases/domain-spec.ts';
import { rejectionCodes } from '../../use-cases/error-to-problem.ts';
import { lookUp, previewWithLookup } from '../../use-cases/look-up.ts';
import { makePrimary } from '../../use-cases/make-primary.ts';
import { Problem } from '../../use-cases/problem.ts';
import { lookupCost } from '../../use-cases/quota-admission.ts';
import { listDomains } from '../../use-cases/list-domains.ts';
import { showDomain } from '../../use-cases/read-domains.ts';
import { removeDomain } from '../../use-cases/remove-domain.ts';
import { verifyDomain } from '../../use-cases/verify-domain.ts';
import { domainVersion } from '../../use-cases/versions.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { domainBody, domainJson, domainPageJson, lookupBody, previewBody, timelineEntryBody } from '../domain-body.ts';
import { representationHash } from '../entity-tag.ts';
import { domainPreview, lookup, lookupNew } from '../lookup-schemas.ts';
import {
  domain,
  domainChange,
  domainNew,
  domainPage,
  dryRunQuery,
  issueParams,
  pageQuery,
  saying,
  swapQuery,
  time,
  waitQuery,
  describing,
} from '../schemas.ts';
import { domainState, issueCode, severity, timelineKind, timelineReason } from '../word-schemas.ts';
import { z } from 'zod';

const entry = z
  .strictObject({
    at: saying(time, 'When it happened.'),
    kind: timelineKind,
    state: domainState.meta({ description: 'The state that was entered, or that the domain was in.' }),
    reason: timelineReason,
    code: issueCode.nullable().meta({ description: 'Of the issue; null unless it is a `finding`.' }),
    severity: severity.nullable().meta({ description: 'Null unless it is a `finding`.' }),
    params: issueParams,
    message: saying(z.string(), 'The same as a sentence in English.'),
  })
  .meta({ id: 'TimelineEntry', description: 'One thing that happened to a domain.' });

/** What the call for one domain answers; lists have no timelines. */
const domainWithTimeline = describing<
  ReturnType<typeof domainBody> & { readonly timeline: readonly ReturnType<typeof timelineEntryBody>[] }
>()(
  domain
    .extend({ timeline: z.array(entry).meta({ description: 'Oldest first, fifty entries at most.' }) })
    .meta({ id: 'DomainWithTimeline', description: 'One hostname of a project, with its history.' }),
);

const collection = '/v1/projects/{project}/domains';
const path = '/v1/projects/{project}/domains/{hostname}';

const listDomainsCall = apiCall({
  method: 'get',
  path: collection,
  name: 'listDomains',
  summary: "The project's domains, sorted by hostname",
  scope: listDomains.scope,
  conditional: true,
  query: pageQuery,
  successes: { 200: { description: 'A page of domains.', schema: domainPage } },
  problems: ['not-found', 'account-not-ready'],
  async handle(request) {
    const { items, nextCursor } = await listDomains(request, { ...request.params, page: request.query });
    const { views } = request.dependencies;
    const hashes = items.map((item) => views.hashOf(item, domainJson, representationHash));
    const hash = representationHash([nextCursor, ...hashes].join(' '));
    return { status: 200, hash, json: domainPageJson(views, items, { nextCursor }) };
  },
});

const showDomainCall = apiCall({
  method: 'get',
  path,
  name: 'showDomain',
  summary: 'One domain: its state, why, and the records to create',
  scope: showDomain.scope,
  conditional: true,
  successes: { 200: { description: 'The domain.', schema: domainWithTimeline } },
  problems: ['not-found', 'account-not-ready'],
  async handle(request) {
    const version = await domainVersion(request, request.params);
    const { domain: shown, timeline } = await showDomain(request, request.params);
    const body = { ...domainBody(shown), timeline: timeline.map(timelineEntryBody) };
    return { status: 200, version, body };
  },
});

const addDomainCall = apiCall({
  method: 'post',
  idempotency: 'by-name',
  path: collection,
  name: 'addDomain',
  summary:
    'Adds a hostname; `dryRun=true` shows the records it would need and creates nothing, `dryRun=lookup` looks at DNS too',
  scope: addDomain.scope,
  cost: ({ dryRun }) => (dryRun === 'lookup' ? lookupCost : 1),
  query: dryRunQuery,
  body: domainNew,
  successes: {
    200: { description: 'An identical domain already existed, or this was a dry run.', schema: domainPreview },
    201: { description: 'The domain, with the records to create.', schema: domain },
  },
  problems: [...rejectionCodes, 'label-cap-reached', 'write-refused', 'cluster-unavailable'],
  async handle(request) {
    const { params, query, body } = request;
    if (query.dryRun === 'lookup') {
      return { status: 200, body: previewBody(await previewWithLookup(request, { ...params, domain: body })) };
    }
    const added = await addDomain(request, { ...params, domain: body, dryRun: query.dryRun === 'true' });
    if (added.kind !== 'added') return { status: 200, body: domainBody(added.domain) };
    const { project, hostname } = added.domain;
    return {
      status: 201,
      body: domainBody(added.domain),
      headers: { location: `/v1/projects/${project}/domains/${hostname}` },
    };
  },
});

const changeDomainCall = apiCall({
  method: 'patch',
  idempotency: 'by-name',
  path,
  name: 'changeDomain',
  summary:
    'Changes role, redirect or labels, wherever the domain is declared; with `swap=true` and the role primary, the primary that the project has becomes a redirect to it',
  scope: changeDomain.scope,
  conditional: true,
  query: swapQuery,
  body: domainChange,
  successes: { 200: { description: 'The domain as it is now.', schema: domain } },
  problems: [...rejectionCodes, 'label-cap-reached', 'conflict', 'write-refused', 'cluster-unavailable'],
  async handle({ body, ...request }) {
    const { params, query, spend } = request;
    if (query.swap === 'false')
      return { status: 200, body: domainBody(await changeDomain(request, { ...params, change: body })) };
    mustBeSwap(body);
    return { status: 200, body: domainBody(await makePrimary(request, { ...params, spend })) };
  },
});

/** Throws for anything that would have to be changed beside the two roles. */
function mustBeSwap({ role, redirect = null, prepare, labels }: DomainChange): void {
  if (role === 'primary' && redirect === null && prepare === undefined && labels === undefined) return;
  throw new Problem('malformed-request', 'with `swap=true` send {"role": "primary"} and nothing else');
}

const removeDomainCall = apiCall({
  method: 'delete',
  path,
  name: 'removeDomain',
  summary: 'Removes a hostname: route first, then certificate',
  scope: removeDomain.scope,
  conditional: true,
  successes: {
    202: { description: 'It is being removed; the route was still there after ten seconds.', schema: domain },
    204: { description: 'The route is gone.', schema: null },
  },
  problems: ['not-found', 'account-not-ready', 'invalid-redirect', 'conflict', 'write-refused', 'cluster-unavailable'],
  async handle(request) {
    const result = await removeDomain(request, request.params);
    return result.kind === 'removed' ? { status: 204 } : { status: 202, body: domainBody(result.domain) };
  },
});

const verifyDomainCall = apiCall({
  method: 'post',
  idempotency: 'by-name',
  path: `${path}/verify`,
  name: 'verifyDomain',
  summary: 'Asks for a check of DNS now, and for a new attempt at a certificate that is overdue',
  scope: verifyDomain.scope,
  query: waitQuery,
  successes: {
    200: { description: 'A check that began after the request finished within `wait`.', schema: domain },
    202: { description: 'The check has been requested.', schema: domain },
  },
  problems: ['not-found', 'account-not-ready', 'domain-pending', 'write-refused', 'cluster-unavailable'],
  async handle(request) {
    const { params, query } = request;
    const seconds = query.wait === undefined ? 0 : Number.parseInt(query.wait, 10);
    const { kind, domain: shown } = await verifyDomain(request, { ...params, waitMs: seconds * 1_000 });
    return { status: kind === 'finished' ? 200 : 202, body: domainBody(shown) };
  },
});

/** A project's domains. */
export const domainCalls: readonly ApiCall[] = [
  listDomainsCall,
  showDomainCall,
  addDomainCall,
  changeDomainCall,
  removeDomainCall,
  verifyDomainCall,
];

/** Looks at DNS, without anything that would be made. */
export const lookupCall: ApiCall = apiCall({
  method: 'post',
  idempotency: 'by-name',
  path: '/v1/lookups',
  name: 'lookUp',
  summary: 'Looks a hostname up in DNS before it is added: what is there, and what will have to change; makes nothing',
  scope: lookUp.scope,
  cost: () => lookupCost,
  withoutTurn: true,
  body: lookupNew,
  successes: { 200: { description: 'What DNS says about the hostname.', schema: lookup } },
  problems: ['not-found', 'account-not-ready', 'invalid-hostname', 'too-many-lookups', 'overloaded'],
  async handle(request) {
    const { hostname, project = null } = request.body;
    return { status: 200, body: lookupBody(await lookUp(request, { hostname, project })) };
  },
});
