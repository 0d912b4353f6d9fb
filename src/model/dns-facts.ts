/**
 * What was seen in DNS, as plain data: the output of asking (dns/) and the input of judging (verdict/).
 * Names are lower case A-labels without the trailing dot; the root is the empty string.
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

/** Why a source said nothing that can be judged. None of these is ever a "no" (design: asking). */
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
export type Outcome =
  | { readonly kind: 'records'; readonly records: readonly DnsRecord[] }
  | { readonly kind: 'alias'; readonly record: DnsRecord }
  | { readonly kind: 'nodata' }
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

/** One source's view of one name. `source` is for people: `ns1.example.com (192.0.2.1)` or `resolver 192.0.2.53`. */
export interface SourceView {
  readonly source: string;
  readonly outcomes: Readonly<Partial<Record<RecordType, Outcome>>>;
}

/** Everything seen of one name: what each server of its zone said, and what recursive resolvers said if asked. */
export interface NameFacts {
  readonly name: string;
  /** apex of the zone that holds the name, or null when the walk could not find it */
  readonly zone: string | null;
  /** names of the zone's servers, sorted; empty when the walk could not find it */
  readonly nameServers: readonly string[];
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
