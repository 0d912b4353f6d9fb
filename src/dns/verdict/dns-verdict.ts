import type { Delegation } from '../../rules/challenge-delegation.ts';
import type { TokenAnswer } from '../../rules/domain-token.ts';
import type { IpRange } from '../../rules/ip-range.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import type { IssueAct } from '../../rules/issue-acts.ts';
import type { IssueActor } from '../../rules/codes/code-rows.ts';
import type { RecordStatus } from '../../rules/desired-records.ts';
import type { RoutedBy } from '../../rules/next-dns-check.ts';
import type { DnsRecord, RecordType } from '../dns-facts.ts';
import type { ChainLink } from './cached-chain.ts';
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
  /** those of them that the hostname is to lead to, where its project has an edge of its own; absent: any of them will do */
  readonly toldAddresses?: readonly string[];
  /** the exact ownership record; null when the caller knows none or none is possible */
  readonly txt: { readonly name: string; readonly value: string } | null;
  /** the TXT record is required even if the exact target is found: set by an administrator or for a contested claim */
  readonly txtRequired: boolean;
  /** the delegation by which the hostname is prepared before it is switched; absent or null where that does not count */
  readonly delegation?: Delegation | null;
  /** the authority that will issue the certificate; null skips CAA */
  readonly ca: CaIdentity | null;
  /** what requests for the token found; absent where none is made */
  readonly token?: TokenEvidence;
  /** ranges of CDNs that the installation names, beside the known ones */
  readonly cdnRanges?: readonly IpRange[];
}

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
  /** the certificate is for a wildcard: issuewild records decide where there are any (RFC 8659 section 4.3) */
  readonly isForWildcard?: boolean;
  /** how the authority interprets CAA records (caa-profile.ts) */
  readonly caaProfile: CaaProfile;
}

export interface Verdict {
  readonly verdict: 'yes' | 'no' | 'unknown';
  readonly code: DnsCode;
}

/** A record to delete or to create. */
export interface DnsRecordRef {
  /** as in the form of a DNS host: relative to the zone, `@` for the zone itself */
  readonly name: string;
  readonly fqdn: string;
  /** `ALIAS` stands for ALIAS, ANAME, a flattened CNAME, or the platform's addresses */
  readonly type: RecordType | 'ALIAS';
  /** as in a master file without the final dot of a name; `*` for all records of the type, only in what to delete */
  readonly value: string;
}

/** What one server said. */
export interface ServerReport {
  readonly server: string;
  /** empty if unknown */
  readonly address: string;
  /** a few words: `CNAME old.example.com.`, `did not answer` */
  readonly answer: string;
}

/**
 * One thing that differs from what is desired, as data: a page renders it from the code, the act, the parameters and the
 * lists. `message`, `record` and `fix` say the same in English (dns-issue.ts).
 */
export interface DnsIssue {
  readonly code: DnsCode;
  /** a warning never blocks: the verdict was given without it */
  readonly severity: 'Error' | 'Warning';
  /** what has to be done */
  readonly act: IssueAct;
  /** who can do it */
  readonly actor: IssueActor;
  /** what the sentences of the code and the act mention, by name */
  readonly params: Readonly<Record<string, string>>;
  readonly delete: readonly DnsRecordRef[];
  readonly create: readonly DnsRecordRef[];
  readonly servers: readonly ServerReport[];
  readonly message: string;
  /** the offending records as lines of a master file without TTL, separated by semicolons, or '' */
  readonly record: string;
  /** what has to be done, as a sentence */
  readonly fix: string;
}

/** What was found for one desired record. */
export interface RecordFinding {
  readonly purpose: 'Routing' | 'Ownership' | 'Certificate';
  readonly status: RecordStatus;
  /** what is at its name, such as `A 192.0.2.1`; bounded */
  readonly found: readonly string[];
}

export interface DnsVerdict {
  readonly routing: Verdict & { readonly by: RoutedBy | null };
  readonly ownership: Verdict;
  readonly caa: Verdict;
  /** names of the issuer's accounts that CAA permits; absent where it permits all of them, or none */
  readonly permittedAccounts?: readonly string[];
  /**
   * True when everything that the yes depends on (routing, ownership, and every zone cut on the way) was confirmed by
   * two servers at different addresses, or by one where the zone has no more. False for every verdict but yes, and for
   * answers of resolvers alone. A route is kept without it; a first claim, a transfer and an order need it.
   */
  readonly corroborated: boolean;
  /** what validating resolvers say; absent where they were not queried. Bogus makes the other verdicts unknown */
  readonly dnssec?: 'Valid' | 'Bogus' | 'Unchecked';
  /** only routing was checked; the rest is what the last full check found */
  readonly isConfirmation?: boolean;
  /** errors before warnings */
  readonly issues: readonly DnsIssue[];
  /** what was found for each desired record; in a confirmation only for that of routing */
  readonly records: readonly RecordFinding[];
  /** what caches keep on the way from the hostname along its aliases; empty where no TTL was seen */
  readonly chain: readonly ChainLink[];
  /** apex of the zone that contains the hostname, null while unknown */
  readonly zone: string | null;
  /** names of that zone's servers, sorted; empty while unknown */
  readonly nameServers: readonly string[];
  /** records found at the hostname, along its chain of aliases and at the challenge name */
  readonly discovered: readonly DnsRecord[];
  /** addresses that the target itself resolved to in this check */
  readonly targetAddresses: readonly string[];
  /** the hostname leads to addresses that are not the platform's, so its token is asked for */
  readonly needsToken: boolean;
}
