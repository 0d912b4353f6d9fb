import type { z } from 'zod';
import { visibleJson } from '../../lib/printable.ts';
import { mostBulkItems } from '../../rules/plan-limits.ts';
import { addDomains } from '../../use-cases/bulk/add-domains.ts';
import type { CallerContext, RequestContext } from '../../use-cases/api-dependencies.ts';
import type { BulkDone } from '../../use-cases/bulk/bulk-domain-view.ts';
import { removeDomains } from '../../use-cases/bulk/remove-domains.ts';
import type { ItemOutcome, ManyItems } from '../../use-cases/bulk/run-items.ts';
import { verifyDomains } from '../../use-cases/bulk/verify-domains.ts';
import type { DomainPath } from '../../use-cases/find-in-account.ts';
import { Problem } from '../../use-cases/problem.ts';
import type { UseCase } from '../../use-cases/use-case.ts';
import type { Answer, ApiCall, ApiRequest } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import type { BulkItem } from '../bulk-schemas.ts';
import { bulkDomainBody } from '../domain-body.ts';
import { bulkBody, bulkDomainName, bulkNewDomain, bulkOf, bulkQuery, bulkResult } from '../bulk-schemas.ts';
import { check } from '../request-validation.ts';

/** What the call for one domain alone is answered with. */
const statuses: Readonly<Record<BulkDone['kind'], number>> = { added: 201, existing: 200, asked: 202, removing: 202 };

type Request = Pick<ApiRequest<string, z.output<typeof bulkQuery>, z.output<typeof bulkBody>>, 'body' | 'query'> &
  Pick<ApiRequest<string, unknown, unknown>, 'spend' | 'documentOf'> &
  RequestContext;

type Outcomes<Item> = readonly ItemOutcome<Item, BulkDone>[];

/** Pays for all items, or does nothing; then each is answered for itself. */
async function answerMany<Item extends DomainPath>(
  request: Request,
  schema: z.ZodType<Item>,
  act: UseCase<ManyItems<Item>, Outcomes<Item>>,
): Promise<Answer> {
  const { items: sent } = request.body;
  mustFit(request, sent.length);
  if (sent.length > 1) await request.spend(sent.length - 1, 'whole');
  const read = (one: unknown): Item => check(schema, one, 'item');
  const outcomes = await act(request, { sent, read, dryRun: request.query.dryRun === 'true' });
  const succeeded = outcomes.filter(({ kind }) => kind === 'done').length;
  const texts = outcomes.map((outcome) => visibleJson(JSON.stringify(itemOf(request, outcome))));
  const counts = `"succeeded":${succeeded},"failed":${outcomes.length - succeeded}`;
  return { status: 200, json: `{"items":[${texts.join(',')}],${counts}}` };
}

function mustFit({ caller }: CallerContext, count: number): void {
  const maximum = mostBulkItems(caller.limits);
  if (count <= maximum) return;
  const detail = `a call may have ${maximum} items on the account's plan, as each counts as a request; send them in parts of that size`;
  throw new Problem('too-many-items', detail, { members: { maximum } });
}

function itemOf({ documentOf }: Pick<Request, 'documentOf'>, outcome: ItemOutcome<DomainPath, BulkDone>): BulkItem {
  const { project = null, hostname = null } = outcome.item ?? {};
  if (outcome.kind === 'done') {
    const { kind, domain } = outcome.done;
    return {
      project,
      hostname,
      status: statuses[kind],
      domain: bulkDomainBody(domain),
      problem: null,
    };
  }
  const problem = documentOf(outcome.error);
  return { project, hostname, status: problem.status, domain: null, problem };
}

const common = {
  method: 'post',
  scope: 'domains:write',
  bulk: true,
  idempotency: 'by-name',
  query: bulkQuery,
  body: bulkBody,
  successes: { 200: { description: 'An answer for each item, whether it failed or not.', schema: bulkResult } },
  problems: ['too-many-items'],
} as const;

/** Many domains at once, over all projects of the account. */
export const bulkCalls: readonly ApiCall[] = [
  apiCall({
    ...common,
    path: '/v1/domains/bulk-add',
    name: 'addDomains',
    summary: 'Adds up to 1,000 hostnames to projects of the account; `dryRun=true` adds none',
    documentedBody: bulkOf(bulkNewDomain, 'BulkAdd'),
    handle: (request) => answerMany(request, bulkNewDomain, addDomains),
  }),
  apiCall({
    ...common,
    path: '/v1/domains/bulk-verify',
    name: 'verifyDomains',
    summary: 'Asks for a check of DNS of up to 1,000 domains; `dryRun=true` asks for none',
    documentedBody: bulkOf(bulkDomainName, 'BulkVerify'),
    handle: (request) => answerMany(request, bulkDomainName, verifyDomains),
  }),
  apiCall({
    ...common,
    path: '/v1/domains/bulk-remove',
    name: 'removeDomains',
    summary: 'Removes up to 1,000 domains; `dryRun=true` removes none',
    documentedBody: bulkOf(bulkDomainName, 'BulkRemove'),
    handle: (request) => answerMany(request, bulkDomainName, removeDomains),
  }),
];
