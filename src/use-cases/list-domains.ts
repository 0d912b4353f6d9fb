import { indexKey } from '../kubernetes/object-keys.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import { createTimeSlices } from '../lib/time-slices.ts';
import type { RequestContext } from './api-dependencies.ts';
import { cursorsOf } from './account-cursors.ts';
import type { DomainCriteria, DomainMatch } from './domain-filter.ts';
import { domainMatch } from './domain-filter.ts';
import type { DomainOrder, DomainSet, DomainSort, PlacedDomain } from './domain-orders.ts';
import type { DomainView } from './domain-view.ts';
import { rememberedAtOnce, viewerFor } from './domain-views.ts';
import type { ProjectPath } from './find-in-account.ts';
import { namespaceFor, projectOf } from './find-in-account.ts';
import type { PageRequest, ResultPage } from './pagination.ts';
import { useCase } from './use-case.ts';

/** Which domains of the account are listed, and in which order. */
export interface DomainQuery extends DomainCriteria {
  /** of this project alone */
  readonly project?: string | undefined;
  readonly sort: DomainSort;
}

/** How many domains match. */
interface DomainTotal {
  readonly count: number;
  /** false: at least so many, as counting ended before the last one, or not all of them could be counted without a closer look */
  readonly exact: boolean;
}

/** A page may have fewer items than were asked for, even none, where the next one has more. */
export interface FoundPage extends ResultPage<DomainView> {
  readonly total: DomainTotal;
}

/** Heads that one page, and one count, looks at: some five milliseconds. */
const headsAtMost = 10_000;
/** Views that one page makes: some 80 microseconds each where they are not remembered. */
const viewsAtMost = rememberedAtOnce;
/** Heads between two looks at the time. */
const batch = 128;

/** The project's domains, sorted by hostname. */
export const listDomains = useCase<ProjectPath & { readonly page: PageRequest }, ResultPage<DomainView>>(
  'domains:read',
  async (context, { page: { limit, cursor }, ...path }) => {
    const project = projectOf(context, path).metadata.name;
    const cursors = cursorsOf(context, 'domains of a project', project);
    const search = await searchIn(context, { set: setOf(context, project), sort: 'hostname', match: domainMatch({}) });
    const from = cursor === undefined ? null : cursors.open(cursor);
    const { items, next } = await find(context, search, { limit, from, isCounted: false });
    return { items, nextCursor: next === null ? null : cursors.seal(next) };
  },
);

/**
 * The domains of the account, over all of its projects. Rejects with overloaded where many long lists are made, and with malformed-request for a
 * cursor of another list.
 */
export const listAccountDomains = useCase<{ readonly query: DomainQuery; readonly page: PageRequest }, FoundPage>(
  'domains:read',
  (context, { query, page: { limit, cursor } }) => {
    const { project, sort, ...criteria } = query;
    const set = setOf(context, project);
    const isFiltered = Object.values(criteria).some((value) => value !== undefined);
    const cursors = cursorsOf(context, 'domains', identityOf(query));
    const resumed = cursor === undefined ? null : (JSON.parse(cursors.open(cursor)) as Resumed);
    const list = async (): Promise<FoundPage> => {
      const search = await searchIn(context, { set, sort, match: domainMatch(criteria) });
      const isCounted = isFiltered && resumed === null;
      const found = await find(context, search, { limit, from: resumed?.position ?? null, isCounted });
      const counted = resumed?.total ?? found.total;
      const { items, next } = found;
      return {
        items,
        nextCursor: next === null ? null : cursors.seal(JSON.stringify({ position: next, total: counted })),
        total: counted ?? { count: search.order.size, exact: true },
      };
    };
    const { caches, orders, longLists } = context.dependencies;
    const isLong = isFiltered && caches.domains.countByIndex(set.index, set.value) > batch;
    if (!isLong && orders.isAtHand(set, sort)) return list();
    const { caller, signal } = context;
    return longLists.run({ account: caller.account.metadata.name, object: null, signal }, list);
  },
);

/** What a cursor has: those that match a filter are counted once, for the first page. */
interface Resumed {
  readonly position: string;
  readonly total: DomainTotal | null;
}

/** All that decides which items the list has and in which order, the same for the same question. */
function identityOf({ project, sort, state, reason, role, q, label, needsAction }: DomainQuery): readonly unknown[] {
  const several = (values: readonly string[] | undefined) => values && [...new Set(values)].toSorted();
  const named = { project, sort, state: several(state), reason: several(reason), role, q, label: several(label) };
  return [{ ...named, needsAction }];
}

/** Throws account-not-ready without a namespace. */
function setOf(context: RequestContext, project: string | undefined): DomainSet {
  const namespace = namespaceFor(context);
  return project === undefined
    ? { index: 'namespace', value: namespace }
    : { index: 'project', value: indexKey(namespace, project) };
}

interface Search {
  readonly order: DomainOrder;
  readonly match: DomainMatch;
  readonly slices: TimeSlices;
}

async function searchIn(
  { dependencies: { orders } }: RequestContext,
  { set, sort, match }: { readonly set: DomainSet; readonly sort: DomainSort; readonly match: DomainMatch },
): Promise<Search> {
  const order = await orders.of(set, sort);
  return { order, match, slices: createTimeSlices(() => performance.now()) };
}

/** A domain, and whether it matches; null where its view tells. */
interface Look extends PlacedDomain {
  readonly matches: boolean | null;
}

const matchOf = ({ head }: PlacedDomain, match: DomainMatch): boolean | null =>
  head !== undefined && head.metadata.deletionTimestamp === undefined && match.ofHead(head);

/** Domains behind a position in batches, and no more than one request looks at. */
async function* looks({ order, match, slices }: Search, from: string | null): AsyncGenerator<readonly Look[]> {
  let position = from;
  for (let looked = 0; looked < headsAtMost; looked += batch) {
    await slices.next();
    const placed = order.after(position, batch);
    if (placed.length === 0) return;
    yield placed.map((one): Look => ({ ...one, matches: matchOf(one, match) }));
    position = placed.at(-1)?.position ?? null;
  }
}

const isLast = ({ order }: Search, position: string | null): boolean => order.after(position, 1).length === 0;

interface Wanted {
  readonly limit: number;
  /** the position behind which the page begins */
  readonly from: string | null;
  /** those that match are counted as well, from here on */
  readonly isCounted: boolean;
}

interface Found {
  readonly items: readonly DomainView[];
  /** behind which the next page begins; null at the end */
  readonly next: string | null;
  readonly total: DomainTotal | null;
}

async function find(context: RequestContext, search: Search, { limit, from, isCounted }: Wanted): Promise<Found> {
  const items = createItems(context, search, limit);
  const count = createCount();
  let [last, next] = [from, from];
  for await (const looked of looks(search, from)) {
    for (const one of looked) {
      const shown = one.matches !== false && (await items.offer(one));
      count.add(one, shown);
      if (!items.isFull) next = one.position;
    }
    last = looked.at(-1)?.position ?? last;
    if (items.isFull && !isCounted) break;
  }
  return {
    items: items.shown,
    next: items.isFull || !isLast(search, next) ? next : null,
    total: isCounted ? count.total(isLast(search, last)) : null,
  };
}

/** Of those that were left to the next page, those count of which the head tells that they match. */
function createCount() {
  let [count, undecided] = [0, 0];
  return {
    add({ matches }: Look, shown: boolean | null) {
      if (matches === true || shown === true) count += 1;
      else if (shown === null) undecided += 1;
    },
    total: (isAll: boolean): DomainTotal => ({ count, exact: isAll && undecided === 0 }),
  };
}

/** The items of one page: it is full once there is one more than is shown, or when so many views were made as one page makes. */
function createItems(context: RequestContext, { match, slices }: Search, limit: number) {
  const viewOf = viewerFor(context, true);
  const shown: DomainView[] = [];
  let [isFull, viewed] = [false, 0];
  return {
    shown,
    get isFull() {
      return isFull;
    },
    /** Whether it matches and is shown; null for one that is left to the next page. */
    async offer({ head, matches }: Look): Promise<boolean | null> {
      isFull ||= viewed === viewsAtMost || (shown.length === limit && matches === true);
      if (isFull) return null;
      await slices.next();
      viewed += 1;
      const found = head && viewOf(head);
      if (!found || !(matches ?? match.ofView(found, context.dependencies.now()))) return false;
      isFull = shown.length === limit;
      if (isFull) return null;
      shown.push(found.view);
      return true;
    },
  };
}
