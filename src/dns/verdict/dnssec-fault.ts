import type {
  DelegationSigner,
  DnssecFacts,
  RecordSignature,
  SignedSet,
  SigningServer,
  ZoneKey,
  ZoneSigning,
} from '../dnssec-facts.ts';

/** What is wrong with a zone's DNSSEC, as its servers and its parent's show it. Times are seconds since the Unix epoch. */
export type DnssecFault =
  | {
      readonly kind: 'DsWithoutKey';
      readonly zone: string;
      readonly server: string;
      readonly signers: readonly DelegationSigner[];
      /** keys that the zone has; none for a zone that is not signed at all */
      readonly keys: readonly ZoneKey[];
    }
  | (SetFault & { readonly kind: 'KeysNotSigned'; readonly signers: readonly DelegationSigner[] })
  | (SetFault & { readonly kind: 'SignatureMissing' })
  | (SetFault & {
      readonly kind: 'SignatureExpired';
      readonly keyTag: number;
      readonly algorithm: number;
      readonly at: number;
    })
  | (SetFault & {
      readonly kind: 'SignatureNotYetValid';
      readonly keyTag: number;
      readonly algorithm: number;
      readonly at: number;
    })
  | (SetFault & { readonly kind: 'SignatureByUnknownKey'; readonly keyTag: number; readonly algorithm: number })
  | (SetFault & { readonly kind: 'SignatureWrong'; readonly keyTag: number; readonly algorithm: number })
  | { readonly kind: 'DenialMissing'; readonly zone: string; readonly server: string; readonly question: string };

interface SetFault {
  readonly zone: string;
  /** for people: `ns1.example.com (192.0.2.1)` */
  readonly server: string;
  /** such as `www.example.com A` */
  readonly set: string;
}

/**
 * The topmost fault on the way to the names. `none`: everything was read, and every signature is right; `unread`: no
 * fault was found, but not everything could be read or verified.
 */
export function dnssecFault({ zones, isWhole, at }: DnssecFacts): DnssecFault | 'none' | 'unread' {
  let isRead = isWhole && zones.length > 0;
  const unsigned: string[] = [];
  for (const zone of zones) {
    if (unsigned.some((above) => zone.zone.endsWith(`.${above}`))) continue;
    const { delegationSigners } = zone;
    if (delegationSigners !== null && !delegationSigners.some(({ isSupported }) => isSupported)) {
      unsigned.push(zone.zone);
      continue;
    }
    const fault = faultOfZone(zone, at);
    if (fault) return fault;
    isRead &&= delegationSigners !== null && zone.servers.length > 0 && zone.servers.every(isVerifiedAt(at));
  }
  return isRead ? 'none' : 'unread';
}

function faultOfZone({ zone, delegationSigners, servers }: ZoneSigning, at: number): DnssecFault | null {
  const signers = (delegationSigners ?? []).filter(({ isSupported }) => isSupported);
  for (const server of servers) {
    const place = { zone, server: server.source };
    if (signers.length > 0 && !server.keys.some(({ isDelegated }) => isDelegated)) {
      return { kind: 'DsWithoutKey', ...place, signers, keys: server.keys };
    }
    for (const set of server.sets) {
      const fault =
        set.type === 'DNSKEY'
          ? faultOfKeys(set, { place, server, signers, at })
          : faultOfSet(set, { place, server, at });
      if (fault) return fault;
    }
    const unproven = server.denials.find(({ proof }) => proof === 'missing');
    if (unproven) return { kind: 'DenialMissing', ...place, question: unproven.question };
  }
  return null;
}

interface Place {
  readonly place: Pick<SetFault, 'zone' | 'server'>;
  readonly server: SigningServer;
  readonly at: number;
}

/** The keys have to be signed by one that the parent names (RFC 4035 section 5.2). */
function faultOfKeys(
  set: SignedSet,
  { signers, ...place }: Place & { readonly signers: readonly DelegationSigner[] },
): DnssecFault | null {
  const byDelegated = set.signatures.filter(({ byDelegatedKey }) => byDelegatedKey);
  if (signers.length > 0 && set.signatures.length > 0 && byDelegated.length === 0) {
    return { kind: 'KeysNotSigned', ...place.place, set: printed(set), signers };
  }
  return faultOfSet({ ...set, signatures: signers.length > 0 ? byDelegated : set.signatures }, place);
}

/** One signature that holds is enough (RFC 4035 section 5.3.3); of those that do not, the one that expires last speaks. */
function faultOfSet(set: SignedSet, { place, server, at }: Place): DnssecFault | null {
  const base = { ...place, set: printed(set) };
  if (set.signatures.length === 0) return { kind: 'SignatureMissing', ...base };
  if (set.signatures.some((signature) => verdictOn(signature, at) !== 'wrong')) return null;
  const [last] = set.signatures.toSorted((a, b) => b.expiration - a.expiration);
  if (!last) return null;
  const { keyTag, algorithm, expiration, inception } = last;
  const by = { keyTag, algorithm };
  if (expiration < at) return { kind: 'SignatureExpired', ...base, ...by, at: expiration };
  if (inception > at) return { kind: 'SignatureNotYetValid', ...base, ...by, at: inception };
  const isKnown = server.keys.some((key) => key.keyTag === keyTag && key.algorithm === algorithm);
  return { kind: isKnown ? 'SignatureWrong' : 'SignatureByUnknownKey', ...base, ...by };
}

function verdictOn({ expiration, inception, verifies }: RecordSignature, at: number): 'right' | 'wrong' | 'unread' {
  if (expiration < at || inception > at || verifies === false) return 'wrong';
  return verifies === null ? 'unread' : 'right';
}

/** Everything that the server was asked has an answer, and a signature that was verified. */
const isVerifiedAt =
  (at: number) =>
  ({ sets, denials, hasAnsweredAll }: SigningServer): boolean =>
    hasAnsweredAll &&
    denials.every(({ proof }) => proof === 'present') &&
    sets.every(({ signatures }) => signatures.some((signature) => verdictOn(signature, at) === 'right'));

const printed = ({ name, type }: SignedSet): string => `${name} ${type}`;
