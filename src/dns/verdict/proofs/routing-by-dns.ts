import { isWithin } from '../../../rules/hostname.ts';
import { hasSeveralAliases } from '../../observed-records.ts';
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
  const { target, cnameDomain, platformDomains } = wanted;
  if (to === target) return follow(to);
  const slip = targetSlip(to, wanted);
  if (to === cnameDomain) return no('BareCnameDomain');
  if (isWithin(to, cnameDomain)) return no(slip ?? 'OtherProjectTarget');
  if (platformDomains.some((domain) => isWithin(to, domain))) return no(slip ?? 'WrongTarget');
  const end = follow(to);
  if (slip !== null && end.verdict !== 'yes' && !isProxyCode(end.code)) return { ...end, code: slip };
  const nothingThere = end.verdict === 'no' && (end.code === 'RecordMissing' || end.code === 'StrayAddress');
  return nothingThere ? { ...end, code: 'WrongTarget' } : end;
}

/** Every address is the platform's. Null beside aliases and foreign addresses, which decide. */
export const routingByAddresses: RoutingProof = ({ ours }, view) => {
  const { A, AAAA } = view.outcomes;
  const addresses = addressesIn(view);
  if (A?.kind === 'alias' || AAAA?.kind === 'alias' || addresses.some((address) => !ours.has(address))) return null;
  if (isUnanswered(view)) return unknown(causeCode(view.outcomes));
  return addresses.length === 0 ? no('RecordMissing') : yes('addresses');
};
