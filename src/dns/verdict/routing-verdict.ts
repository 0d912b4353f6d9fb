import type { DnsFacts } from '../dns-facts.ts';
import { hidesDomain } from '../../rules/desired-records.ts';
import { alongAliases } from './alias-chain.ts';
import { combine, rankOf } from './combine-views.ts';
import type { DesiredDns } from './dns-verdict.ts';
import { ourAddresses } from './platform-addresses.ts';
import { routingByAddresses, routingByTarget } from './proofs/routing-by-dns.ts';
import { routingByToken } from './proofs/routing-by-token.ts';
import type { Follow, RoutingContext, RoutingProof, RoutingVerdict, ViewOfName } from './proofs/routing-proof.ts';
import { no, unknown, yes } from './proofs/routing-proof.ts';

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
