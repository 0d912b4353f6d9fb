import type { NameFacts, SourceView } from '../dns-facts.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { verdictCodes } from '../../rules/verdict-codes.ts';
import type { Verdict } from './dns-verdict.ts';

/** A verdict with how well it stands: see Judgement.corroborated. */
export interface CombinableVerdict extends Verdict {
  readonly corroborated: boolean;
}

/** How one source's view is judged, and which of several verdicts that say the same speaks for all. */
export interface Combination<V extends CombinableVerdict> {
  readonly view: (view: SourceView) => V;
  /** The one with the least key speaks: the weaker one, so that it never depends on the order of the sources. */
  readonly key: (verdict: V) => string;
}

interface Undecided extends CombinableVerdict {
  readonly verdict: 'unknown';
}

const minimumMajority = 2;

/**
 * One verdict from many sources. Servers that say nothing usable do not count; servers that say different things make it
 * unknown, and so does a parent zone whose servers delegate differently. Without any usable server a majority of the
 * resolvers decides, at least two where two or more are configured; that never corroborates.
 */
export function combine<V extends CombinableVerdict>(
  facts: NameFacts | undefined,
  combination: Combination<V>,
): V | Undecided {
  if (facts?.differing) return undecided('DelegationsDiffer');
  const heard = (facts?.authorities ?? []).map((view) => ({ view, verdict: combination.view(view) }));
  const definite = heard.filter(({ verdict }) => verdict.verdict !== 'unknown');
  const [first] = definite;
  if (first) {
    if (definite.some(({ verdict }) => verdict.verdict !== first.verdict.verdict)) {
      return undecided('ServersDisagree');
    }
    const speaker = least(
      definite.map(({ verdict }) => verdict),
      combination.key,
    );
    return { ...speaker, corroborated: isCorroborated(facts, definite) };
  }
  const byResolvers = majority((facts?.resolvers ?? []).map(combination.view), combination.key);
  return byResolvers ?? undecided(sharedCode(heard.map(({ verdict }) => verdict)));
}

const undecided = (code: DnsCode): Undecided => ({ verdict: 'unknown', code, corroborated: false });

/** Order of codes in the table; the key of most verdicts begins with it. */
const ranks = new Map<string, string>(
  Object.keys(verdictCodes).map((code, index) => [code, String(index).padStart(3, '0')]),
);

export const rankOf = ({ code }: Verdict): string => ranks.get(code) ?? code;

function least<V>(verdicts: readonly V[], key: (verdict: V) => string): V {
  const keyed = verdicts.map((verdict) => ({ verdict, key: key(verdict) }));
  return keyed.reduce((best, other) => (other.key < best.key ? other : best)).verdict;
}

/**
 * Two of the servers that the parent zone names said so, at different addresses that are certain; or one, where the zone
 * has no two. Every cut on the way was said by two servers of its parent, where that has two.
 */
function isCorroborated(
  facts: NameFacts | undefined,
  definite: readonly { readonly view: SourceView; readonly verdict: CombinableVerdict }[],
): boolean {
  const way = facts?.cuts ?? [];
  if (way.some(({ servers, agreeing }) => agreeing < enough(servers))) return false;
  const servers = new Set((facts?.authorities ?? []).filter(isDelegated).map(addressOf));
  const speakers = definite.filter(({ view, verdict }) => verdict.corroborated && isDelegated(view) && isCertain(view));
  return new Set(speakers.map(({ view }) => addressOf(view))).size >= enough(servers.size);
}

const enough = (servers: number): number => Math.max(1, Math.min(2, servers));

const isDelegated = ({ witness }: SourceView): boolean => witness?.delegated ?? true;
const isCertain = ({ witness }: SourceView): boolean => witness?.certain ?? true;
const addressOf = ({ witness, source }: SourceView): string => witness?.address ?? source;

/** What all agree to be the trouble, such as a circle of aliases; otherwise that nobody could tell. */
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
