import type { DnsFacts, NameFacts, SourceView } from '../dns-facts.ts';
import type { ObservedType } from '../observed-records.ts';
import { followedNames } from '../observed-records.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { verdictCodes } from '../../rules/verdict-codes.ts';
import type { Verdict } from './dns-verdict.ts';
import { isLameOutcome } from './server-answers.ts';

/** A verdict with whether enough servers confirm it: see DnsVerdict.corroborated. */
export interface CombinableVerdict extends Verdict {
  readonly corroborated: boolean;
}

/** How to evaluate one source's view, and which one to report of several that have the same verdict. */
interface Combination<V extends CombinableVerdict> {
  readonly view: (view: SourceView) => V;
  /** The one with the smallest key is reported: the weaker one, whatever the order of the sources. */
  readonly key: (verdict: V) => string;
  /** the unknown verdict where no view decides */
  readonly undecided: (code: DnsCode) => V;
}

/**
 * Combines many sources into one verdict. Servers without a usable answer do not count. Servers that contradict each
 * other make it unknown, and so do differing delegations in a parent zone. Without any usable server a majority of the
 * resolvers decides, at least two where two or more are configured; such a verdict is never corroborated.
 */
export function combine<V extends CombinableVerdict>(
  facts: NameFacts | undefined,
  { view: evaluate, key, undecided }: Combination<V>,
): V {
  if (facts?.differing) return undecided('DelegationsDiffer');
  const evaluated = (facts?.authorities ?? []).map((view) => ({ view, verdict: evaluate(view) }));
  const definite = evaluated.filter(({ verdict }) => verdict.verdict !== 'unknown');
  const verdicts = definite.map(({ verdict }) => verdict);
  const [first] = verdicts;
  if (first === undefined) {
    const byResolvers = majority((facts?.resolvers ?? []).map(evaluate), key);
    return byResolvers ?? undecided(sharedCode(evaluated.map(({ verdict }) => verdict)));
  }
  if (verdicts.some(({ verdict }) => verdict !== first.verdict)) return undecided('ServersDisagree');
  return { ...least(verdicts, key), corroborated: isCorroborated(facts, definite) };
}

/** The code for a view without a usable answer: a server that answers every query, but does not serve the zone, is lame. */
export const causeCode = (outcomes: SourceView['outcomes']): DnsCode =>
  Object.values(outcomes).every(isLameOutcome) ? 'LameDelegation' : 'NoUsableAnswer';

/** Position of each code in the table; the key of most verdicts begins or ends with it. */
const ranks = new Map<string, string>(
  Object.keys(verdictCodes).map((code, index) => [code, String(index).padStart(3, '0')]),
);

export const rankOf = ({ code }: Verdict): string => ranks.get(code) ?? code;

function least<V>(verdicts: readonly V[], key: (verdict: V) => string): V {
  const keyed = verdicts.map((verdict) => ({ verdict, key: key(verdict) }));
  return keyed.reduce((best, other) => (other.key < best.key ? other : best)).verdict;
}

/**
 * True when two of the servers that the parent zone names agree, at different addresses that are certain; or one, where
 * the zone has only one. Likewise every zone cut on the way must be confirmed by two servers of its parent, or by the
 * only one.
 */
function isCorroborated(
  facts: NameFacts | undefined,
  definite: readonly { readonly view: SourceView; readonly verdict: CombinableVerdict }[],
): boolean {
  const cuts = facts?.cuts ?? [];
  if (cuts.some(({ servers, agreeing }) => agreeing < enough(servers))) return false;
  const servers = new Set((facts?.authorities ?? []).filter(isDelegated).map(addressOf));
  const reliable = definite.filter(({ view, verdict }) => verdict.corroborated && isDelegated(view) && isCertain(view));
  return new Set(reliable.map(({ view }) => addressOf(view))).size >= enough(servers.size);
}

const enough = (servers: number): number => Math.max(1, Math.min(2, servers));

const isDelegated = ({ witness }: SourceView): boolean => witness?.delegated ?? true;
const isCertain = ({ witness }: SourceView): boolean => witness?.certain ?? true;
const addressOf = ({ witness, source }: SourceView): string => witness?.address ?? source;

/** The code that all of them share, such as AliasLoop; otherwise NoUsableAnswer. */
function sharedCode(verdicts: readonly Verdict[]): DnsCode {
  const [first] = verdicts;
  return first && verdicts.every(({ code }) => code === first.code) ? first.code : 'NoUsableAnswer';
}

function majority<V extends CombinableVerdict>(verdicts: readonly V[], key: (verdict: V) => string): V | undefined {
  const needed = Math.floor(verdicts.length / 2) + 1;
  const groups = ['yes', 'no'].map((word) => verdicts.filter(({ verdict }) => verdict === word));
  const deciding = groups.find((group) => group.length >= needed);
  return deciding && { ...least(deciding, key), corroborated: false };
}

interface AliasChain<V> {
  readonly start: string;
  readonly types: readonly ObservedType[];
  /** on an alias that leads back */
  readonly loop: V;
  /** on an alias beyond those that were followed */
  readonly tooMany: V;
}

/**
 * Follows aliases from a name, evaluating each name once however many servers lead to it: the cost grows with the
 * number of names, not with the number of paths between them. `follow` gives the verdict on a name that an alias leads to.
 */
export function alongAliases<V>(
  facts: DnsFacts,
  { start, types, loop, tooMany }: AliasChain<V>,
  verdictOfName: (name: string, follow: (alias: string) => V) => V,
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
