import type { DnsFacts } from '../dns-facts.ts';
import { opinionOf } from '../resolvers-opinion.ts';
import type { DnsVerdict } from './dns-verdict.ts';
import { bogusIssue, uncheckedIssue } from './dnssec-issues.ts';

const unknown = { verdict: 'unknown', code: 'DnssecBogus' } as const;

/**
 * The verdict with what validating resolvers said. Bogus answers make all of it unknown, because an authority has to
 * refuse them; nothing else that DNSSEC shows changes a verdict, and nothing ever makes one a yes.
 */
export function withDnssec(verdict: DnsVerdict, facts: DnsFacts): DnsVerdict {
  const { dnssec, hostname } = facts;
  if (dnssec === undefined) return verdict;
  const opinion = opinionOf(dnssec.resolvers);
  if (opinion === 'valid') return { ...verdict, dnssec: 'Valid' };
  if (opinion === 'uncertain') {
    const warnings = dnssec.resolvers.length > 0 ? [uncheckedIssue(hostname, dnssec)] : [];
    return { ...verdict, dnssec: 'Unchecked', issues: [...verdict.issues, ...warnings] };
  }
  return {
    ...verdict,
    routing: { ...unknown, by: null },
    ownership: unknown,
    caa: verdict.caa.code === 'NotAsked' ? verdict.caa : unknown,
    corroborated: false,
    dnssec: 'Bogus',
    issues: [bogusIssue(hostname, dnssec)],
  };
}
