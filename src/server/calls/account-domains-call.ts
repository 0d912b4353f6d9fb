import { z } from 'zod';
import { labelNameForm, labelValueForm } from '../../rules/domain-labels.ts';
import { domainStateNames } from '../../rules/domain-state.ts';
import { kebabCase } from '../../rules/kebab-case.ts';
import { domainSorts } from '../../use-cases/domain-orders.ts';
import type { FoundPage } from '../../use-cases/list-domains.ts';
import { listAccountDomains } from '../../use-cases/list-domains.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import type { domainBody } from '../domain-body.ts';
import { domainPageJson } from '../domain-body.ts';
import { bounded, describing, domain, domainPage, pageQuery, saying, text } from '../schemas.ts';

/** The list of all domains of an account. */

const [reasonsAtMost, labelsAtMost] = [20, 5];

/** A parameter that may be given several times, as OpenAPI says it of a list. */
const repeated = (one: z.ZodType<string, string>, most: number, error: string) =>
  z.union([one.transform((value) => [value]), z.array(one).min(1).max(most)], { error }).optional();

const labelMaximum = 63 + 1 + 255;

const isLabel = (given: string): boolean => {
  const [name = '', ...value] = given.split(':');
  return labelNameForm.test(name) && labelValueForm.test(value.join(':'));
};

const domainQuery = pageQuery.extend({
  project: text(253).optional().meta({ description: 'Of this project alone.' }),
  state: repeated(
    z.enum(domainStateNames.map(kebabCase)),
    domainStateNames.length,
    `write states such as ${domainStateNames.map(kebabCase).join(', ')}, each in a parameter of its own`,
  ).meta({ description: 'In any of these states.' }),
  reason: repeated(
    bounded(64).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    reasonsAtMost,
    `write up to ${reasonsAtMost} reasons such as record-missing, each in a parameter of its own`,
  ).meta({ description: 'For any of these reasons, in kebab-case.' }),
  role: domain.shape.role.optional().meta({ description: 'With this role.' }),
  q: text(253)
    .optional()
    .meta({ description: 'Part of the hostname, as it is or in Unicode, in upper or lower case.' }),
  label: repeated(
    bounded(labelMaximum).refine(isLabel),
    labelsAtMost,
    `write up to ${labelsAtMost} labels such as customer:cus_123, or customer for any value, each in a parameter of its own`,
  ).meta({ description: 'With all of these labels: `name:value`, or `name` for any value.' }),
  needsAction: z
    .enum(['true', 'false'])
    .transform((said) => said === 'true')
    .optional()
    .meta({ description: 'Whether the customer has to do something before it can go live.' }),
  sort: z.enum(domainSorts).default('hostname').meta({ description: '`-createdAt`: the newest first.' }),
});

const total = z
  .strictObject({
    count: saying(z.int(), 'So many that are known.'),
    exact: z.boolean().meta({ description: 'False: at least so many. Counting ended before the last domain.' }),
  })
  .meta({ description: 'How many domains match, on all pages.' });

const domainsOfAccount = describing<
  Omit<FoundPage, 'items'> & { readonly items: readonly ReturnType<typeof domainBody>[] }
>()(
  domainPage.extend({ total }).meta({
    id: 'AccountDomainPage',
    description:
      'A page; `nextCursor` requests the next one and is null on the last. Filters may leave fewer items than `limit` on a page, even none, that is not the last.',
  }),
);

export const listAccountDomainsCall: ApiCall = apiCall({
  method: 'get',
  path: '/v1/domains',
  name: 'listAccountDomains',
  summary: 'All domains of the account, over its projects, filtered and sorted',
  scope: listAccountDomains.scope,
  query: domainQuery,
  successes: { 200: { description: 'A page of domains.', schema: domainsOfAccount } },
  problems: ['account-not-ready', 'overloaded'],
  async handle(request) {
    const { limit, cursor, ...query } = request.query;
    const { items, nextCursor, total: found } = await listAccountDomains(request, { query, page: { limit, cursor } });
    return { status: 200, json: domainPageJson(request.dependencies.views, items, { nextCursor, total: found }) };
  },
});
