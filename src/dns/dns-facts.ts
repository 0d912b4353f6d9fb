/**
 * What was seen in DNS, as plain data: the output of asking (dns/) and the input of judging (verdict/).
 * Names are lower case A-labels without the trailing dot; the root is the empty string. Every text that comes from DNS
 * is printable ASCII: all other bytes are escaped as in a master file (RFC 1035 section 5.1).
 */

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'CAA' | 'NS' | 'SOA';

/** One resource record. `value` is as in a master file: an address, a name, the joined TXT text, `0 issue "ca.test"`. */
export interface DnsRecord {
  readonly name: string;
  readonly type: RecordType;
  /** seconds */
  readonly ttl: number;
  readonly value: string;
  /** only for CAA (RFC 8659 section 4) */
  readonly caa?: { readonly critical: boolean; readonly tag: string; readonly value: string };
}

/** Why a source said nothing that can be judged. None of these is ever a "no" (docs/concepts/dns-rules.md). */
export type UnknownCause =
  | 'servfail'
  | 'refused'
  | 'timeout'
  | 'not-authoritative'
  | 'malformed'
  | 'unreachable'
  | 'address-not-allowed'
  | 'bounds-exceeded';

/** What one source said of one name and type. */
export type DnsOutcome =
  | { readonly kind: 'records'; readonly records: readonly DnsRecord[] }
  | { readonly kind: 'alias'; readonly record: DnsRecord }
  | { readonly kind: 'nodata' }
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

/** How many servers, counted by address, stood behind one zone cut on the way to a name. */
export interface CutAgreement {
  /** apex of the zone that is delegated */
  readonly zone: string;
  /** servers of the parent zone */
  readonly servers: number;
  /** those of them that gave the delegation alike */
  readonly agreeing: number;
}

/** What servers of a parent zone say of one delegation where they do not all say the same; both lists are bounded. */
export interface DifferingDelegations {
  readonly zone: string;
  readonly views: readonly { readonly by: readonly string[]; readonly names: readonly string[] }[];
}

/** A server of the zone, as a witness. */
interface Witness {
  /** null when its name has no address that is known */
  readonly address: string | null;
  /** the parent zone names it */
  readonly delegated: boolean;
  /** its address was said by two servers, or by the only one there is to ask */
  readonly certain: boolean;
}

/** One source's view of one name. `source` is for people: `ns1.example.com (192.0.2.1)` or `resolver 192.0.2.53`. */
export interface SourceView {
  readonly source: string;
  /** absent for a recursive resolver */
  readonly witness?: Witness;
  readonly outcomes: Readonly<Partial<Record<RecordType, DnsOutcome>>>;
}

/** Everything seen of one name: what each server of its zone said, and what recursive resolvers said if asked. */
export interface NameFacts {
  readonly name: string;
  /** apex of the zone that holds the name, or null when the walk could not find it */
  readonly zone: string | null;
  /** names of the zone's servers, sorted; empty when the walk could not find it */
  readonly nameServers: readonly string[];
  /** every zone cut from the root to here; absent where the walk ended before */
  readonly cuts?: readonly CutAgreement[];
  /** why the walk ended: a delegation that nobody can be believed about */
  readonly differing?: DifferingDelegations | null;
  readonly authorities: readonly SourceView[];
  readonly resolvers: readonly SourceView[];
}

/** One packet's worth of asking, for the log and the doctor. */
export interface AskedQuestion {
  readonly server: string;
  readonly question: string;
  /** `answer`, `alias`, `referral`, `nodata`, `nxdomain` or an UnknownCause */
  readonly outcome: string;
  readonly ms: number;
}

/** One check of one hostname: every name met on the way, by name. */
export interface DnsFacts {
  readonly hostname: string;
  readonly names: Readonly<Record<string, NameFacts>>;
  readonly asked: readonly AskedQuestion[];
}

/** What a check has to look at. The asker follows the hostname's chain, the target, the challenge name and CAA. */
export interface CheckRequest {
  readonly hostname: string;
  readonly target: string;
  /** owner name of the ownership record; null when it is not wanted */
  readonly txtName: string | null;
  readonly caa: boolean;
}

/** Asking DNS, bounded in packets and time (docs/concepts/dns-rules.md). Never rejects for what servers do. */
export interface Dns {
  check(request: CheckRequest, signal: AbortSignal): Promise<DnsFacts>;
}
