import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Competitor } from './precedence.ts';
import { comparePrecedence, comparePrimaries } from './precedence.ts';
import { isWildcard } from './wildcard.ts';

/** The siblings on which the acceptance of one of them depends, with this destination. */
type DecidingSiblings = (spec: Pick<ProjectDomain['spec'], 'redirect'>, self: Competitor) => readonly Competitor[];

/**
 * Of the domains of a project those that can cause the rejection of one of them: the first primary, a redirect's destination, and, for one
 * beyond the cap, those that fill the cap. Only these, as a project can have ten thousand domains, and many of them may be asked about.
 */
export function decidingSiblings(all: readonly Competitor[], cap: number): DecidingSiblings {
  const withinCap = firstRanked(all, cap);
  const last = withinCap.at(-1);
  const firstWith = new Map<string, Competitor>();
  let primary: Competitor | undefined;
  for (const one of all) {
    firstWith.set(one.hostname, firstOf(firstWith.get(one.hostname), one));
    if (one.role === 'Primary' && !isWildcard(one.hostname) && (!primary || comparePrimaries(one, primary) < 0))
      primary = one;
  }
  return ({ redirect }, self) => {
    const isBeyond = last !== undefined && inOrder(last, self) < 0;
    const others = [primary, redirect && firstWith.get(redirect.to)].filter((other) => other !== undefined);
    return [...new Set([...(isBeyond ? withinCap : []), ...others])].filter((sibling) => sibling !== self);
  };
}

const inOrder = (a: Competitor, b: Competitor): number => comparePrecedence(a.precedence, b.precedence);

const firstOf = (one: Competitor | undefined, other: Competitor): Competitor =>
  one === undefined || inOrder(other, one) < 0 ? other : one;

/** The first `count` in order, in one pass; none where all are among them. */
function firstRanked(all: readonly Competitor[], count: number): readonly Competitor[] {
  if (all.length <= count) return [];
  let first: Competitor[] = [];
  let bound: Competitor | undefined;
  for (const one of all) {
    if (bound !== undefined && inOrder(one, bound) >= 0) continue;
    first.push(one);
    if (first.length < count * 4) continue;
    first = first.toSorted(inOrder).slice(0, count);
    bound = first.at(-1);
  }
  return first.toSorted(inOrder).slice(0, count);
}
