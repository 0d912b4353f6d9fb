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
  /** its name instead of the usual one, such as `ns1.{second}`; without glue */
  readonly named?: string;
  /** the addresses that the parent zone gives for it */
  readonly glue?: readonly string[];
  /** the only server of the registry that names it */
  readonly onlyAt?: 'first' | 'second';
}

/** A zone of the customer's besides the one with the hostname. */
export interface OtherZone {
  readonly zone: readonly string[];
  /** default: Knot and NSD; none at all: the zone is not delegated */
  readonly servers?: readonly NameServer[];
}

/** One hostname with everything that stands in DNS for it, and what has to be said of it. */
export interface CorpusName extends OtherZone {
  /** a sentence; unique */
  readonly name: string;
  readonly why: string;
  /** relative to the zone; `@` is its apex */
  readonly host: string;
  /**
   * Lines of the customer's zone. `{target}`, `{other}`, `{bare}`, `{platform}`: the project's target, another
   * project's, the CNAME domain, the project's subdomain of the platform; `{ours}`, `{ours6}`: the platform's addresses;
   * `{ours2}`: one that only the target shows; `{delegation}`: the alias that prepares the hostname; `{right}`: the ownership record's value; `{apex}`: the zone; `{label}`:
   * the zone without its dot; `{second}` and so on: apex of a registered zone; `{address0}`: where the customer's first
   * server stands; `{dead}`: where nothing listens; `{atNsd}`: where the DNS host's NSD does.
   */
  readonly zone: readonly string[];
  /** zones below it on the same servers, by name relative to the customer's zone */
  readonly zones?: Readonly<Record<string, readonly string[]>>;
  /** zones that the customer's zone delegates, by name relative to it */
  readonly delegated?: Readonly<Record<string, OtherZone>>;
  /** domains registered beside it */
  readonly registered?: Readonly<Record<string, OtherZone & { readonly suffix: string }>>;
  /** default `com` */
  readonly suffix?: string;
  /** default: what nobody has proven yet, so the target alone is enough */
  readonly txtRequired?: boolean;
  /** it is served elsewhere, and its certificate is prepared by a delegation of its challenge name */
  readonly prepared?: true;
  readonly routing: Expected;
  readonly ownership: Expected;
  readonly caa: Expected;
  /** why a recursive resolver that can tell yes from no is no reason for us to do so */
  readonly worseThanUnbound?: string;
  /** why we can tell yes from no although a recursive resolver says SERVFAIL */
  readonly betterThanUnbound?: string;
}
