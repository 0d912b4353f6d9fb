import type { Delegation } from '../../../rules/challenge-delegation.ts';
import type { DnsFacts, DnsOutcome, SourceView } from '../../dns-facts.ts';
import { hasSeveralAliases, recordsAt } from '../../observed-records.ts';
import { causeCode, combine, rankOf } from '../combine-views.ts';
import type { DesiredDns } from '../dns-verdict.ts';
import type { RoutingVerdict } from './routing-proof.ts';
import { no, unknown, yes } from './routing-proof.ts';

/**
 * Before the switch, when the hostname still leads to its former server: its challenge name is an alias of the name that we gave
 * it, as every server of the hostname's own zone shows that answers. Whoever can create that can switch the hostname too.
 */
export function routingByDelegation(
  facts: DnsFacts,
  { hostname }: Pick<DesiredDns, 'hostname'>,
  delegation: Delegation,
): RoutingVerdict {
  const found = facts.names[delegation.name];
  const zone = facts.names[hostname]?.zone ?? null;
  if (found?.zone && zone !== null && found.zone !== zone) return no('ChallengeNameInUse');
  const former = aliasAt(facts, hostname);
  const view = ({ outcomes }: SourceView) => verdictOf(outcomes.TXT, delegation, former);
  return combine(found, { view, key: rankOf, undecided: unknown });
}

/** What a wildcard that serves the hostname shows at every name that does not exist. */
export const aliasAt = (facts: DnsFacts, hostname: string): string | null =>
  recordsAt(facts, hostname, ['A', 'AAAA']).find(({ type }) => type === 'CNAME')?.value ?? null;

/** `former`: the hostname's own alias. */
function verdictOf(outcome: DnsOutcome | undefined, delegation: Delegation, former: string | null): RoutingVerdict {
  if (outcome === undefined || outcome.kind === 'unknown')
    return unknown(causeCode(outcome === undefined ? {} : { TXT: outcome }));
  if (outcome.kind === 'nodata' || outcome.kind === 'nxdomain') return no('DelegationMissing');
  if (hasSeveralAliases(outcome)) return no('SeveralCnames');
  if (outcome.kind === 'records') return no('ChallengeNameInUse');
  const { value } = outcome.record;
  if (value === delegation.value) return yes('delegation');
  if (value === former) return no('DelegationMissing');
  return no(value.endsWith(`.${delegation.zone}`) ? 'DelegationWrong' : 'ChallengeNameInUse');
}
