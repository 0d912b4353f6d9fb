import type { DnsFacts, SourceView } from '../../dns-facts.ts';
import type { DnsCode } from '../../../rules/verdict-codes.ts';
import { hasSeveralAliases } from '../../observed-records.ts';
import { alongAliases } from '../alias-chain.ts';
import type { CombinableVerdict } from '../combine-views.ts';
import { combine, rankOf, rankOfCode } from '../combine-views.ts';
import { ownershipPrefix, ownershipSlip } from '../ownership-slip.ts';
import type { DesiredDns } from '../dns-verdict.ts';

/** A definite view counts as corroborated on its own; `combine` then counts how many views agree. */
export const soleVerdict = (verdict: CombinableVerdict['verdict'], code: DnsCode): CombinableVerdict => ({
  verdict,
  code,
  corroborated: true,
});

/** The TXT record at the challenge name, or where aliases of it lead. */
export function ownershipByTxt(
  facts: DnsFacts,
  { name: start, value }: NonNullable<DesiredDns['txt']>,
): CombinableVerdict {
  const verdictOfName = (name: string, follow: (alias: string) => CombinableVerdict): CombinableVerdict =>
    combine(facts.names[name], { view: (view) => verdictOfView(view, value, follow), key: rankOf });
  const [loop, tooMany] = [soleVerdict('no', 'AliasLoop'), soleVerdict('unknown', 'TooManyAliases')];
  return alongAliases(facts, { start, types: ['TXT'], loop, tooMany }, verdictOfName);
}

function verdictOfView(
  { outcomes }: SourceView,
  value: string,
  follow: (alias: string) => CombinableVerdict,
): CombinableVerdict {
  const { TXT } = outcomes;
  if (TXT === undefined || TXT.kind === 'unknown') return soleVerdict('unknown', 'NoUsableAnswer');
  if (hasSeveralAliases(TXT)) return soleVerdict('no', 'SeveralCnames');
  if (TXT.kind === 'alias') return follow(TXT.record.value);
  if (TXT.kind !== 'records') return soleVerdict('no', 'TxtMissing');
  const values = TXT.records.map((record) => withoutBlanks(record.value));
  if (values.includes(value)) return soleVerdict('yes', 'Verified');
  const slips = TXT.records.flatMap((record) => ownershipSlip(record.value, value) ?? []);
  return soleVerdict('no', slips.toSorted((a, b) => rankOfCode(a).localeCompare(rankOfCode(b)))[0] ?? 'TxtMissing');
}

/** Is the text of a TXT record an ownership record of ours, right or wrong? */
export const isOwnershipText = (value: string): boolean => withoutBlanks(value).startsWith(ownershipPrefix);

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
