import type { DnsFacts } from '../../dns/dns-facts.ts';
import type { DesiredDns, TokenEvidence } from '../../dns/verdict/dns-verdict.ts';
import { tokenAddresses } from '../../dns/verdict/platform-addresses.ts';
import type { TokenProbe } from '../../routing/token-probe/token-probe.ts';
import type { DomainToken } from '../../rules/domain-token.ts';
import { isVerifiable } from './check-due.ts';
import type { AssessedProjectDomain, ProjectDomainSnapshot } from './project-domain-snapshot.ts';

interface Seen {
  readonly facts: DnsFacts;
  readonly wanted: DesiredDns;
  readonly signal: AbortSignal;
}

/**
 * Asks for the domain's token where its addresses are not the platform's. Only those that this check found are asked, and
 * only once the token is published, or the redirector could not know it.
 */
export async function tokenEvidence(
  probe: TokenProbe,
  { domain, account, token, checkStatus }: AssessedProjectDomain,
  { facts, wanted, signal }: Seen,
): Promise<TokenEvidence> {
  const { routedBy } = checkStatus;
  const addresses = tokenAddresses(facts, wanted);
  const isPublished = token !== null && checkStatus.token?.nonce === token.nonce;
  if (addresses.length === 0 || !isPublished) return { answers: {}, routedBy };
  const payer = account?.metadata.name ?? domain.metadata.namespace ?? '';
  const answers = await probe.ask({ hostname: domain.spec.hostname, token, addresses, payer }, signal);
  return { answers, routedBy };
}

/** The token to publish: while the last check that could tell found addresses that are not the platform's. */
export function publishedToken(snapshot: ProjectDomainSnapshot): DomainToken | null {
  const { verdict, token, checkStatus } = snapshot;
  if (!isVerifiable(snapshot)) return null;
  const saysNothing = verdict === null || (verdict.routing.verdict === 'unknown' && !verdict.needsToken);
  return (saysNothing ? checkStatus.token !== null : verdict.needsToken) ? token : null;
}
