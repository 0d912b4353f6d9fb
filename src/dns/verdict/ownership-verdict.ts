import type { DnsFacts, SourceView } from '../dns-facts.ts';
import { challengeName } from '../../rules/desired-records.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { alongAliases } from './alias-chain.ts';
import type { CombinableVerdict } from './combine-views.ts';
import { combine, rankOf } from './combine-views.ts';
import type { DesiredDns } from './dns-verdict.ts';
import type { RoutingVerdict } from './routing-verdict.ts';

/** Distinguishes our ownership records from other TXT records of a name. */
const prefix = 'projectdomain-verify=';

/**
 * Does the hostname's owner want it here? The exact target proves that on its own, unless another account has proved
 * the name or routing is by addresses, which many customers share: then the TXT record must exist.
 */
export function ownershipVerdict(facts: DnsFacts, wanted: DesiredDns, routing: RoutingVerdict): CombinableVerdict {
  const byTarget = routing.verdict === 'yes' && routing.by === 'target';
  if (byTarget && !wanted.txtRequired) return withoutTxt(routing);
  if (!wanted.txt) return needsTxt(wanted, routing) ? soleVerdict('no', whyNoTxt(wanted)) : withoutTxt(routing);
  const txt = txtVerdict(facts, wanted.txt);
  const needed = needsTxt(wanted, routing) || txt.verdict === 'yes';
  return needed ? txt : withoutTxt(routing);
}

const needsTxt = (wanted: DesiredDns, routing: RoutingVerdict): boolean =>
  wanted.txtRequired || routing.by === 'addresses';

const whyNoTxt = ({ hostname }: DesiredDns): DnsCode =>
  challengeName(hostname) === null ? 'HostnameTooLongForTxt' : 'TxtMissing';

/** Where the target alone is proof enough, ownership has the verdict of routing. */
const withoutTxt = ({ verdict, code, corroborated }: CombinableVerdict): CombinableVerdict => ({
  verdict,
  code,
  corroborated,
});

/** A definite view counts as corroborated on its own; `combine` then counts how many views agree. */
const soleVerdict = (verdict: CombinableVerdict['verdict'], code: DnsCode): CombinableVerdict => ({
  verdict,
  code,
  corroborated: true,
});

function txtVerdict(facts: DnsFacts, { name: start, value }: NonNullable<DesiredDns['txt']>): CombinableVerdict {
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
