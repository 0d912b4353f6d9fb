import type { DnsFacts, SourceView } from '../../dns-facts.ts';
import type { DnsCode } from '../../../rules/verdict-codes.ts';
import { alongAliases } from '../alias-chain.ts';
import type { CombinableVerdict } from '../combine-views.ts';
import { combine, rankOf } from '../combine-views.ts';
import type { DesiredDns } from '../dns-verdict.ts';

/** Distinguishes our ownership records from other TXT records of a name. */
const prefix = 'projectdomain-verify=';

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
  if (TXT.kind === 'alias') return follow(TXT.record.value);
  if (TXT.kind !== 'records') return soleVerdict('no', 'TxtMissing');
  const values = TXT.records.map((record) => withoutBlanks(record.value));
  if (values.includes(value)) return soleVerdict('yes', 'Verified');
  return soleVerdict('no', values.some(isOwnershipText) ? 'TxtWrong' : 'TxtMissing');
}

/** Is the text of a TXT record an ownership record of ours, right or wrong? */
export const isOwnershipText = (value: string): boolean => withoutBlanks(value).startsWith(prefix);

/** Strips white space that a form may have added at either end; tabs and line ends are escaped in a record's text. */
const withoutBlanks = (value: string): string =>
  value.replace(/^(?:\s|\\009|\\01[03])+/, '').replace(/(?:\s|\\009|\\01[03])+$/, '');
