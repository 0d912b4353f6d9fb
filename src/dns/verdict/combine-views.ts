import type { NameFacts, SourceView, UnknownCause } from '../dns-facts.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { verdictCodes } from '../../rules/verdict-codes.ts';
import type { Verdict } from './dns-verdict.ts';

/** A verdict with whether enough servers confirm it: see DnsVerdict.corroborated. */
export interface CombinableVerdict extends Verdict {
  readonly corroborated: boolean;
}

/** How to evaluate one source's view, and which one to report of several that have the same verdict. */
export interface Combination<V extends CombinableVerdict> {
  readonly view: (view: SourceView) => V;
  /** The one with the smallest key is reported: the weaker one, whatever the order of the sources. */
  readonly key: (verdict: V) => string;
}

interface Undecided extends CombinableVerdict {
  readonly verdict: 'unknown';
}

const minimumMajority = 2;

/**
 * Combines many sources into one verdict. Servers without a usable answer do not count. Servers that contradict each
 * other make it unknown, and so do differing delegations in a parent zone. Without any usable server a majority of the
 * resolvers decides, at least two where two or more are configured; such a verdict is never corroborated.
 */
export function combine<V extends CombinableVerdict>(
  facts: NameFacts | undefined,
  combination: Combination<V>,
): V | Undecided {
  if (facts?.differing) return undecided('DelegationsDiffer');
  const evaluated = (facts?.authorities ?? []).map((view) => ({ view, verdict: combination.view(view) }));
  const definite = evaluated.filter(({ verdict }) => verdict.verdict !== 'unknown');
  const [first] = definite;
  if (first) {
    if (definite.some(({ verdict }) => verdict.verdict !== first.verdict.verdict)) {
      return undecided('ServersDisagree');
    }
    const reported = least(
      definite.map(({ verdict }) => verdict),
      combination.key,
    );
    return { ...reported, corroborated: isCorroborated(facts, definite) };
  }
  const byResolvers = majority((facts?.resolvers ?? []).map(combination.view), combination.key);
  return byResolvers ?? undecided(sharedCode(evaluated.map(({ verdict }) => verdict)));
}

/** The code for a view without a usable answer: a server that answers every query, but does not serve the zone, is lame. */
export const causeCode = (outcomes: SourceView['outcomes']): DnsCode =>
  Object.values(outcomes).every((outcome) => outcome.kind === 'unknown' && isLame(outcome.cause))
    ? 'LameDelegation'
    : 'NoUsableAnswer';

const isLame = (cause: UnknownCause): boolean => cause === 'refused' || cause === 'not-authoritative';

const undecided = (code: DnsCode): Undecided => ({ verdict: 'unknown', code, corroborated: false });

/** Position of each code in the table; the key of most verdicts begins or ends with it. */
const ranks = new Map<string, string>(
  Object.keys(verdictCodes).map((code, index) => [code, String(index).padStart(3, '0')]),
);

export const rankOfCode = (code: DnsCode): string => ranks.get(code) ?? code;

export const rankOf = ({ code }: Verdict): string => rankOfCode(code);

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
  const needed = Math.max(Math.min(minimumMajority, verdicts.length), Math.floor(verdicts.length / 2) + 1);
  const groups = ['yes', 'no'].map((word) => verdicts.filter(({ verdict }) => verdict === word));
  const deciding = groups.find((group) => group.length > 0 && group.length >= needed);
  return deciding && { ...least(deciding, key), corroborated: false };
}
