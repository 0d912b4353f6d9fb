import type { Faults } from '../support/dns-servers/faulty-server.ts';

/** `yes`, or `no` or `unknown` with its code. */
type Expected = 'yes' | `${'no' | 'unknown'} ${string}`;

/** A server of a customer's zone: a real one, and what is between it and us. */
export interface NameServer {
  readonly program: 'knot' | 'nsd';
  /** what it serves instead of the zone: `stale` lines, or nothing of it at all */
  readonly serves?: readonly string[] | 'nothing';
  /** it stands at an address of its own, with these faults */
  readonly faults?: Faults;
  /** nothing listens at its address */
  readonly isGone?: true;
  /** the parent zone does not name it */
  readonly isHidden?: true;
  /** the zone itself does not name it */
  readonly isForgotten?: true;
}

/** One hostname with everything that stands in DNS for it, and what has to be said of it. */
export interface CorpusName {
  /** a sentence; unique */
  readonly name: string;
  readonly why: string;
  /** relative to the zone; `@` is its apex */
  readonly host: string;
  /**
   * Lines of the customer's zone. `{target}`, `{other}`, `{bare}`: the project's target, another project's, the CNAME
   * domain; `{ours}`, `{ours6}`: the platform's addresses; `{apex}`: the zone; `{label}`: the zone without its dot; `{knot}`, `{nsd}`: name servers of a DNS
   * host that serve every zone of the case.
   */
  readonly zone: readonly string[];
  /** default: Knot and NSD */
  readonly servers?: readonly NameServer[];
  /** zones beside it or below it, by name relative to the customer's zone, on the same servers */
  readonly zones?: Readonly<Record<string, readonly string[]>>;
  /** default `com` */
  readonly suffix?: string;
  /** default: what nobody has proven yet, so the target alone is enough */
  readonly txtRequired?: boolean;
  readonly routing: Expected;
  readonly ownership: Expected;
  readonly caa: Expected;
}
