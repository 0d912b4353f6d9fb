import type { CombinableVerdict } from './combine-views.ts';

/** Judges one name, asking for the verdict on another where an alias leads there. */
export type VerdictOfName<V extends CombinableVerdict> = (name: string, follow: (alias: string) => V) => V;

/**
 * Follows aliases from a name, each name judged once however many servers lead to it: the cost is that of the names that
 * were asked about, not of the ways between them. `circle` is the verdict on an alias that leads back.
 */
export function alongAliases<V extends CombinableVerdict>(
  start: string,
  verdictOfName: VerdictOfName<V>,
  circle: V,
): V {
  const known = new Map<string, V>();
  const follow = (name: string): V => {
    const found = known.get(name);
    if (found) return found;
    known.set(name, circle);
    const verdict = verdictOfName(name, follow);
    known.set(name, verdict);
    return verdict;
  };
  return follow(start);
}
