import type { IssueAct } from '../../rules/issue-acts.ts';
import type { DnssecFaultKind } from '../../rules/dnssec-sentences.ts';
import { isAtRegistrar } from '../../rules/dnssec-sentences.ts';
import type { DnssecFacts } from '../dnssec-facts.ts';
import { bogusAnswers } from '../resolvers-opinion.ts';
import { issue } from './dns-issue.ts';
import type { DnsIssue } from './dns-verdict.ts';
import type { DnssecFault } from './dnssec-fault.ts';

/** How many keys, DS records or record sets an issue names. */
const shown = 4;

/** The issue for answers that resolvers call bogus: what is wrong in which zone, and whose act fixes it. */
export function bogusIssue(name: string, facts: DnssecFacts, fault: DnssecFault | 'none' | 'unread'): DnsIssue {
  if (typeof fault === 'string') return unprovenIssue(name, facts, fault);
  const { kind, zone, server } = fault;
  return issue('DnssecBogus', { name, zone, fault: kind, server, ...detailsOf(fault) }, { act: actFor(fault) });
}

/** No fault was found: resolvers may still have one in their caches, or it is in what cannot be read here. Without a DS record in sight none can be deleted. */
function unprovenIssue(name: string, facts: DnssecFacts, found: 'none' | 'unread'): DnsIssue {
  const zone = facts.zones.at(-1)?.zone ?? name;
  const questions = [
    ...new Set(facts.resolvers.flatMap(bogusAnswers).map((answer) => `${answer.name} ${answer.type}`)),
  ];
  const records = questions.slice(0, shown).join(', ');
  const fault: DnssecFaultKind = found === 'none' ? 'NoneFound' : 'Unread';
  const hasSigner = facts.zones.some(({ delegationSigners }) => (delegationSigners ?? []).length > 0);
  const act = found === 'none' || !hasSigner ? 'WaitForResolvers' : 'SignAgain';
  return issue('DnssecBogus', { name, zone, fault, records }, { act });
}

/** A warning: nothing waits for it. */
export function uncheckedIssue(name: string, { resolvers }: DnssecFacts): DnsIssue {
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
  keys
    .slice(0, shown)
    .map(({ keyTag, algorithm }) => `${keyTag}/${algorithm}`)
    .join(' ');

function detailsOf(fault: DnssecFault) {
  switch (fault.kind) {
    case 'DsWithoutKey':
      return { signers: keysText(fault.signers), keys: keysText(fault.keys) };
    case 'KeysNotSigned':
      return { signers: keysText(fault.signers), records: fault.set };
    case 'SignatureMissing':
      return { records: fault.set };
    case 'DenialMissing':
      return { records: fault.question };
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
