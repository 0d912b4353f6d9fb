import { cdnOf } from '../../rules/cdn-ranges.ts';
import { hidesDomain } from '../../rules/desired-records.ts';
import type { TokenAnswer } from '../../rules/domain-token.ts';
import { isWithin } from '../../rules/hostname.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { isProxyCode } from '../../rules/verdict-codes.ts';
import type { DnsFacts } from '../dns-facts.ts';
import { hasSeveralAliases } from '../observed-records.ts';
import { alongAliases } from './alias-chain.ts';
import { combine, rankOf, causeCode } from './combine-views.ts';
import type { DesiredDns, TokenEvidence } from './dns-verdict.ts';
import { ourAddresses } from './platform-addresses.ts';
import type { Follow, RoutingContext, RoutingProof, RoutingVerdict, ViewOfName } from './proofs/routing-proof.ts';
import { no, unknown, yes, addressesIn, isUnanswered, open } from './proofs/routing-proof.ts';
import { targetSlip } from './target-slip.ts';

/**
 * Addresses that are not the platform's: yes where a token came back through them. Otherwise it is a no, or an open one
 * where a proxy is or may be. Null for a view without such addresses.
 */
const routingByToken: RoutingProof = ({ wanted, ours }, view) => {
  const foreign = addressesIn(view).filter((address) => !ours.has(address));
  if (foreign.length === 0) return null;
  const { answers = {}, routedBy = null } = wanted.token ?? {};
  const asked = foreign.filter((address) => answers[address] !== undefined);
  // Servers may give different addresses of one CDN, and only few addresses are asked: such a view says nothing.
  if (asked.length === 0 && Object.values(answers).includes('token')) return unknown('BehindCdn');
  const found = (asked.length === 0 ? foreign : asked).map((address) =>
    verdictOfAddress({ answer: answers[address], isCdn: cdnOf(address, wanted.cdnRanges) !== null, routedBy }),
  );
  const elsewhere = found.find(({ verdict, isOpen }) => verdict === 'no' && !isOpen);
  if (elsewhere) return elsewhere;
  const through = leadsElsewhere(asked, answers) ? undefined : found.find(isYes);
  if (through) return isUnanswered(view) ? unknown(causeCode(view.outcomes)) : through;
  return mostTelling(found);
};

interface Asked {
  /** undefined when the address was not asked */
  readonly answer: TokenAnswer | undefined;
  readonly isCdn: boolean;
  readonly routedBy: TokenEvidence['routedBy'];
}

/**
 * There certainly is a proxy at the address of a known CDN, and where a token came through before. Of a hostname that was
 * never routed nothing is known. One that was routed without a proxy has moved away: that is a no, unless it is our own
 * limits that kept us from asking.
 */
function verdictOfAddress(asked: Asked): RoutingVerdict {
  const { answer, isCdn, routedBy } = asked;
  if (answer === 'token') return yes('token');
  const isProxy = isCdn || routedBy === 'token';
  if (isElsewhere(asked, isProxy)) return no('StrayAddress');
  const code = answer === undefined ? undefined : codes[answer];
  return open(code ?? (isProxy ? 'BehindCdn' : 'StrayAddress'));
}

/** Is there certainly no proxy at the address that could lead here? */
function isElsewhere({ answer, isCdn, routedBy }: Asked, isProxy: boolean): boolean {
  switch (answer) {
    case 'notAllowed':
      return true;
    case 'other':
      return !isCdn;
    case undefined:
      return !isProxy;
    case 'busy':
      return false;
    default:
      return !isProxy && routedBy !== null;
  }
}

const codes: Readonly<Partial<Record<TokenAnswer, DnsCode>>> = {
  forbidden: 'CdnForbids',
  redirectLoop: 'CdnRedirectLoop',
  originCertificate: 'CdnNeedsOriginCertificate',
};

/** Some address of the view leads to another server, so that some visitors would go there. */
const leadsElsewhere = (addresses: readonly string[], answers: TokenEvidence['answers']): boolean =>
  addresses.some((address) => answers[address] === 'other');

const isYes = ({ verdict }: RoutingVerdict): boolean => verdict === 'yes';

const mostTelling = (found: readonly RoutingVerdict[]): RoutingVerdict | null =>
  found.filter((verdict) => !isYes(verdict)).toSorted((a, b) => rankOf(a).localeCompare(rankOf(b)))[0] ?? null;

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
function codeAtPlatform(to: string, { cnameDomain, platformDomains }: RoutingContext['wanted']): DnsCode | null {
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

/**
 * Each says what it finds in one view: the first that does not say yes decides, and of several yes the first, which is the
 * weakest. A foreign address comes first, as some visitors would go there, whatever stands beside it.
 */
const proofs: readonly RoutingProof[] = [routingByToken, routingByTarget, routingByAddresses];

/**
 * Does DNS lead here? Yes by target, when the exact target is in the chain of aliases; by addresses, when no name of the
 * chain is the platform's and every address at its end is; by token, when the addresses at its end led a request here.
 */
export function routingVerdict(facts: DnsFacts, wanted: DesiredDns): RoutingVerdict {
  const context = { wanted, ours: ourAddresses(facts, wanted) };
  const verdictOfName = (name: string, follow: Follow): RoutingVerdict => {
    if (name === wanted.target) return yes('target');
    const isApex = name === wanted.hostname && hidesDomain(name, facts.names[name]?.zone ?? null);
    const verdict = combine(facts.names[name], {
      view: (view) => verdictOfView(context, { ...view, isApex }, follow),
      key,
    });
    return 'by' in verdict ? verdict : { ...verdict, by: null };
  };
  const chain = { start: wanted.hostname, types, loop: no('AliasLoop'), tooMany: unknown('TooManyAliases') } as const;
  const verdict = alongAliases(facts, chain, verdictOfName);
  return verdict.isOpen ? unknown(verdict.code) : verdict;
}

const types = ['A', 'AAAA'] as const;

function verdictOfView(context: RoutingContext, view: ViewOfName, follow: Follow): RoutingVerdict {
  const found = proofs.flatMap((proof) => proof(context, view, follow) ?? []);
  return found.find(({ verdict }) => verdict !== 'yes') ?? found[0] ?? unknown('NoUsableAnswer');
}

/** The weaker yes is reported: the one that also needs a TXT record. A no that is certain is reported before an open one. */
const key = (verdict: RoutingVerdict): string =>
  `${weight[verdict.by ?? 'token']} ${verdict.isOpen ? 1 : 0} ${rankOf(verdict)}`;

const weight = { token: 0, addresses: 1, target: 2, delegation: 3 } as const;
