/**
 * What a socket waits for. Its client: `unfinished` until its request is read whole, and while its answer is not read; `idle` between two
 * requests. Us: `working`.
 */
export type Phase = 'unfinished' | 'idle' | 'working';

export interface Place {
  /** whose it is: sockets of one group share what one group may have; one whose peer has many clients is a group of its own */
  readonly group: string;
  /** written by the places alone */
  phase: Phase;
}

export interface PlaceLimits {
  readonly connections: number;
  /** of them, for one group */
  readonly perGroup: number;
}

/** The places of a server's sockets. */
export interface SocketPlaces<P extends Place> {
  /**
   * Takes a place for a newcomer, which is `unfinished`: as long as there is room, or somebody else's makes room. False where every
   * socket that could is being worked on.
   */
  readonly take: (newcomer: P) => boolean;
  readonly leave: (place: P) => void;
  readonly enter: (place: P, phase: Phase) => void;
  readonly all: () => Iterable<P>;
  /** whether a group holds more unfinished sockets than what is usual */
  readonly holdsUnusuallyMany: (group: string) => boolean;
}

export interface PlaceEvents<P> {
  /** whether an `unfinished` one has become `working` without having said so */
  readonly isWorking: (place: P) => boolean;
  /** it loses its place: its socket is to be closed */
  readonly evict: (place: P) => void;
}

/** An address with less than this share of all places in unfinished sockets has not done anything unusual. */
const usualShare = 0.1;

/** Nor have all addresses together with less than this share. Above it many addresses hold what each of them alone may. */
const usualShareOfAll = 0.5;

/**
 * Who goes when there is no room: of the group with the most unfinished sockets the oldest one; where neither a group nor all together have
 * unusually many, the socket that has been idle for longest in the group with the most idle ones. Never the newcomer while another one waits for its client,
 * and never one that is being worked on. A group that has as many as one may have makes room for its own newcomers.
 */
export function createSocketPlaces<P extends Place>(
  { connections, perGroup }: PlaceLimits,
  { isWorking, evict }: PlaceEvents<P>,
): SocketPlaces<P> {
  const open = new Set<P>();
  const counts = new Map<string, number>();
  const waiting = { unfinished: createRankedGroups<P>(), idle: createRankedGroups<P>() };
  const unusual = connections * usualShare;
  let unfinished = 0;

  const begin = (place: P, phase: Phase) => {
    place.phase = phase;
    if (phase === 'unfinished') unfinished += 1;
    if (phase !== 'working') waiting[phase].add(place.group, place);
  };
  const end = (place: P) => {
    if (place.phase === 'unfinished') unfinished -= 1;
    if (place.phase !== 'working') waiting[place.phase].delete(place.group, place);
  };
  const enter = (place: P, phase: Phase) => {
    if (!open.has(place) || place.phase === phase) return;
    end(place);
    begin(place, phase);
  };
  const leave = (place: P) => {
    if (!open.delete(place)) return;
    end(place);
    const left = (counts.get(place.group) ?? 1) - 1;
    if (left > 0) counts.set(place.group, left);
    else counts.delete(place.group);
  };
  /** The first of a group that still waits for its client. */
  const first = (of: RankedGroups<P>, group: string): P | null => {
    for (const place of of.of(group)) {
      if (!isWorking(place)) return place;
      enter(place, 'working');
    }
    return null;
  };
  const firstOfLargest = (of: RankedGroups<P>, atLeast: number): P | null => {
    for (let largest = of.largest(); largest !== null && largest.size >= atLeast; largest = of.largest()) {
      const found = first(of, largest.group);
      if (found !== null) return found;
    }
    return null;
  };
  const ofGroup = (group: string): P | null => first(waiting.unfinished, group) ?? first(waiting.idle, group);
  const ofAll = (): P | null =>
    firstOfLargest(waiting.unfinished, unusual) ??
    (unfinished > connections * usualShareOfAll ? firstOfLargest(waiting.unfinished, 1) : null) ??
    firstOfLargest(waiting.idle, 1) ??
    firstOfLargest(waiting.unfinished, 1);
  const makeRoom = (victim: P | null): boolean => {
    if (victim === null) return false;
    leave(victim);
    evict(victim);
    return true;
  };
  return {
    take(newcomer) {
      const { group } = newcomer;
      if ((counts.get(group) ?? 0) >= perGroup && !makeRoom(ofGroup(group))) return false;
      if (open.size >= connections && !makeRoom(ofAll())) return false;
      open.add(newcomer);
      counts.set(group, (counts.get(group) ?? 0) + 1);
      begin(newcomer, 'unfinished');
      return true;
    },
    leave,
    enter,
    all: () => open,
    holdsUnusuallyMany: (group) => waiting.unfinished.sizeOf(group) >= unusual,
  };
}

/** Items in groups, such that the group with the most items and its oldest item are found at once, however many there are. */
interface RankedGroups<T> {
  /** An item is in one group once. */
  readonly add: (group: string, item: T) => void;
  readonly delete: (group: string, item: T) => void;
  /** The items of a group, those that were added first before the others. */
  readonly of: (group: string) => Iterable<T>;
  readonly sizeOf: (group: string) => number;
  /** The group with the most items, of equal ones that which has been so large for longest; null where there is no item. */
  readonly largest: () => { readonly group: string; readonly size: number } | null;
}

/** Every call takes the same time, but for the first item of a group. */
export function createRankedGroups<T>(): RankedGroups<T> {
  const items = new Map<string, Set<T>>();
  /** groups by their size */
  const ranks = new Map<number, Set<string>>();
  let most = 0;
  const rank = (group: string, from: number, to: number) => {
    const before = ranks.get(from);
    before?.delete(group);
    if (before?.size === 0) ranks.delete(from);
    if (to > 0) {
      const after = ranks.get(to) ?? new Set();
      ranks.set(to, after.add(group));
    }
    // A size changes by one, so what was the largest is so still, or is one smaller.
    if (to > most) most = to;
    else if (from === most && !ranks.has(from)) most = to;
  };
  return {
    add(group, item) {
      const own = items.get(group) ?? new Set();
      if (own.has(item)) return;
      items.set(group, own.add(item));
      rank(group, own.size - 1, own.size);
    },
    delete(group, item) {
      const own = items.get(group);
      if (!own?.delete(item)) return;
      if (own.size === 0) items.delete(group);
      rank(group, own.size + 1, own.size);
    },
    of: (group) => items.get(group) ?? [],
    sizeOf: (group) => items.get(group)?.size ?? 0,
    largest() {
      const [group] = ranks.get(most) ?? [];
      return group === undefined ? null : { group, size: most };
    },
  };
}
