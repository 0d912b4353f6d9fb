import { isAtRegistrar } from '../../rules/dnssec-sentences.ts';
import type { IssueAct } from '../../rules/issue-acts.ts';
import type { DnsFacts } from '../dns-facts.ts';
import type { DnssecFacts } from '../dnssec-facts.ts';
import { opinionOf, bogusAnswers } from '../dnssec-facts.ts';
import { issue } from './dns-issue.ts';
import type { DnsVerdict, DnsIssue } from './dns-verdict.ts';
import type { DnssecFault } from './dnssec-fault.ts';
import { dnssecFault, signedZones } from './dnssec-fault.ts';

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

/** How many keys, DS records or record sets an issue names. */
const shown = 4;

/** The issue for answers that resolvers call bogus: what is wrong in which zone, and whose act fixes it. */
export function bogusIssue(name: string, facts: DnssecFacts): DnsIssue {
  const fault = dnssecFault(facts);
  if (fault === null) return refusedIssue(name, facts);
  const { kind, zone, server } = fault;
  return issue('DnssecBogus', { name, zone, fault: kind, server, ...detailsOf(fault) }, { act: actFor(fault) });
}

/**
 * Whether a signature fits its records is told by resolvers alone, which may still have what was there before. Without a zone in sight that is
 * signed, nobody can sign it again.
 */
function refusedIssue(name: string, facts: DnssecFacts): DnsIssue {
  const bogus = facts.resolvers.flatMap(bogusAnswers);
  const codes = [...new Set(bogus.flatMap(({ errors = [] }) => errors))].slice(0, shown).join(' ');
  const zone = signedZones(facts).at(-1);
  const sets = zone?.servers[0]?.sets ?? [];
  const about = sets.length > 0 ? sets : bogus;
  const records = [...new Set(about.map((one) => `${one.name} ${one.type}`))].slice(0, shown).join(', ');
  const signers = keysText(sets.flatMap(({ signatures }) => signatures.slice(0, 1)));
  const found = { name, zone: zone?.zone ?? facts.zones.at(-1)?.zone ?? name, records, signers, codes };
  return issue('DnssecBogus', { ...found, fault: 'Refused' }, { act: zone ? 'SignAgain' : 'WaitForResolvers' });
}

/** A warning: nothing waits for it. */
function uncheckedIssue(name: string, { resolvers }: DnssecFacts): DnsIssue {
  const servers = resolvers.map((resolver) => ({ server: resolver.source, address: '', answer: opinion(resolver) }));
  return issue('DnssecUnchecked', { name }, { severity: 'Warning', act: 'WaitForResolvers', servers });
}

function opinion(resolver: DnssecFacts['resolvers'][number]): string {
  if (bogusAnswers(resolver).length > 0) return 'calls it broken';
  return resolver.answers.some(({ validation }) => validation === 'unanswered')
    ? 'did not say'
    : 'does not call it broken';
}

interface Key {
  readonly keyTag: number;
  readonly algorithm: number;
}

const keysText = (keys: readonly Key[]): string =>
  [...new Set(keys.map(({ keyTag, algorithm }) => `${keyTag}/${algorithm}`))].slice(0, shown).join(' ');

function detailsOf(fault: DnssecFault) {
  switch (fault.kind) {
    case 'DsWithoutKey':
      return { signers: keysText(fault.signers), keys: keysText(fault.keys) };
    case 'KeysNotSigned':
      return { signers: keysText(fault.signers), records: fault.set };
    case 'SignatureMissing':
      return { records: fault.set };
    case 'SignatureExpired':
    case 'SignatureNotYetValid':
      return { records: fault.set, signers: keysText([fault]), at: new Date(fault.at * 1_000).toISOString() };
    default:
      return { records: fault.set, signers: keysText([fault]) };
  }
}

function actFor(fault: DnssecFault): IssueAct {
  if (fault.kind !== 'DsWithoutKey' && fault.kind !== 'KeysNotSigned') return 'SignAgain';
  const isUnsigned = fault.kind === 'DsWithoutKey' && fault.keys.length === 0;
  if (isAtRegistrar(fault.zone)) return isUnsigned ? 'DeleteDs' : 'ReplaceDs';
  return isUnsigned ? 'DeleteDsAbove' : 'ReplaceDsAbove';
}
