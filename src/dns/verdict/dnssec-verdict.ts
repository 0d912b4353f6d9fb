import type { DnsFacts } from '../dns-facts.ts';
import { opinionOf } from '../resolvers-opinion.ts';
import type { DesiredDns, DnsVerdict } from './dns-verdict.ts';
import { dnssecFault } from './dnssec-fault.ts';
import { bogusIssue, uncheckedIssue } from './dnssec-issues.ts';

const unknown = { verdict: 'unknown', code: 'DnssecBogus' } as const;

/**
 * The verdict with what validating resolvers said. Bogus answers make all of it unknown, because an authority has to
 * refuse them; nothing else that DNSSEC shows changes a verdict, and nothing ever makes one a yes.
 */
export function withDnssec(verdict: DnsVerdict, facts: DnsFacts, { trustsMendedZone = false }: DesiredDns): DnsVerdict {
  const { dnssec, hostname } = facts;
  if (dnssec === undefined) return verdict;
  const opinion = opinionOf(dnssec.resolvers);
  if (opinion === 'valid') return { ...verdict, dnssec: 'Valid' };
  const isHeard = dnssec.resolvers.length > 0;
  const warned = isHeard ? [...verdict.issues, uncheckedIssue(hostname, dnssec)] : verdict.issues;
  if (opinion === 'uncertain') return { ...verdict, dnssec: 'Unchecked', issues: warned };
  const fault = dnssecFault(dnssec);
  const isFaultless = fault === 'none';
  if (isFaultless && trustsMendedZone) return { ...verdict, dnssec: 'Unchecked', isFaultless, issues: warned };
  return {
    ...verdict,
    routing: { ...unknown, by: null },
    ownership: unknown,
    caa: verdict.caa.code === 'NotAsked' ? verdict.caa : unknown,
    corroborated: false,
    dnssec: 'Bogus',
    isFaultless,
    issues: [bogusIssue(hostname, dnssec, fault)],
  };
}
