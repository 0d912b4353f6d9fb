import type { DnsFacts } from '../dns-facts.ts';
import { challengeName } from '../../rules/desired-records.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { isProxyCode } from '../../rules/verdict-codes.ts';
import type { CombinableVerdict } from './combine-views.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import type { DesiredDns } from './dns-verdict.ts';
import { ownershipByTxt, soleVerdict } from './proofs/ownership-by-txt.ts';
import { routingByDelegation } from './proofs/routing-by-delegation.ts';
import type { RoutingVerdict } from './proofs/routing-proof.ts';

/**
 * Does the hostname's owner want it here? By target: the exact target proves that on its own. By TXT: needed where another
 * account has proved the name, and where routing shows by what many customers share: addresses, or a proxy in front.
 */
export function ownershipVerdict(facts: DnsFacts, wanted: DesiredDns, routing: RoutingVerdict): CombinableVerdict {
  if (isWildcard(wanted.hostname)) return ownershipOfWildcard(facts, wanted);
  const byTarget = routing.verdict === 'yes' && routing.by === 'target';
  if (byTarget && !wanted.txtRequired) return ownershipByTarget(routing);
  if (!wanted.txt) return needsTxt(wanted, routing) ? soleVerdict('no', whyNoTxt(wanted)) : ownershipByTarget(routing);
  const txt = ownershipByTxt(facts, wanted.txt);
  const needed = needsTxt(wanted, routing) || txt.verdict === 'yes';
  return needed ? txt : ownershipByTarget(routing);
}

/**
 * Whoever can delegate the base's challenge name can have a certificate for everything below it: that alone proves a wildcard, and a TXT
 * record too where another account has, or had, it. Neither where the wildcard leads nor a TXT record of the base does.
 */
function ownershipOfWildcard(facts: DnsFacts, wanted: DesiredDns): CombinableVerdict {
  const { delegation, txt, txtRequired } = wanted;
  const delegated = delegation
    ? routingByDelegation(facts, wanted, delegation)
    : soleVerdict('no', 'DelegationMissing');
  if (delegated.verdict !== 'yes' || !txtRequired) return ownershipByTarget(delegated);
  if (!txt) return soleVerdict('no', whyNoTxt(wanted));
  const byTxt = ownershipByTxt(facts, txt);
  return { ...byTxt, corroborated: byTxt.corroborated && delegated.corroborated };
}

const needsTxt = (wanted: DesiredDns, { by, code }: RoutingVerdict): boolean =>
  wanted.txtRequired || by === 'addresses' || by === 'token' || isProxyCode(code);

const whyNoTxt = ({ hostname }: DesiredDns): DnsCode =>
  challengeName(hostname) === null ? 'HostnameTooLongForTxt' : 'TxtMissing';

/** Where the target alone is proof enough, ownership has the verdict of routing. */
const ownershipByTarget = ({ verdict, code, corroborated }: CombinableVerdict): CombinableVerdict => ({
  verdict,
  code,
  corroborated,
});
