import type { DnsFacts, DnsRecord } from '../dns-facts.ts';
import { chainNames, maxAliases, outcomesAt, recordsAt } from '../observed-records.ts';

/** A name on the way from a hostname along its aliases, with the seconds that caches keep what is there. */
export interface ChainLink {
  readonly name: string;
  readonly ttl: number;
}

/** The longest that common resolvers keep a record: one week (RFC 8767 section 4, and the default of BIND). */
const longestTtl = 604_800;
/** The longest that they keep an absence: three hours (RFC 2308 section 5; BIND's default, and more than Unbound's). */
const longestAbsence = 10_800;

interface Hostname {
  readonly hostname: string;
  /** records at the hostname that do not lead here; those beside them are not what caches have to forget */
  readonly wrong: readonly DnsRecord[];
  readonly isRight: boolean;
}

/** What caches keep on the way from the hostname to an address; ends before a name of which no TTL was seen. */
export function cachedChain(facts: DnsFacts, { hostname, wrong, isRight }: Hostname): readonly ChainLink[] {
  const links: ChainLink[] = [];
  for (const name of chainNames(facts, hostname, ['A', 'AAAA'], maxAliases + 1)) {
    const records = recordsAt(facts, name, ['A', 'AAAA']);
    const ttl = name === hostname && !isRight ? (ttlOf(wrong) ?? absenceTtl(facts, name)) : ttlOf(records);
    const known = ttl ?? absenceTtl(facts, name);
    if (known === null) break;
    links.push({ name, ttl: known });
  }
  return links;
}

const ttlOf = (records: readonly DnsRecord[]): number | null =>
  records.length === 0 ? null : Math.min(longestTtl, Math.max(...records.map(({ ttl }) => ttl)));

function absenceTtl(facts: DnsFacts, name: string): number | null {
  const ttls = outcomesAt(facts, name, ['A', 'AAAA']).flatMap((outcome) =>
    outcome.kind === 'nxdomain' || outcome.kind === 'nodata' ? (outcome.ttl ?? []) : [],
  );
  return ttls.length === 0 ? null : Math.min(longestAbsence, Math.max(...ttls));
}

/**
 * How long caches may keep what was there before a change, seconds from the change; null where nothing has changed. A
 * cache asks again as soon as the first record that is another now has ended: records behind it on the former way no
 * longer matter, and those before it are still right. `isMended`: the hostname leads here now, so something changed.
 */
export function cachedFor(
  before: readonly ChainLink[],
  now: readonly ChainLink[],
  { isMended }: { readonly isMended: boolean },
): number | null {
  const changed = before.find(
    ({ ttl }, index) => now[index]?.ttl !== ttl || before[index + 1]?.name !== now[index + 1]?.name,
  );
  return (changed ?? (isMended ? before.at(-1) : undefined))?.ttl ?? null;
}
