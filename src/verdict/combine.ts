import type { NameFacts, SourceView } from '../model/dns-facts.ts';
import { codes } from './codes.ts';
import type { Verdict } from './judgement.ts';

/** A verdict of one source, with whatever else the judge wants to carry along. */
type Judge<V extends Verdict> = (view: SourceView) => V;

interface Undecided {
  readonly verdict: 'unknown';
  readonly code: string;
}

const minimumMajority = 2;

/**
 * One verdict from many sources (design section 4, rule 4). Servers that say nothing usable do not count; servers that
 * say different things make it unknown. Without any usable server a majority of the resolvers decides, at least two
 * where two or more are configured.
 */
export function combine<V extends Verdict>(facts: NameFacts | undefined, judge: Judge<V>): V | Undecided {
  const authorities = definite((facts?.authorities ?? []).map(judge));
  const [first] = authorities;
  if (first) {
    if (authorities.every(({ verdict }) => verdict === first.verdict)) return first;
    return { verdict: 'unknown', code: codes.ServersDisagree };
  }
  return majority((facts?.resolvers ?? []).map(judge)) ?? { verdict: 'unknown', code: codes.NoUsableAnswer };
}

function definite<V extends Verdict>(verdicts: readonly V[]): readonly V[] {
  return verdicts.filter(({ verdict }) => verdict !== 'unknown');
}

function majority<V extends Verdict>(verdicts: readonly V[]): V | undefined {
  const needed = Math.max(Math.min(minimumMajority, verdicts.length), Math.floor(verdicts.length / 2) + 1);
  return definite(verdicts).find(
    ({ verdict }) => verdicts.filter((other) => other.verdict === verdict).length >= needed,
  );
}
