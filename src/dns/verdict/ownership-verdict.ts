import type { DnsFacts } from '../dns-facts.ts';
import { challengeName } from '../../rules/desired-records.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { isProxyCode } from '../../rules/verdict-codes.ts';
import type { CombinableVerdict } from './combine-views.ts';
import type { DesiredDns } from './dns-verdict.ts';
import { ownershipByTxt, soleVerdict } from './proofs/ownership-by-txt.ts';
import type { RoutingVerdict } from './proofs/routing-proof.ts';

/**
 * Does the hostname's owner want it here? By target: the exact target proves that on its own. By TXT: needed where another
 * account has proved the name, and where routing shows by what many customers share: addresses, or a proxy in front.
 */
export function ownershipVerdict(facts: DnsFacts, wanted: DesiredDns, routing: RoutingVerdict): CombinableVerdict {
  const byTarget = routing.verdict === 'yes' && routing.by === 'target';
  if (byTarget && !wanted.txtRequired) return ownershipByTarget(routing);
  if (!wanted.txt) return needsTxt(wanted, routing) ? soleVerdict('no', whyNoTxt(wanted)) : ownershipByTarget(routing);
  const txt = ownershipByTxt(facts, wanted.txt);
  const needed = needsTxt(wanted, routing) || txt.verdict === 'yes';
  return needed ? txt : ownershipByTarget(routing);
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
