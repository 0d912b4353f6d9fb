/** What decides between rivals: the held claim, then the older proof, then the older object, then the name. */
export interface Rank {
  readonly held: boolean;
  /** RFC 3339 of the claim's proof; '' without one */
  readonly provedAt: string;
  readonly createdAt: string;
  /** namespace/name */
  readonly key: string;
}

const last = '9999';

/** Negative when `a` goes before `b`; never 0 for two different objects. */
export function compareRank(a: Rank, b: Rank): number {
  if (a.held !== b.held) return a.held ? -1 : 1;
  const order = (x: Rank) => [x.provedAt || last, x.createdAt, x.key];
  const [left, right] = [order(a), order(b)];
  const at = left.findIndex((part, index) => part !== right[index]);
  if (at === -1) return 0;
  return (left[at] ?? '') < (right[at] ?? '') ? -1 : 1;
}
