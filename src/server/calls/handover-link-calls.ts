import { z } from 'zod';
import type { CreatedHandoverLinkView, HandoverLinkView } from '../../use-cases/handover-links.ts';
import { createHandoverLink, listHandoverLinks, revokeHandoverLink } from '../../use-cases/handover-links.ts';
import { senderMaximum } from '../../use-cases/handover-links-port.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { describing, saying, time } from '../schemas.ts';

/** Bodies of the calls about hand-over links. */

export const handoverLinkNew = z
  .strictObject({
    days: z.literal([1, 7, 30]).default(7).meta({ description: 'How long it lasts.' }),
    from: z
      .string()
      .trim()
      .max(senderMaximum)
      .regex(/^\P{C}*$/u, 'has characters that cannot be seen')
      .default('')
      .meta({
        description:
          'Who sends it, as the page that it opens says: whoever gets the link knows by that whom it is from.',
      }),
  })
  .meta({ id: 'NewHandoverLink', description: 'A link to make.' });

const linkFields = {
  id: saying(z.string(), 'Ends the link, and opens nothing.'),
  createdBy: z.string().meta({ description: 'The public part of the key that made it; the link ends with the key.' }),
  from: z.string().nullable().meta({ description: 'Who sends it; null where nobody is named.' }),
  createdAt: saying(time, 'When it was made.'),
  expiresAt: saying(time, 'When it ends.'),
};

const handoverLink = describing<HandoverLinkView>()(
  z.strictObject(linkFields).meta({ id: 'HandoverLink', description: 'A link, without what opens it.' }),
);

const handoverLinks = z
  .strictObject({ items: saying(z.array(handoverLink), 'The oldest first.') })
  .meta({ id: 'HandoverLinks', description: 'All links of a domain that still open.' });

const handoverLinkCreated = describing<CreatedHandoverLinkView>()(
  z
    .strictObject({
      ...linkFields,
      path: z.string().meta({
        description: 'Path of the page, on the host of the dashboard. This is the only time it is shown.',
      }),
    })
    .meta({ id: 'CreatedHandoverLink', description: 'A newly made link. Whoever has it sees the records.' }),
);

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
  idempotency: 'by-record',
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
