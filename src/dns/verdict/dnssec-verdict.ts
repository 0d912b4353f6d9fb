import { isAtRegistrar } from '../../rules/dnssec-sentences.ts';
import type { IssueAct } from '../../rules/issue-acts.ts';
import type { DnsFacts } from '../dns-facts.ts';
import type { DelegationSigner, DnssecFacts, RecordSignature, SigningServer, ZoneKey } from '../dnssec-facts.ts';
import { opinionOf, bogusAnswers } from '../dnssec-facts.ts';
import { issue } from './dns-issue.ts';
import type { DnsVerdict, DnsIssue } from './dns-verdict.ts';

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
  const { kind, zone, server, set = '', signers = [], keys = [], at } = fault;
  const told = { signers: keysText(signers), keys: keysText(keys), at: at === undefined ? '' : dateOf(at) };
  return issue('DnssecBogus', { name, zone, fault: kind, server, records: set, ...told }, { act: actFor(fault) });
}

const dateOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

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

type Key = Pick<ZoneKey, 'keyTag' | 'algorithm'>;

const keysText = (keys: readonly Key[]): string =>
  [...new Set(keys.map(({ keyTag, algorithm }) => `${keyTag}/${algorithm}`))].slice(0, shown).join(' ');

function actFor({ kind, zone, keys }: DnssecFault): IssueAct {
  if (kind !== 'DsWithoutKey' && kind !== 'KeysNotSigned') return 'SignAgain';
  const isUnsigned = keys?.length === 0;
  if (isAtRegistrar(zone)) return isUnsigned ? 'DeleteDs' : 'ReplaceDs';
  return isUnsigned ? 'DeleteDsAbove' : 'ReplaceDsAbove';
}

/** What is wrong with a zone's DNSSEC, as its servers and its parent's show it. */
interface DnssecFault {
  readonly kind:
    | 'DsWithoutKey'
    | 'KeysNotSigned'
    | 'SignatureMissing'
    | 'SignatureExpired'
    | 'SignatureNotYetValid'
    | 'SignatureByUnknownKey';
  readonly zone: string;
  /** for people: `ns1.example.com (192.0.2.1)` */
  readonly server: string;
  /** the set that is not signed as it should be, such as `www.example.com A` */
  readonly set?: string;
  /** the DS records, or the key that signed the set */
  readonly signers?: readonly Key[];
  /** only without a key that a DS record names: those that the zone has; none for a zone that is not signed at all */
  readonly keys?: readonly Key[];
  /** when the signature ended or begins, seconds since the Unix epoch */
  readonly at?: number;
}

/** The zones that validating resolvers expect to be signed; what is below one without a DS record is not (RFC 4035 section 5.2). */
function signedZones({ zones }: Pick<DnssecFacts, 'zones'>): DnssecFacts['zones'] {
  const unsigned: string[] = [];
  return zones.filter(({ zone, delegationSigners }) => {
    if (unsigned.some((above) => zone.endsWith(`.${above}`))) return false;
    if (delegationSigners === null) return false;
    if (delegationSigners.some(({ isSupported }) => isSupported)) return true;
    unsigned.push(zone);
    return false;
  });
}

/** The topmost fault on the way to the names; null where none can be seen without verifying signatures. */
export function dnssecFault(facts: Pick<DnssecFacts, 'zones' | 'at'>): DnssecFault | null {
  for (const { zone, delegationSigners, servers } of signedZones(facts)) {
    const signers = (delegationSigners ?? []).filter(({ isSupported }) => isSupported);
    for (const server of servers) {
      const fault = faultAt({ zone, server: server.source }, server, signers, facts.at);
      if (fault) return fault;
    }
  }
  return null;
}

type Place = Pick<DnssecFault, 'zone' | 'server' | 'set'>;

function faultAt(
  place: Place,
  { keys, keySignatures, sets }: SigningServer,
  signers: readonly DelegationSigner[],
  at: number,
): DnssecFault | null {
  const delegated = keys.filter(({ isDelegated }) => isDelegated);
  if (delegated.length === 0) return { kind: 'DsWithoutKey', ...place, signers, keys };
  const ofKeys = { ...place, set: `${place.zone} DNSKEY` };
  // The keys have to be signed by one that the parent names (RFC 4035 section 5.2).
  const byDelegated = keySignatures.filter(isBy(delegated));
  if (keySignatures.length > 0 && byDelegated.length === 0) return { kind: 'KeysNotSigned', ...ofKeys, signers };
  const faults = [
    faultOfSet(ofKeys, byDelegated, keys, at),
    ...sets.map(({ name, type, signatures }) => faultOfSet({ ...place, set: `${name} ${type}` }, signatures, keys, at)),
  ];
  return faults.find((fault) => fault !== null) ?? null;
}

const isBy =
  (keys: readonly ZoneKey[]) =>
  ({ keyTag, algorithm }: RecordSignature): boolean =>
    keys.some((key) => key.keyTag === keyTag && key.algorithm === algorithm);

/** One signature that holds is enough (RFC 4035 section 5.3.3); of those that do not, the one that expires last speaks. */
function faultOfSet(
  place: Place,
  signatures: readonly RecordSignature[],
  keys: readonly ZoneKey[],
  at: number,
): DnssecFault | null {
  const [last] = signatures.toSorted((a, b) => b.expiration - a.expiration);
  if (!last) return { kind: 'SignatureMissing', ...place };
  const isInDate = ({ inception, expiration }: RecordSignature): boolean => inception <= at && at <= expiration;
  if (signatures.some((signature) => isInDate(signature) && isBy(keys)(signature))) return null;
  const { expiration, inception } = last;
  const fault = { ...place, signers: [last] };
  if (expiration < at) return { kind: 'SignatureExpired', ...fault, at: expiration };
  if (inception > at) return { kind: 'SignatureNotYetValid', ...fault, at: inception };
  return { kind: 'SignatureByUnknownKey', ...fault };
}
