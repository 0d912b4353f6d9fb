import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Cache, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import { objectKeyOf } from '../kubernetes/object-keys.ts';
import type { SortedTexts } from '../lib/sorted-texts.ts';
import { createSortedTexts } from '../lib/sorted-texts.ts';
import { createTimeSlices } from '../lib/time-slices.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import type { ListedHead } from './listed-head.ts';

/** What lists of domains are sorted by; `-` for the newest first. Domains of the same second are sorted by hostname. */
export const domainSorts = ['hostname', 'createdAt', '-createdAt'] as const;
export type DomainSort = (typeof domainSorts)[number];

/** Domains that have a value in an index of the cache. */
export interface DomainSet {
  readonly index: 'namespace' | 'project';
  readonly value: string;
}

/** A domain's place in an order: other domains have other positions, and a domain keeps its own until it is removed. */
export interface PlacedDomain {
  readonly position: string;
  /** undefined for one that has just been removed */
  readonly head: ListedHead | undefined;
}

/** The domains of a set that are not being removed, in order. */
export interface DomainOrder {
  readonly size: number;
  /** The first ones behind a position, at most `count`; from the very first without it. */
  after(position: string | null, count: number): readonly PlacedDomain[];
}

/** The orders of domains: what a page of a list is a part of. */
export interface DomainOrders {
  /** Sorts them, in slices between which others have their turn, unless that was done before. */
  of(set: DomainSet, sort: DomainSort): Promise<DomainOrder>;
  /** Whether it is there, or few enough have to be sorted for nobody to notice. */
  isAtHand(set: DomainSet, sort: DomainSort): boolean;
}

/** So many are sorted in no time, whenever somebody asks: small accounts, of which there may be very many, take nothing of what is remembered. */
const sortedAnewAtMost = 200;
/** In all orders together, of some 100 bytes each. */
const rememberedAtMost = 250_000;
/** Between two looks at the time. */
const batch = 128;

type Changed = (change: { readonly object: ProjectDomain; readonly type: string }) => void;

/** Of the cache of domains. */
interface Domains extends Pick<Cache<ProjectDomain, ListedHead>, 'headOf' | 'byIndex' | 'countByIndex'> {
  subscribeUnder(index: string, value: string, listener: Changed): () => void;
}

type Field = 'hostname' | 'createdAt';

interface Remembered {
  readonly texts: SortedTexts;
  readonly sorted: Promise<void>;
  readonly forget: () => void;
  isSorted: boolean;
}

/**
 * Orders of many domains are remembered, the last ones that were asked for, and follow what changes in the cache: a page then takes as long as what
 * is on it, however many domains there are.
 */
export function createDomainOrders(domains: Domains): DomainOrders {
  /** the one that was asked for last is the last */
  const remembered = new Map<string, Remembered>();
  const isSmall = ({ index, value }: DomainSet) => domains.countByIndex(index, value) <= sortedAnewAtMost;
  const nameOf = ({ index, value }: DomainSet, sort: DomainSort) => `${index} ${value} ${fieldOf(sort)}`;

  const forgetOldest = () => {
    let all = [...remembered.values()].reduce((sum, { texts }) => sum + texts.size, 0);
    for (const [name, { texts, forget, isSorted }] of remembered) {
      if (all <= rememberedAtMost || remembered.size === 1) return;
      if (!isSorted) continue;
      remembered.delete(name);
      forget();
      all -= texts.size;
    }
  };
  const recalled = (set: DomainSet, sort: DomainSort): Remembered => {
    const name = nameOf(set, sort);
    const order = remembered.get(name) ?? followed(domains, set, fieldOf(sort));
    remembered.delete(name);
    remembered.set(name, order);
    return order;
  };

  return {
    isAtHand: (set, sort) => isSmall(set) || remembered.get(nameOf(set, sort))?.isSorted === true,
    async of(set, sort) {
      if (isSmall(set)) return sortedAnew(domains, set, sort);
      const isNew = !remembered.has(nameOf(set, sort));
      const order = recalled(set, sort);
      await order.sorted;
      if (isNew) forgetOldest();
      return read(domains, order.texts, { set, sort });
    },
  };
}

const fieldOf = (sort: DomainSort): Field => (sort === 'hostname' ? 'hostname' : 'createdAt');

/** Joined, not concatenated (object-keys.ts). Neither a hostname nor a name contains a space, which comes before all that they may. */
function positionOf(field: Field, { metadata, spec }: Pick<DomainHead, 'metadata' | 'spec'>): string {
  const named = [spec.hostname, metadata.name];
  return (field === 'hostname' ? named : [metadata.creationTimestamp ?? '', ...named]).join(' ');
}

const isLeaving = ({ metadata }: Pick<DomainHead, 'metadata'>): boolean => metadata.deletionTimestamp !== undefined;

function sortedAnew(domains: Domains, { index, value }: DomainSet, sort: DomainSort): DomainOrder {
  const field = fieldOf(sort);
  const isBehind =
    sort === '-createdAt' ? (one: string, other: string) => one < other : (one: string, other: string) => one > other;
  const sorted = domains
    .byIndex(index, value)
    .filter((head) => !isLeaving(head))
    .map((head): PlacedDomain => ({ position: positionOf(field, head), head }))
    .toSorted((one, other) => (isBehind(one.position, other.position) ? 1 : -1));
  return {
    size: sorted.length,
    after(position, count) {
      const from = position === null ? 0 : sorted.findIndex((one) => isBehind(one.position, position));
      return from === -1 ? [] : sorted.slice(from, from + count);
    },
  };
}

/** The same in slices; follows what changes meanwhile and from then on. */
function followed(domains: Domains, { index, value }: DomainSet, field: Field): Remembered {
  const texts = createSortedTexts();
  const forget = domains.subscribeUnder(index, value, ({ object, type }) => {
    const position = positionOf(field, object);
    if (type === 'deleted' || isLeaving(object)) texts.remove(position);
    else texts.add(position);
  });
  const order: Remembered = { texts, forget, isSorted: false, sorted: fill().then(() => void (order.isSorted = true)) };
  return order;

  async function fill(): Promise<void> {
    const slices = createTimeSlices(() => performance.now());
    for (const [at, head] of domains.byIndex(index, value).entries()) {
      if (at % batch === 0) await slices.next();
      addPresent(domains, { texts, key: objectKeyOf(head), field });
    }
  }
}

interface Placing {
  readonly texts: SortedTexts;
  readonly key: ObjectKey;
  readonly field: Field;
}

/** As it is now: what was removed since it was read has been reported. */
function addPresent(domains: Domains, { texts, key, field }: Placing): void {
  const head = domains.headOf(key);
  if (head && !isLeaving(head)) texts.add(positionOf(field, head));
}

function read(
  domains: Domains,
  texts: SortedTexts,
  { set, sort }: { readonly set: DomainSet; readonly sort: DomainSort },
): DomainOrder {
  // A namespace, or what begins with one.
  const [namespace = ''] = set.value.split('/', 1);
  const placed = (position: string): PlacedDomain => ({
    position,
    head: domains.headOf({ namespace, name: position.slice(position.lastIndexOf(' ') + 1) }),
  });
  return {
    get size() {
      return texts.size;
    },
    after: (position, count) =>
      (sort === '-createdAt' ? texts.before(position, count) : texts.after(position, count)).map(placed),
  };
}
