import { outcomesAt } from '../observed-records.ts';
import type { Verdict } from './dns-verdict.ts';
import type { IssueSubject } from './issue-subject.ts';
import { wrongRecords } from './record-changes.ts';

/** The longest that common resolvers keep anything: one week (RFC 8767 section 4, and the default of BIND). */
const mostSeconds = 604_800;

/**
 * How long caches may keep what is wrong at the hostname now, in seconds: the largest TTL of its wrong records, or of
 * the absence of any (RFC 2308). Null when nothing is wrong, or when no TTL was seen.
 */
export function wrongTtl(subject: IssueSubject, { verdict }: Verdict): number | null {
  if (verdict === 'yes') return null;
  const absent = outcomesAt(subject.facts, subject.wanted.hostname, ['A', 'AAAA']).flatMap((outcome) =>
    outcome.kind === 'nxdomain' || outcome.kind === 'nodata' ? (outcome.ttl ?? []) : [],
  );
  const wrong = wrongRecords(subject);
  // An AAAA record may be absent beside an A record that is right or wrong.
  const ttls = wrong.length > 0 ? wrong.map(({ ttl }) => ttl) : absent;
  return ttls.length === 0 ? null : Math.min(mostSeconds, Math.max(...ttls));
}
