import type { CustomerStatus } from '../rules/next-step.ts';
import { customerStatuses } from '../rules/next-step.ts';
import type { RequestContext } from './api-dependencies.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import { hostnameContains } from './domain-filter.ts';
import { domainViews, rememberedAtOnce } from './domain-views.ts';
import type { DomainSituation } from './domain-view.ts';
import { situationOf, statusForCustomer } from './domain-view.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainsIn, projectOf } from './find-in-account.ts';
import { useCase } from './use-case.ts';
import type { FairQueue, QueueBounds, Refusals } from './fair-queue.ts';
import { createFairQueue } from './fair-queue.ts';
import { Problem, tryLater } from './problem.ts';

/** Which domains of a project are looked for. */
export interface DomainFilter {
  /** null: whatever their status is */
  readonly status: CustomerStatus | null;
  /** part of the hostname, in A-labels or in Unicode; '' for all */
  readonly text: string;
}

interface FindDomains extends ProjectPath {
  readonly filter: DomainFilter;
  /** from 1; one beyond the last shows the last */
  readonly page: number;
  /** domains per page */
  readonly size: number;
}

/** A page of the domains that were found, those that need their customer first; then by hostname. */
export interface FoundDomains {
  readonly items: readonly DomainSituation[];
  readonly page: number;
  readonly pages: number;
  /** how many domains the project has, and how many were found by their text, by status */
  readonly total: number;
  readonly counts: Readonly<Record<CustomerStatus, number>>;
  /** the keys between which a new domain belongs on this page; null where the list begins or ends */
  readonly after: string | null;
  readonly until: string | null;
}

/** The domains of a project that match a filter, on pages. Rejects with overloaded where many lists of many domains are made. */
export const findDomains = useCase<FindDomains, FoundDomains>('domains:read', async (context, input) => {
  const all = domainsIn(context, { project: projectOf(context, input).metadata.name });
  const isNamed = hostnameContains(input.filter.text);
  const matching = all.filter(({ spec }) => isNamed(spec.hostname));
  const list = () => found(context, input, { total: all.length, matching });
  if (matching.length <= rememberedAtOnce) return list();
  const { dependencies, caller, signal } = context;
  return dependencies.longLists.run({ account: caller.account.metadata.name, object: null, signal }, list);
});

async function found(
  context: RequestContext,
  { filter, size, ...input }: FindDomains,
  { total, matching }: Pick<FoundDomains, 'total'> & { readonly matching: readonly DomainHead[] },
): Promise<FoundDomains> {
  const named = await Array.fromAsync(situations(context, matching), ({ head, situation }) => {
    const status = statusForCustomer(situation);
    return { head, status, key: listKey(status, situation.domain.hostname) };
  });
  const all = named
    .filter(({ status }) => filter.status === null || status === filter.status)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(input.page, pages);
  const shown = all.slice((page - 1) * size, page * size);
  return {
    items: await Array.fromAsync(
      situations(
        context,
        shown.map(({ head }) => head),
      ),
      ({ situation }) => situation,
    ),
    page,
    pages,
    total,
    counts: countsOf(named),
    after: all[(page - 1) * size - 1]?.key ?? null,
    until: page === pages ? null : (shown.at(-1)?.key ?? null),
  };
}

/** One after the other: a project may have ten thousand domains, and only a page of situations is kept. */
async function* situations(
  context: RequestContext,
  heads: readonly DomainHead[],
): AsyncGenerator<{ readonly head: DomainHead; readonly situation: DomainSituation }> {
  const now = context.dependencies.now();
  for await (const { head, viewed } of domainViews(context, heads)) yield { head, situation: situationOf(viewed, now) };
}

/** Where a domain stands in the list; the dashboard's script compares rows by the same key. */
const listKey = (status: CustomerStatus, hostname: string): string => `${customerStatuses.indexOf(status)} ${hostname}`;

function countsOf(domains: readonly { readonly status: CustomerStatus }[]): FoundDomains['counts'] {
  const countOf = (wanted: CustomerStatus) => domains.filter(({ status }) => status === wanted).length;
  return Object.fromEntries(customerStatuses.map((status) => [status, countOf(status)])) as FoundDomains['counts'];
}

/**
 * One of ten thousand domains takes a second of the processor, in slices between which all others have their turn: so many slices come between two
 * turns of theirs as lists are made at a time.
 */
const bounds: QueueBounds = Object.freeze({
  atATime: 2,
  atATimePerAccount: 1,
  waiting: 64,
  waitingPerAccount: 8,
  waitMs: 10_000,
});

const refusals: Refusals = {
  tooMany: () =>
    tryLater('overloaded', 'other long lists of the account are being made; try again when they are there'),
  overloaded: () => tryLater('overloaded', 'too many long lists are being made right now; try again in a few seconds'),
  gone: () => new Problem('starting', 'the request ended before its list was made'),
};

/** Lists of more domains than are remembered wait here for their account's turn. */
export const createLongLists = (): FairQueue => createFairQueue(bounds, refusals);
