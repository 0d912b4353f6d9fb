import type { CombinableVerdict } from './combine-views.ts';

/** Evaluates one name; `follow` gives the verdict on a name that an alias of it leads to. */
export type VerdictOfName<V extends CombinableVerdict> = (name: string, follow: (alias: string) => V) => V;

/**
 * Follows aliases from a name, evaluating each name once however many servers lead to it: the cost grows with the
 * number of names, not with the number of paths between them. `loop` is the verdict on an alias that leads back.
 */
export function alongAliases<V extends CombinableVerdict>(start: string, verdictOfName: VerdictOfName<V>, loop: V): V {
  const known = new Map<string, V>();
  const follow = (name: string): V => {
    const found = known.get(name);
    if (found) return found;
    known.set(name, loop);
    const verdict = verdictOfName(name, follow);
    known.set(name, verdict);
    return verdict;
  };
  return follow(start);
}
