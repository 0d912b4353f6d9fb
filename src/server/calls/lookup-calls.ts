import { lookUp } from '../../use-cases/look-up.ts';
import { lookupCost } from '../../use-cases/quota-admission.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { lookup, lookupNew } from '../lookup-schemas.ts';

/** Looks at DNS, without anything that would be made. */
export const lookupCall: ApiCall = apiCall({
  method: 'post',
  path: '/v1/lookups',
  name: 'lookUp',
  summary: 'Looks a hostname up in DNS before it is added: what is there, and what will have to change; makes nothing',
  scope: lookUp.scope,
  cost: () => lookupCost,
  changesNothing: true,
  body: lookupNew,
  successes: { 200: { description: 'What DNS says about the hostname.', schema: lookup } },
  problems: ['not-found', 'account-not-ready', 'invalid-hostname', 'too-many-lookups', 'overloaded'],
  async handle(request) {
    const { hostname, project = null } = request.body;
    return { status: 200, body: await lookUp(request, { hostname, project }) };
  },
});
