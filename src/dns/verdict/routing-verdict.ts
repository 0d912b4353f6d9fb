import type { DnsFacts, SourceView } from '../dns-facts.ts';
import { isWithin } from '../../rules/hostname.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { alongAliases } from './alias-chain.ts';
import type { CombinableVerdict } from './combine-views.ts';
import { causeCode, combine, rankOf } from './combine-views.ts';
import type { DnsVerdict, DesiredDns } from './dns-verdict.ts';
import { targetAddresses } from '../observed-records.ts';

export type RoutingVerdict = DnsVerdict['routing'] & CombinableVerdict;

/**
 * Does DNS lead here? Yes by target, when the exact target is in the chain of aliases; or by addresses, when no name of
 * the chain is the platform's and every address at its end is.
 */
export function routingVerdict(facts: DnsFacts, wanted: DesiredDns): RoutingVerdict {
  const ours = new Set([...wanted.platformAddresses, ...targetAddresses(facts, wanted.target)]);
  const context = { wanted, ours };
  const verdictOfName = (name: string, follow: Follow): RoutingVerdict => {
    if (name === wanted.target) return yes('target');
    const isApex = name === wanted.hostname && facts.names[name]?.zone === name;
    const verdict = combine(facts.names[name], {
      view: (view) => verdictOfView(context, { ...view, isApex }, follow),
      key,
    });
    return 'by' in verdict ? verdict : { ...verdict, by: null };
  };
  const chain = { start: wanted.hostname, types, loop: no('AliasLoop'), tooMany: unknown('TooManyAliases') } as const;
  return alongAliases(facts, chain, verdictOfName);
}

const types = ['A', 'AAAA'] as const;

interface RoutingContext {
  readonly wanted: DesiredDns;
  /** addresses that are the platform's */
  readonly ours: ReadonlySet<string>;
}

type Follow = (alias: string) => RoutingVerdict;

/** A yes by addresses is the weaker one: it also needs a TXT record. */
const key = (verdict: RoutingVerdict): string => `${verdict.by === 'target' ? 1 : 0} ${rankOf(verdict)}`;

interface ViewOfName extends SourceView {
  /** the name is the hostname, at the apex of its zone */
  readonly isApex: boolean;
}

/** Aliases decide, unless a foreign address is beside them, where some visitors would go. At an apex they are wrong. */
function verdictOfView(
  context: RoutingContext,
  { source, outcomes, isApex }: ViewOfName,
  follow: Follow,
): RoutingVerdict {
  const { A, AAAA } = outcomes;
  const aliases = new Set([A, AAAA].flatMap((outcome) => (outcome?.kind === 'alias' ? [outcome.record.value] : [])));
  const byAddresses = verdictOfAddresses(context, { source, outcomes });
  if (aliases.size === 0 || byAddresses.code === 'StrayAddress') return byAddresses;
  if (isApex) return no('CnameAtApex');
  const verdicts = [...aliases].map((alias) => verdictOfAlias(context, alias, follow));
  return verdicts.find(({ verdict }) => verdict !== 'yes') ?? verdicts[0] ?? byAddresses;
}

function verdictOfAlias({ wanted }: RoutingContext, to: string, follow: Follow): RoutingVerdict {
  const { target, cnameDomain, platformDomains } = wanted;
  if (to === target) return follow(to);
  if (to === cnameDomain) return no('BareCnameDomain');
  if (isWithin(to, cnameDomain)) return no('OtherProjectTarget');
  if (platformDomains.some((domain) => isWithin(to, domain))) return no('WrongTarget');
  const end = follow(to);
  const nothingThere = end.verdict === 'no' && (end.code === 'RecordMissing' || end.code === 'StrayAddress');
  return nothingThere ? { ...end, code: 'WrongTarget' } : end;
}

function verdictOfAddresses({ ours }: RoutingContext, { outcomes: all }: SourceView): RoutingVerdict {
  const outcomes = [all.A, all.AAAA];
  const addresses = outcomes.flatMap((outcome) => (outcome?.kind === 'records' ? outcome.records : []));
  if (addresses.some(({ value }) => !ours.has(value))) return no('StrayAddress');
  if (outcomes.some((outcome) => outcome === undefined || outcome.kind === 'unknown')) return unknown(causeCode(all));
  return addresses.length === 0 ? no('RecordMissing') : yes('addresses');
}

/** A definite view counts as corroborated on its own; `combine` then counts how many views agree. */
const yes = (by: 'target' | 'addresses'): RoutingVerdict => ({
  verdict: 'yes',
  code: 'Verified',
  by,
  corroborated: true,
});
const no = (code: DnsCode): RoutingVerdict => ({ verdict: 'no', code, by: null, corroborated: true });
const unknown = (code: DnsCode): RoutingVerdict => ({ verdict: 'unknown', code, by: null, corroborated: false });
