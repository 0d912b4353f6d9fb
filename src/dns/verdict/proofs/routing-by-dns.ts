import { isWithin } from '../../../rules/hostname.ts';
import { hasSeveralAliases } from '../../observed-records.ts';
import type { DnsCode } from '../../../rules/verdict-codes.ts';
import { isProxyCode } from '../../../rules/verdict-codes.ts';
import { causeCode } from '../combine-views.ts';
import { targetSlip } from '../target-slip.ts';
import type { Follow, RoutingContext, RoutingProof, RoutingVerdict } from './routing-proof.ts';
import { addressesIn, isUnanswered, no, unknown, yes } from './routing-proof.ts';

/** The hostname's aliases lead through the exact target, or on to a name that another proof holds for. */
export const routingByTarget: RoutingProof = (context, { outcomes: { A, AAAA }, isApex }, follow) => {
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
function codeAtPlatform(to: string, { cnameDomain, platformDomains }: RoutingContext['wanted']): DnsCode | null {
  if (to === cnameDomain) return 'BareCnameDomain';
  if (isWithin(to, cnameDomain)) return 'OtherProjectTarget';
  return platformDomains.some((domain) => isWithin(to, domain)) ? 'WrongTarget' : null;
}

/** Every address is the platform's. Null beside aliases and foreign addresses, which decide. */
export const routingByAddresses: RoutingProof = ({ ours }, view) => {
  const { A, AAAA } = view.outcomes;
  const addresses = addressesIn(view);
  if (A?.kind === 'alias' || AAAA?.kind === 'alias' || addresses.some((address) => !ours.has(address))) return null;
  if (isUnanswered(view)) return unknown(causeCode(view.outcomes));
  return addresses.length === 0 ? no('RecordMissing') : yes('addresses');
};
