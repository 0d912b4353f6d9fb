import type { Delegation } from '../rules/challenge-delegation.ts';
import type { ClaimRelation } from '../rules/hostname-claims.ts';
import type { DnsCode } from '../rules/verdict-codes.ts';
import type { DnsHostView } from '../rules/dns-hosts/dns-hosts.ts';
import type { RoutedBy } from '../rules/next-dns-check.ts';
import type { RecordView } from './domain-view.ts';
import type { IssueView } from './issue-view.ts';

/** A hostname to look up in DNS, and what should be there. */
export interface DnsLookupRequest {
  /** one that `parseHostname` accepts */
  readonly hostname: string;
  /** the project's CNAME target; null looks only for what does not depend on a project */
  readonly target: string | null;
  /** the exact value of the ownership record */
  readonly ownership: string | null;
  readonly relation: ClaimRelation['kind'];
  /** what proved the routing of an existing domain; null for one that is new or was never routed */
  readonly routedBy: RoutedBy | null;
  /** the delegation by which it is prepared; absent where it is not */
  readonly delegation?: Delegation | null;
}

interface LookupVerdict {
  readonly verdict: 'yes' | 'no' | 'unknown';
  readonly code: DnsCode;
}

/** A record at the hostname, along its aliases or at the challenge name; `value` as in a master file. */
interface FoundRecord {
  readonly name: string;
  readonly type: string;
  /** seconds */
  readonly ttl: number;
  readonly value: string;
}

/** What DNS says about a hostname, by the operator's own rules. */
export interface DnsFindings {
  /** apex of the zone that contains the hostname; null while unknown */
  readonly zone: string | null;
  /** names of the zone's servers, sorted */
  readonly nameServers: readonly string[];
  /** who hosts the zone, by its name servers; null for an unknown one */
  readonly dnsHost: DnsHostView | null;
  readonly found: readonly FoundRecord[];
  /** what was found for each record to create */
  readonly recordFindings: readonly Pick<RecordView, 'purpose' | 'status' | 'found'>[];
  /** null without a target, as ownership */
  readonly routing: LookupVerdict | null;
  readonly ownership: LookupVerdict | null;
  readonly caa: LookupVerdict;
  /** what will have to change */
  readonly issues: readonly IssueView[];
  /** what proves the routing; only addresses call for an ownership record */
  readonly routedBy: RoutedBy | null;
}

/**
 * Looks a hostname up in DNS, bounded in packets and in time (nine seconds). Never rejects because of what name servers
 * do; ends early when the signal aborts.
 */
export interface DnsLookup {
  look(request: DnsLookupRequest, signal: AbortSignal): Promise<DnsFindings>;
}
