import type { DnsFacts } from '../dns-facts.ts';
import type { ObservedType } from '../observed-records.ts';
import { followedNames } from '../observed-records.ts';
import type { CombinableVerdict } from './combine-views.ts';

/** Evaluates one name; `follow` gives the verdict on a name that an alias of it leads to. */
export type VerdictOfName<V extends CombinableVerdict> = (name: string, follow: (alias: string) => V) => V;

export interface AliasChain<V extends CombinableVerdict> {
  readonly start: string;
  readonly types: readonly ObservedType[];
  /** on an alias that leads back */
  readonly loop: V;
  /** on an alias beyond those that were followed */
  readonly tooMany: V;
}

/**
 * Follows aliases from a name, evaluating each name once however many servers lead to it: the cost grows with the
 * number of names, not with the number of paths between them.
 */
export function alongAliases<V extends CombinableVerdict>(
  facts: DnsFacts,
  { start, types, loop, tooMany }: AliasChain<V>,
  verdictOfName: VerdictOfName<V>,
): V {
  const known = new Map<string, V>();
  const followed = followedNames(facts, start, types);
  const follow = (name: string): V => {
    const found = followed.has(name) ? known.get(name) : tooMany;
    if (found) return found;
    known.set(name, loop);
    const verdict = verdictOfName(name, follow);
    known.set(name, verdict);
    return verdict;
  };
  return follow(start);
}
