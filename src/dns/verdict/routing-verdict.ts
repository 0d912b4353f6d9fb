import { hidesDomain } from '../../rules/desired-records.ts';
import { isWithin } from '../../rules/hostname.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { isProxyCode } from '../../rules/verdict-codes.ts';
import type { DnsFacts } from '../dns-facts.ts';
import { hasSeveralAliases } from '../observed-records.ts';
import { alongAliases, causeCode, combine, rankOf } from './combine-views.ts';
import type { DesiredDns } from './dns-verdict.ts';
import { ourAddresses } from './platform-addresses.ts';
import { routingByToken } from './proofs/routing-by-token.ts';
import type { Follow, RoutingContext, RoutingProof, RoutingVerdict, ViewOfName } from './proofs/routing-proof.ts';
import { addressesIn, isUnanswered, no, unknown, yes } from './proofs/routing-proof.ts';
import { targetSlip } from './target-slip.ts';

/**
 * Does DNS lead here? Yes by target, when the exact target is in the chain of aliases; by addresses, when no name of the
 * chain is the platform's and every address at its end is; by token, when the addresses at its end led a request here.
 */
export function routingVerdict(facts: DnsFacts, wanted: DesiredDns): RoutingVerdict {
  const context = { wanted, ours: ourAddresses(facts, wanted) };
  const verdictOfName = (name: string, follow: Follow): RoutingVerdict => {
    if (name === wanted.target) return yes('target');
    const isApex = name === wanted.hostname && hidesDomain(name, facts.names[name]?.zone ?? null);
    return combine(facts.names[name], {
      view: (view) => verdictOfView(context, { ...view, isApex }, follow),
      key,
      undecided: unknown,
    });
  };
  const chain = { start: wanted.hostname, types, loop: no('AliasLoop'), tooMany: unknown('TooManyAliases') } as const;
  const verdict = alongAliases(facts, chain, verdictOfName);
  return verdict.isOpen ? unknown(verdict.code) : verdict;
}

const types = ['A', 'AAAA'] as const;

/**
 * Each proof says what it finds in one view: the first that does not say yes decides, and of several yes the first, which is the
 * weakest. A foreign address comes first, as some visitors would go there, whatever stands beside it.
 */
function verdictOfView(context: RoutingContext, view: ViewOfName, follow: Follow): RoutingVerdict {
  const proofs = [routingByToken, routingByTarget, routingByAddresses];
  const found = proofs.flatMap((proof) => proof(context, view, follow) ?? []);
  return found.find(({ verdict }) => verdict !== 'yes') ?? found[0] ?? unknown('NoUsableAnswer');
}

/** The weaker yes is reported: the one that also needs a TXT record. A no that is certain is reported before an open one. */
const key = (verdict: RoutingVerdict): string =>
  `${weight[verdict.by ?? 'token']} ${verdict.isOpen ? 1 : 0} ${rankOf(verdict)}`;

const weight = { token: 0, addresses: 1, target: 2, delegation: 3 } as const;

/** The hostname's aliases lead through the exact target, or on to a name that another proof holds for. */
const routingByTarget: RoutingProof = (context, { outcomes: { A, AAAA }, isApex }, follow) => {
  const aliases = new Set([A, AAAA].flatMap((outcome) => (outcome?.kind === 'alias' ? [outcome.record.value] : [])));
  if (aliases.size === 0) return null;
  if ([A, AAAA].some(hasSeveralAliases)) return no('SeveralCnames');
  if (isApex) return no('CnameAtApex');
  const verdicts = [...aliases].map((alias) => verdictOfAlias(context, alias, follow));
  return verdicts.find(({ verdict }) => verdict !== 'yes') ?? verdicts[0] ?? null;
};

function verdictOfAlias({ wanted }: RoutingContext, to: string, follow: Follow): RoutingVerdict {
  if (to === wanted.target) return follow(to);
  const slip = targetSlip(to, wanted);
  const code = codeAtPlatform(to, wanted);
  if (code !== null) return no(code === 'BareCnameDomain' ? code : (slip ?? code));
  const end = follow(to);
  if (slip !== null && end.verdict !== 'yes' && !isProxyCode(end.code)) return { ...end, code: slip };
  const nothingThere = end.verdict === 'no' && (end.code === 'RecordMissing' || end.code === 'StrayAddress');
  return nothingThere ? { ...end, code: 'WrongTarget' } : end;
}

/** Why a name of the platform's is not the target; null for a name that is not the platform's. */
function codeAtPlatform(to: string, { cnameDomain, platformDomains }: DesiredDns): DnsCode | null {
  if (to === cnameDomain) return 'BareCnameDomain';
  if (isWithin(to, cnameDomain)) return 'OtherProjectTarget';
  return platformDomains.some((domain) => isWithin(to, domain)) ? 'WrongTarget' : null;
}

/** Every address is the platform's. Null beside aliases and foreign addresses, which decide. */
const routingByAddresses: RoutingProof = ({ ours }, view) => {
  const { A, AAAA } = view.outcomes;
  const addresses = addressesIn(view);
  if (A?.kind === 'alias' || AAAA?.kind === 'alias' || addresses.some((address) => !ours.has(address))) return null;
  if (isUnanswered(view)) return unknown(causeCode(view.outcomes));
  return addresses.length === 0 ? no('RecordMissing') : yes('addresses');
};
