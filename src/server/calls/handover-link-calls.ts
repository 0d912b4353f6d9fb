import { createHandoverLink, listHandoverLinks, revokeHandoverLink } from '../../use-cases/handover-links.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { handoverLinkCreated, handoverLinkNew, handoverLinks } from '../handover-schemas.ts';

const collection = '/v1/projects/{project}/domains/{hostname}/handover-links';

const listHandoverLinksCall = apiCall({
  method: 'get',
  path: collection,
  name: 'listHandoverLinks',
  summary: 'The links by which the records of a domain are handed over, oldest first',
  scope: listHandoverLinks.scope,
  successes: { 200: { description: 'The links that still open.', schema: handoverLinks } },
  problems: ['not-found', 'account-not-ready', 'links-unavailable'],
  handle: async (request) => ({ status: 200, body: { items: await listHandoverLinks(request, request.params) } }),
});

const createHandoverLinkCall = apiCall({
  method: 'post',
  path: collection,
  name: 'createHandoverLink',
  summary:
    'Makes a link to a page with the records of this domain and nothing else, for whoever manages its DNS: read-only, without an account',
  scope: createHandoverLink.scope,
  withoutTurn: true,
  body: handoverLinkNew,
  successes: { 201: { description: 'The link, which is shown only once.', schema: handoverLinkCreated } },
  problems: ['not-found', 'account-not-ready', 'link-cap-reached', 'links-unavailable'],
  handle: async (request) => ({
    status: 201,
    body: await createHandoverLink(request, { ...request.params, ...request.body }),
  }),
});

const revokeHandoverLinkCall = apiCall({
  method: 'delete',
  path: `${collection}/{link}`,
  name: 'revokeHandoverLink',
  summary: 'Ends a link at once',
  scope: revokeHandoverLink.scope,
  withoutTurn: true,
  successes: { 204: { description: 'The link no longer works.', schema: null } },
  problems: ['not-found', 'account-not-ready', 'links-unavailable'],
  async handle(request) {
    await revokeHandoverLink(request, request.params);
    return { status: 204 };
  },
});

/** Links to the records of a domain, for people without an account. */
export const handoverLinkCalls: readonly ApiCall[] = [
  listHandoverLinksCall,
  createHandoverLinkCall,
  revokeHandoverLinkCall,
];
