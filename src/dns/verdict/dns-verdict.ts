import type { TokenAnswer } from '../../rules/domain-token.ts';
import type { IpRange } from '../../rules/ip-range.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import type { DnsRecord } from '../dns-facts.ts';
import type { CaaProfile } from './caa-profile.ts';

/** The correct DNS setup of one hostname, which every verdict compares with. Names are lower case A-labels. */
export interface DesiredDns {
  readonly hostname: string;
  /** the project's own CNAME target, e.g. `p-k3v5….cname.apps.example.net` */
  readonly target: string;
  /** the domain all targets lie under */
  readonly cnameDomain: string;
  /** every domain of the platform (the CNAME domain, the subdomain zone) */
  readonly platformDomains: readonly string[];
  /** configured addresses and those the target resolved to in the last 24 h */
  readonly platformAddresses: readonly string[];
  /** the exact ownership record; null when the caller knows none or none is possible */
  readonly txt: { readonly name: string; readonly value: string } | null;
  /** the TXT record is required even if the exact target is found: set by an administrator or for a contested claim */
  readonly txtRequired: boolean;
  /** the authority that will issue the certificate; null skips CAA */
  readonly ca: CaIdentity | null;
  /** what requests for the token found; absent where none is made */
  readonly token?: TokenEvidence;
  /** ranges of CDNs that the installation names, beside the known ones */
  readonly cdnRanges?: readonly IpRange[];
}

/** What proves routing; only `target` can prove ownership without a TXT record. */
export type RoutedBy = 'target' | 'addresses' | 'token';

/** What requests for a hostname's token found. */
export interface TokenEvidence {
  /** by address; addresses that were not asked are absent */
  readonly answers: Readonly<Partial<Record<string, TokenAnswer>>>;
  /** what proved routing before; null when nothing did */
  readonly routedBy: RoutedBy | null;
}

/** The issuing authority: CAA issuer domains (RFC 8659), account URI and validation method (RFC 8657). */
export interface CaIdentity {
  readonly domains: readonly string[];
  readonly accountUri: string | null;
  readonly method: string | null;
  /** how the authority interprets CAA records (caa-profile.ts) */
  readonly caaProfile: CaaProfile;
}

export interface Verdict {
  readonly verdict: 'yes' | 'no' | 'unknown';
  readonly code: DnsCode;
}

/** One difference between desired and discovered records: what was found and what to change. */
export interface DnsIssue {
  readonly code: DnsCode;
  readonly message: string;
  /** the offending record as a master-file line, or '' */
  readonly record: string;
  /** what to delete, create or change, as a sentence */
  readonly fix: string;
}

export interface DnsVerdict {
  readonly routing: Verdict & { readonly by: RoutedBy | null };
  readonly ownership: Verdict;
  readonly caa: Verdict;
  /**
   * True when everything that the yes depends on (routing, ownership, and every zone cut on the way) was confirmed by
   * two servers at different addresses, or by one where the zone has no more. False for every verdict but yes, and for
   * answers of resolvers alone. A route is kept without it; a first claim, a transfer and an order need it.
   */
  readonly corroborated: boolean;
  /** only routing was checked; the rest is what the last full check found */
  readonly isConfirmation?: boolean;
  readonly issues: readonly DnsIssue[];
  /** apex of the zone that contains the hostname, null while unknown */
  readonly zone: string | null;
  /** names of that zone's servers, sorted; empty while unknown */
  readonly nameServers: readonly string[];
  /** records found at the hostname, along its chain of aliases and at the challenge name */
  readonly discovered: readonly DnsRecord[];
  /** addresses that the target itself resolved to in this check */
  readonly targetAddresses: readonly string[];
  /** the hostname leads to addresses that are not the platform's, so its token is asked for */
  readonly needsToken?: boolean;
}
