import { recordsAt } from '../observed-records.ts';
import type { DnsRecord } from '../dns-facts.ts';
import type { IssueSubject } from './dns-issue.ts';
import { issueAt } from './dns-issue.ts';
import type { DnsIssue } from './dns-verdict.ts';
import { ourAddresses } from './platform-addresses.ts';
import type { RoutingVerdict } from './proofs/routing-proof.ts';

/**
 * An HTTPS record at a hostname that leads here, with a name or addresses that do not (RFC 9460): browsers that follow it never arrive, while everything
 * else works. Hints that the hostname's own addresses repeat are right, whoever's they are.
 */
export function httpsHintIssues(subject: IssueSubject, { verdict }: RoutingVerdict): readonly DnsIssue[] {
  const { facts, wanted } = subject;
  const { hostname } = wanted;
  if (verdict !== 'yes') return [];
  const own = recordsAt(facts, hostname, ['A', 'AAAA']).map(({ value }) => value);
  const right = new Set([...own, ...ourAddresses(facts, wanted)]);
  const names = new Set(['', hostname, wanted.target]);
  const isStale = ({ value }: DnsRecord) => {
    const { target, hints } = parsed(value);
    return !names.has(target) || hints.some((address) => !right.has(address));
  };
  const found = recordsAt(facts, hostname, ['HTTPS']).filter((record) => record.type === 'HTTPS' && isStale(record));
  if (found.length === 0) return [];
  return [issueAt(subject, 'StaleHttpsHints', { severity: 'Warning', act: 'RemoveHttpsHints', found })];
}

/** `1 svc.example.net. ipv4hint=192.0.2.1,192.0.2.2`, as lookups print it. */
function parsed(value: string): { readonly target: string; readonly hints: readonly string[] } {
  const [, name = '.', ...parameters] = value.split(' ');
  return { target: name.replace(/\.$/, ''), hints: parameters.flatMap((one) => (one.split('=')[1] ?? '').split(',')) };
}
