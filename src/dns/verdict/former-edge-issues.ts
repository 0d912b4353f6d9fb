import { addressRecords } from '../observed-records.ts';
import { issue } from './dns-issue.ts';
import type { DnsIssue } from './dns-verdict.ts';
import type { IssueSubject } from './issue-subject.ts';
import { placeOf, recordRef } from './issue-subject.ts';
import type { RoutingVerdict } from './proofs/routing-proof.ts';
import { desiredRouting } from './record-changes.ts';

/** A hostname that leads here, but not to the edge that its project has: by records of its own, or by its target, which is the platform's. */
export function formerEdge(subject: IssueSubject, { verdict, by }: RoutingVerdict): readonly DnsIssue[] {
  const { facts, wanted } = subject;
  const { hostname, target, toldAddresses = [] } = wanted;
  if (verdict !== 'yes' || toldAddresses.length === 0) return [];
  const place = { ...placeOf(subject, hostname), target };
  const formerAt = (name: string) => addressRecords(facts, name).filter(({ value }) => !toldAddresses.includes(value));
  if (by === 'target' && formerAt(target).length > 0)
    return [
      issue('FormerEdge', place, { severity: 'Warning', act: 'MoveTarget', found: refsOf(subject, formerAt(target)) }),
    ];
  if (by !== 'addresses') return [];
  const wrong = refsOf(subject, formerAt(hostname));
  if (wrong.length === 0) return [];
  return [issue('FormerEdge', place, { severity: 'Warning', delete: wrong, create: [desiredRouting(subject)] })];
}

const refsOf = (subject: IssueSubject, records: ReturnType<typeof addressRecords>) =>
  records.map((record) => recordRef(subject, record));
