import type { DnssecFacts } from './dnssec-facts.ts';

/**
 * What was found in DNS, as plain data: the output of lookup/ and the input of verdict/.
 * Names are lower case A-labels without the trailing dot; the root is the empty string. Every text that comes from DNS
 * is printable ASCII: all other bytes are escaped as in a master file (RFC 1035 section 5.1).
 */

export const recordTypes = ['A', 'AAAA', 'CNAME', 'TXT', 'CAA', 'HTTPS', 'NS', 'SOA'] as const;

export type RecordType = (typeof recordTypes)[number];

/** One resource record. `value` is as in a master file: an address, a name, joined TXT strings, `0 issue "ca.test"`,
 * and of HTTPS what leads anywhere: `1 . ipv4hint=192.0.2.1,192.0.2.2`. */
export interface DnsRecord {
  readonly name: string;
  readonly type: RecordType;
  /** seconds */
  readonly ttl: number;
  readonly value: string;
  /** only for CAA */
  readonly caa?: CaaProperty;
}

/** The data of a CAA record (RFC 8659 section 4.1). */
export interface CaaProperty {
  /** one byte */
  readonly flags: number;
  /** in lower case, never empty */
  readonly tag: string;
  /** bytes as Latin-1: neither cut nor escaped, unlike all other texts, to be compared and never shown */
  readonly value: string;
}

/** Why a source gave no usable answer. None of these is ever a "no" (docs/concepts/dns-rules.md). */
export const unknownCauses = [
  'servfail',
  'refused',
  'timeout',
  'not-authoritative',
  'malformed',
  'error-code',
  'unreachable',
  'address-not-allowed',
  'bounds-exceeded',
] as const;

export type UnknownCause = (typeof unknownCauses)[number];

/** One source's answer for one name and type. */
export type DnsOutcome =
  | { readonly kind: 'records'; readonly records: readonly DnsRecord[] }
  /** `beside`: what must not be beside a CNAME (RFC 1034 section 3.6.2): more of them, and addresses; absent without any */
  | { readonly kind: 'alias'; readonly record: DnsRecord; readonly beside?: readonly DnsRecord[] }
  /** `ttl`: how long caches may keep the absence (RFC 2308 section 5); absent without an SOA record */
  | { readonly kind: 'nodata'; readonly ttl?: number }
  | { readonly kind: 'nxdomain'; readonly ttl?: number }
  /** `code`: the name of the response code, such as `NOTIMP`; only where the cause is `error-code` */
  | { readonly kind: 'unknown'; readonly cause: UnknownCause; readonly code?: string };

/** How many servers, counted by address, agreed on one zone cut on the way to a name. */
export interface CutAgreement {
  /** apex of the delegated zone */
  readonly zone: string;
  /** servers of the parent zone */
  readonly servers: number;
  /** the most of them that gave the same delegation */
  readonly agreeing: number;
}

/** The different answers of a parent zone's servers about one delegation; both lists are bounded. */
export interface DifferingDelegations {
  readonly zone: string;
  readonly views: readonly { readonly by: readonly string[]; readonly names: readonly string[] }[];
}

/** What decides how much a server's answer counts. */
interface Witness {
  /** null when no address of it is known */
  readonly address: string | null;
  /** the parent zone names it */
  readonly delegated: boolean;
  /** its address was given by two servers, or by the only one that could be queried */
  readonly certain: boolean;
}

/** One source's view of one name. `source` is for people: `ns1.example.com (192.0.2.1)` or `resolver 192.0.2.53`. */
export interface SourceView {
  readonly source: string;
  /** absent for a recursive resolver */
  readonly witness?: Witness;
  readonly outcomes: Readonly<Partial<Record<RecordType, DnsOutcome>>>;
}

/** Everything found about one name: the answers of each server of its zone, and of recursive resolvers if queried. */
export interface NameFacts {
  readonly name: string;
  /** apex of the zone that contains the name, or null when the walk could not find it */
  readonly zone: string | null;
  /** names of the zone's servers, sorted; empty when the walk could not find it */
  readonly nameServers: readonly string[];
  /** every zone cut from the root to here; absent when the walk ended early */
  readonly cuts?: readonly CutAgreement[];
  /** why the walk ended: the parent's servers disagree about a delegation */
  readonly differing?: DifferingDelegations | null;
  readonly authorities: readonly SourceView[];
  readonly resolvers: readonly SourceView[];
}

/** One question to one server, for the log and the doctor. Of an address that must not be queried only the first. */
export interface AskedQuestion {
  readonly server: string;
  readonly question: string;
  /** `answer`, `alias`, `referral`, `nodata`, `nxdomain` or an UnknownCause */
  readonly outcome: string;
  readonly ms: number;
}

/** The result of one check of one hostname: everything found, by name. */
export interface DnsFacts {
  readonly hostname: string;
  readonly names: Readonly<Record<string, NameFacts>>;
  readonly asked: readonly AskedQuestion[];
  /** absent where validating resolvers were not queried */
  readonly dnssec?: DnssecFacts;
  /** what the other vantage points found, where any are configured; never part of what one of them answers */
  readonly elsewhere?: readonly FactsElsewhere[];
}

/** One remote vantage point's result of the same check; null when it gave none that can be used. */
export interface FactsElsewhere {
  /** unique, from the configuration */
  readonly vantagePoint: string;
  readonly facts: DnsFacts | null;
}

/** What to check: the aliases and addresses of the hostname and the target, the challenge name, and CAA. */
export interface CheckRequest {
  readonly hostname: string;
  readonly target: string;
  /** owner name of the ownership record; null to skip it */
  readonly txtName: string | null;
  /** the ownership record counts even where the exact target is visible; otherwise it is queried only without that */
  readonly txtRequired: boolean;
  /** the challenge name of a hostname that is prepared before it is switched; absent to skip it */
  readonly delegationName?: string;
  /** queries the target's own addresses even where the exact target decides: to which edge it leads matters */
  readonly needsTargetAddresses?: boolean;
  readonly caa: boolean;
  /** queries the validating resolvers too, once the hostname leads to the target or to nothing but these addresses */
  readonly dnssec?: {
    readonly platformAddresses: readonly string[];
    /** any address may lead here, as a proxy stands in front */
    readonly isBehindProxy?: boolean;
  };
  /**
   * only whether the hostname still leads here, by the servers that an earlier check found: neither ownership nor CAA is
   * queried. Anything but a yes has to be checked in full.
   */
  readonly isConfirmation?: boolean;
}

/** Queries DNS, bounded in packets and time (docs/concepts/dns-rules.md). Never rejects because of what servers do. */
export interface Dns {
  check(request: CheckRequest, signal: AbortSignal): Promise<DnsFacts>;
}
