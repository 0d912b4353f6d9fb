import type { SignedZone, Signing } from '../../support/dns-servers/signed-zone.ts';

/** A zone, how it is signed, and what its parent says of that. */
export interface ZonePlan {
  /** `{target}`, `{ours}`, `{right}`: as in the corpus; `{other}`: the other zone of the name */
  readonly lines: readonly string[];
  /** null for a zone that is not signed */
  readonly signing?: Signing | null;
  /** what becomes of the signed zone's lines before they are served */
  readonly edit?: (lines: readonly string[]) => readonly string[];
  /** data of the DS record at the parent: by default the right one, none for a zone that is not signed */
  readonly ds?: string | null;
  /** a zone that it delegates, by its label */
  readonly below?: Readonly<Record<string, ZonePlan>>;
}

/** A hostname `www` in a zone, or below `below`, with what has to be said of it. */
export interface SignedName extends ZonePlan {
  /** a sentence; unique */
  readonly name: string;
  readonly why: string;
  /** relative to the zone; by default `www` */
  readonly host?: string;
  /** another domain, which aliases may lead to */
  readonly other?: ZonePlan;
  readonly expected: 'yes' | 'DnssecBogus';
  /** what the issue has to say */
  readonly says?: (zones: BuiltZones) => readonly string[];
}

/** The zones of a name as they were signed; a zone without signatures has none. */
export interface BuiltZones {
  readonly apex: string;
  readonly other: string;
  readonly signed: ReadonlyMap<string, SignedZone>;
}
