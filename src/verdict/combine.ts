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
  const verdicts = (facts?.authorities ?? []).map(judge);
  const [first, ...others] = definite(verdicts);
  if (first) {
    if (others.every(({ verdict }) => verdict === first.verdict)) return first;
    return { verdict: 'unknown', code: codes.ServersDisagree };
  }
  return majority((facts?.resolvers ?? []).map(judge)) ?? { verdict: 'unknown', code: sharedCode(verdicts) };
}

/** What all agree to be the trouble, such as a circle of aliases; otherwise that nobody could tell. */
function sharedCode(verdicts: readonly Verdict[]): string {
  const [first] = verdicts;
  return first && verdicts.every(({ code }) => code === first.code) ? first.code : codes.NoUsableAnswer;
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
