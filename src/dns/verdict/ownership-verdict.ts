import { challengeName } from '../../rules/desired-records.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { isProxyCode } from '../../rules/verdict-codes.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import type { DnsFacts, SourceView } from '../dns-facts.ts';
import { hasSeveralAliases } from '../observed-records.ts';
import type { CombinableVerdict } from './combine-views.ts';
import { alongAliases, combine, rankOf } from './combine-views.ts';
import type { DesiredDns } from './dns-verdict.ts';
import { routingByDelegation } from './proofs/routing-by-delegation.ts';
import type { RoutingVerdict } from './proofs/routing-proof.ts';
import { isMistyped, typedText, withoutMarks } from './typed-text.ts';

/**
 * Does the hostname's owner want it here? By target: the exact target proves that on its own. By TXT: needed where another
 * account has proved the name, and where routing shows by what many customers share: addresses, or a proxy in front. Where
 * the target alone is proof enough, it is the verdict of routing.
 */
export function ownershipVerdict(facts: DnsFacts, wanted: DesiredDns, routing: RoutingVerdict): CombinableVerdict {
  if (isWildcard(wanted.hostname)) return ownershipOfWildcard(facts, wanted);
  const byTarget = routing.verdict === 'yes' && routing.by === 'target';
  if (byTarget && !wanted.txtRequired) return routing;
  if (!wanted.txt) return needsTxt(wanted, routing) ? sole('no', whyNoTxt(wanted)) : routing;
  const txt = ownershipByTxt(facts, wanted.txt);
  const needed = needsTxt(wanted, routing) || txt.verdict === 'yes';
  return needed ? txt : routing;
}

/**
 * Whoever can delegate the base's challenge name can have a certificate for everything below it: that alone proves a wildcard, and a TXT
 * record too where another account has, or had, it. Neither where the wildcard leads nor a TXT record of the base does.
 */
function ownershipOfWildcard(facts: DnsFacts, wanted: DesiredDns): CombinableVerdict {
  const { delegation, txt, txtRequired } = wanted;
  const delegated = delegation ? routingByDelegation(facts, wanted, delegation) : sole('no', 'DelegationMissing');
  if (delegated.verdict !== 'yes' || !txtRequired) return delegated;
  if (!txt) return sole('no', whyNoTxt(wanted));
  const byTxt = ownershipByTxt(facts, txt);
  return { ...byTxt, corroborated: byTxt.corroborated && delegated.corroborated };
}

const needsTxt = (wanted: DesiredDns, { by, code }: RoutingVerdict): boolean =>
  wanted.txtRequired || by === 'addresses' || by === 'token' || isProxyCode(code);

const whyNoTxt = ({ hostname }: DesiredDns): DnsCode =>
  challengeName(hostname) === null ? 'HostnameTooLongForTxt' : 'TxtMissing';

/** A definite view counts as corroborated on its own; `combine` then counts how many views agree. */
const sole = (verdict: CombinableVerdict['verdict'], code: DnsCode): CombinableVerdict => ({
  verdict,
  code,
  corroborated: verdict !== 'unknown',
});

/** The TXT record at the challenge name, or where aliases of it lead. */
export function ownershipByTxt(
  facts: DnsFacts,
  { name: start, value }: NonNullable<DesiredDns['txt']>,
): CombinableVerdict {
  const [loop, tooMany] = [sole('no', 'AliasLoop'), sole('unknown', 'TooManyAliases')];
  return alongAliases(facts, { start, types: ['TXT'], loop, tooMany }, (name, follow) =>
    combine(facts.names[name], {
      view: (view) => verdictOfView(view, value, follow),
      key: rankOf,
      undecided: (code) => sole('unknown', code),
    }),
  );
}

function verdictOfView(
  { outcomes: { TXT } }: SourceView,
  value: string,
  follow: (alias: string) => CombinableVerdict,
): CombinableVerdict {
  if (TXT === undefined || TXT.kind === 'unknown') return sole('unknown', 'NoUsableAnswer');
  if (hasSeveralAliases(TXT)) return sole('no', 'SeveralCnames');
  if (TXT.kind === 'alias') return follow(TXT.record.value);
  if (TXT.kind !== 'records') return sole('no', 'TxtMissing');
  const values = TXT.records.map((record) => withoutBlanks(record.value));
  if (values.includes(value)) return sole('yes', 'Verified');
  const slips = TXT.records.flatMap((record) => ownershipSlip(record.value, value) ?? []);
  const [first] = slips.map((slip) => sole('no', slip)).toSorted((a, b) => rankOf(a).localeCompare(rankOf(b)));
  return first ?? sole('no', 'TxtMissing');
}

/** Distinguishes our ownership records from other TXT records of a name. */
const ownershipPrefix = 'projectdomain-verify=';

const isOfUs = (text: string): boolean => text.startsWith(ownershipPrefix);

/** Is the text of a TXT record an ownership record of ours, right or wrong? */
export const isOwnershipText = (value: string): boolean => isOfUs(withoutBlanks(value));

const blankAtStart = /^(?:\s|\\009|\\01[03])/;
const blankAtEnd = /(?:\s|\\009|\\01[03])$/;
/** the longest of these */
const blankLength = 4;

/**
 * Strips white space that a form may have added at either end; tabs and line ends are escaped in a record's text. One after the other, as a
 * pattern for all of them at an end looks at each run of them in the text again from each of its characters.
 */
function withoutBlanks(value: string): string {
  let [from, to] = [0, value.length];
  for (let found = 1; found > 0; from += found)
    found = blankAtStart.exec(value.slice(from, from + blankLength))?.[0].length ?? 0;
  for (let found = 1; found > 0 && to > from; to -= found)
    found = blankAtEnd.exec(value.slice(Math.max(from, to - blankLength), to))?.[0].length ?? 0;
  return value.slice(from, to);
}

/** How a TXT record misses the ownership text, though it was meant; `TxtWrong`: another one of ours. */
const ownershipSlips = ['TxtQuoted', 'TxtBareToken', 'TxtMistyped', 'TxtWrong'] as const satisfies readonly DnsCode[];

type OwnershipSlip = (typeof ownershipSlips)[number];

export const isOwnershipSlip = (code: DnsCode): boolean => ownershipSlips.some((slip) => slip === code);

/** Longer texts than this are no ownership record, however they begin. */
const mostCharacters = 512;

/** What went wrong when somebody entered the text: null for any other text, and for the right one. */
export function ownershipSlip(text: string, wanted: string): OwnershipSlip | null {
  if (text.length > mostCharacters) return isOfUs(text) ? 'TxtWrong' : null;
  const typed = typedText(text);
  if (typed === wanted) return null;
  const bare = withoutMarks(typed);
  if (bare === wanted) return 'TxtQuoted';
  const token = wanted.slice(ownershipPrefix.length);
  if (bare === token) return 'TxtBareToken';
  if (bare.includes(wanted) || isMistyped(bare, wanted, token)) return 'TxtMistyped';
  return isOfUs(bare) ? 'TxtWrong' : null;
}
