import { cdnOf } from '../../../rules/cdn-ranges.ts';
import type { TokenAnswer } from '../../../rules/domain-token.ts';
import type { DnsCode } from '../../../rules/verdict-codes.ts';
import { causeCode, rankOf } from '../combine-views.ts';
import type { TokenEvidence } from '../dns-verdict.ts';
import type { RoutingProof, RoutingVerdict } from './routing-proof.ts';
import { addressesIn, isUnanswered, no, open, unknown, yes } from './routing-proof.ts';

/**
 * Addresses that are not the platform's: yes where a token came back through them. Otherwise it is a no, or an open one
 * where a proxy is or may be. Null for a view without such addresses.
 */
export const routingByToken: RoutingProof = ({ wanted, ours }, view) => {
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
