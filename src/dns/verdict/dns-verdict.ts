import type { DnsCode } from '../../rules/verdict-codes.ts';
import type { DnsRecord } from '../dns-facts.ts';

/** What a correct setup of one hostname looks like: the yardstick of every verdict. Names are lower case A-labels. */
export interface DesiredDns {
  readonly hostname: string;
  /** the project's own CNAME target, e.g. `p-k3v5….cname.apps.example.net` */
  readonly target: string;
  /** the domain all targets lie under */
  readonly cnameDomain: string;
  /** every domain that is the platform's (the CNAME domain, the subdomain zone) */
  readonly platformDomains: readonly string[];
  /** configured addresses and those the target resolved to in the last 24 h */
  readonly platformAddresses: readonly string[];
  /** the exact ownership record; null where the caller knows none or none is possible */
  readonly txt: { readonly name: string; readonly value: string } | null;
  /** an administrator's or a contested claim's demand for TXT even where the exact target is visible */
  readonly txtRequired: boolean;
  /** the authority that will be asked for a certificate; null skips CAA */
  readonly ca: CaIdentity | null;
}

/** Who will issue: CAA issuer domains (RFC 8659), account URI and validation method (RFC 8657). */
export interface CaIdentity {
  readonly domains: readonly string[];
  readonly accountUri: string | null;
  readonly method: string | null;
}

export interface Verdict {
  readonly verdict: 'yes' | 'no' | 'unknown';
  readonly code: DnsCode;
}

/** Desired against discovered, for one thing that is wrong: what was found and what to change. */
export interface DnsIssue {
  readonly code: DnsCode;
  readonly message: string;
  /** the offending record as a master-file line, or '' */
  readonly record: string;
  /** what to delete, create or change, as a sentence */
  readonly fix: string;
}

export interface DnsVerdict {
  /** `by` says what proved it; ownership by target alone is enough only for `target` */
  readonly routing: Verdict & { readonly by: 'target' | 'addresses' | null };
  readonly ownership: Verdict;
  readonly caa: Verdict;
  /**
   * True when what the yes rests on (routing, ownership, and every zone cut on the way) was said by two servers at
   * different addresses, wherever the zone in question has two at different addresses; a zone with one server counts.
   * False for everything that is not yes, and for what resolvers alone said. A route stands without it; a first claim,
   * a transfer and an order need it.
   */
  readonly corroborated: boolean;
  readonly issues: readonly DnsIssue[];
  /** apex of the zone that holds the hostname, null while unknown */
  readonly zone: string | null;
  /** names of that zone's servers, sorted; empty while unknown */
  readonly nameServers: readonly string[];
  /** what stands in DNS at the hostname, along its chain and at the challenge name */
  readonly discovered: readonly DnsRecord[];
  /** addresses the target itself resolved to in this check */
  readonly targetAddresses: readonly string[];
}
