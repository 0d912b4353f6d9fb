import type { DelegationSigner, DnssecFacts, RecordSignature, SigningServer, ZoneKey } from '../dnssec-facts.ts';

/** What is wrong with a zone's DNSSEC, as its servers and its parent's show it. Times are seconds since the Unix epoch. */
export type DnssecFault =
  | (Place & {
      readonly kind: 'DsWithoutKey';
      readonly signers: readonly DelegationSigner[];
      /** keys that the zone has; none for a zone that is not signed at all */
      readonly keys: readonly ZoneKey[];
    })
  | (SetFault & { readonly kind: 'KeysNotSigned'; readonly signers: readonly DelegationSigner[] })
  | (SetFault & { readonly kind: 'SignatureMissing' })
  | (SetFault & By & { readonly kind: 'SignatureExpired' | 'SignatureNotYetValid'; readonly at: number })
  | (SetFault & By & { readonly kind: 'SignatureByUnknownKey' });

interface Place {
  readonly zone: string;
  /** for people: `ns1.example.com (192.0.2.1)` */
  readonly server: string;
}

interface SetFault extends Place {
  /** such as `www.example.com A` */
  readonly set: string;
}

interface By {
  readonly keyTag: number;
  readonly algorithm: number;
}

/** The zones that validating resolvers expect to be signed; what is below one without a DS record is not (RFC 4035 section 5.2). */
export function signedZones({ zones }: Pick<DnssecFacts, 'zones'>): DnssecFacts['zones'] {
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
  set: SetFault,
  signatures: readonly RecordSignature[],
  keys: readonly ZoneKey[],
  at: number,
): DnssecFault | null {
  const [last] = signatures.toSorted((a, b) => b.expiration - a.expiration);
  if (!last) return { kind: 'SignatureMissing', ...set };
  const isInDate = ({ inception, expiration }: RecordSignature): boolean => inception <= at && at <= expiration;
  if (signatures.some((signature) => isInDate(signature) && isBy(keys)(signature))) return null;
  const { keyTag, algorithm, inception, expiration } = last;
  const by = { keyTag, algorithm };
  if (expiration < at) return { kind: 'SignatureExpired', ...set, ...by, at: expiration };
  if (inception > at) return { kind: 'SignatureNotYetValid', ...set, ...by, at: inception };
  return { kind: 'SignatureByUnknownKey', ...set, ...by };
}
