import { registrableDomain } from '../../rules/hostname.ts';
import { verdictCodes } from '../../rules/verdict-codes.ts';
import type { DnssecFacts } from '../dnssec-facts.ts';
import { bogusAnswers } from '../resolvers-opinion.ts';
import type { DnsIssue } from './dns-verdict.ts';
import type { DnssecFault } from './dnssec-fault.ts';

/** How many keys or DS records an issue names. */
const shown = 4;

/** The issue for answers that resolvers call bogus: what is wrong in which zone, and whose act mends it. */
export function bogusIssue(hostname: string, facts: DnssecFacts, fault: DnssecFault | 'none' | 'unread'): DnsIssue {
  if (typeof fault === 'string') return unprovenIssue(hostname, facts, fault);
  const sentence = sentenceFor('DnssecBogus', hostname, fault.zone);
  return issue('DnssecBogus', `${sentence}: ${findings(fault)}`, fixes(fault));
}

/** No fault was found: resolvers may still have one in their caches, or it is in what cannot be read here. */
function unprovenIssue(hostname: string, facts: DnssecFacts, found: 'none' | 'unread'): DnsIssue {
  const zone = facts.zones.at(-1)?.zone ?? hostname;
  const questions = [...new Set(facts.resolvers.flatMap(bogusAnswers).map(({ name, type }) => `${name} ${type}`))];
  const sentence = sentenceFor('DnssecBogus', hostname, zone);
  const message = `${sentence}: validating resolvers refuse the answers to ${questions.slice(0, shown).join(', ')}, though no fault was found in the signatures at the name servers`;
  const fix =
    found === 'none'
      ? 'nothing to do: resolvers may still have earlier answers in their caches; it is checked again automatically'
      : `ask the company that manages the DNS of ${zone} to sign the zone again`;
  return issue('DnssecBogus', message, fix);
}

/** A warning: nothing waits for it. */
export function uncheckedIssue(hostname: string, { resolvers }: DnssecFacts): DnsIssue {
  const told = resolvers.map(
    (resolver) => `${resolver.source} ${bogusAnswers(resolver).length > 0 ? 'calls it broken' : opinion(resolver)}`,
  );
  const message = `${sentenceFor('DnssecUnchecked', hostname, hostname)} (${told.join('; ')})`;
  return issue('DnssecUnchecked', message, 'nothing to do: this only warns, and it is checked again before each order');
}

const opinion = ({ answers }: DnssecFacts['resolvers'][number]): string =>
  answers.some(({ validation }) => validation === 'unanswered') ? 'did not say' : 'does not call it broken';

const sentenceFor = (code: 'DnssecBogus' | 'DnssecUnchecked', name: string, zone: string): string =>
  verdictCodes[code].sentence({ name, zone, cnameDomain: '', authority: '' });

/** The place where a severity would be set: DnssecUnchecked is a warning. */
const issue = (code: DnsIssue['code'], message: string, fix: string): DnsIssue => ({ code, message, record: '', fix });

function findings(fault: DnssecFault): string {
  switch (fault.kind) {
    case 'DsWithoutKey':
      return `the DS record ${whereDs(fault.zone)} names ${signersOf(fault.signers)}, but ${keysOf(fault)}`;
    case 'KeysNotSigned':
      return `the DS record ${whereDs(fault.zone)} names ${signersOf(fault.signers)}, which did not sign the keys that ${fault.server} gives`;
    case 'SignatureMissing':
      return `${fault.server} gives no signature for ${fault.set}, though the DS record ${whereDs(fault.zone)} says that ${fault.zone} is signed`;
    case 'SignatureExpired':
      return `the signature for ${fault.set} by ${signerOf(fault)} at ${fault.server} expired on ${dateOf(fault.at)}`;
    case 'SignatureNotYetValid':
      return `the signature for ${fault.set} by ${signerOf(fault)} at ${fault.server} is valid from ${dateOf(fault.at)} only`;
    case 'SignatureByUnknownKey':
      return `the signature for ${fault.set} at ${fault.server} is by ${signerOf(fault)}, which is not among the keys of ${fault.zone}`;
    case 'SignatureWrong':
      return `the signature for ${fault.set} by ${signerOf(fault)} at ${fault.server} does not fit the records`;
    case 'DenialMissing':
      return `${fault.server} does not prove that there is no record ${fault.question} (NSEC or NSEC3), though the DS record ${whereDs(fault.zone)} says that ${fault.zone} is signed`;
  }
}

function fixes(fault: DnssecFault): string {
  const { zone } = fault;
  const atParent = isRegistered(zone) ? 'at your registrar' : 'in the zone above it';
  const host = `the company that manages the DNS of ${zone}`;
  switch (fault.kind) {
    case 'DsWithoutKey':
      return fault.keys.length === 0
        ? `${atParent}, delete the DS record of ${zone} (often under DNSSEC), or turn on DNSSEC at ${host} and enter its DS record`
        : `${atParent}, replace the DS record of ${zone} (often under DNSSEC) by the one that ${host} shows, or delete it`;
    case 'KeysNotSigned':
      return `${atParent}, replace the DS record of ${zone} (often under DNSSEC) by the one that ${host} shows`;
    case 'SignatureMissing':
    case 'DenialMissing':
      return `ask ${host} to sign the zone again, or delete the DS record of ${zone} ${whereDs(zone)}`;
    default:
      return `ask ${host} to sign the zone again; until then deleting the DS record of ${zone} ${whereDs(zone)} helps too`;
  }
}

const isRegistered = (zone: string): boolean => registrableDomain(zone) === zone;

/** Where a zone's DS record is entered: a registrar's form, or the zone that delegates it. */
const whereDs = (zone: string): string => (isRegistered(zone) ? 'at the registrar' : 'in the zone above');

const signersOf = (signers: readonly { readonly keyTag: number; readonly algorithm: number }[]): string =>
  signers.slice(0, shown).map(signerOf).join(' and ');

const signerOf = ({ keyTag, algorithm }: { readonly keyTag: number; readonly algorithm: number }): string =>
  `key ${keyTag} (algorithm ${algorithm})`;

const keysOf = ({ server, zone, keys }: DnssecFault & { readonly kind: 'DsWithoutKey' }): string =>
  keys.length === 0
    ? `${server} gives no keys for ${zone}: it is not signed there`
    : `no key of ${zone} at ${server} is that one: it has ${signersOf(keys)}`;

const dateOf = (seconds: number): string =>
  `${new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
