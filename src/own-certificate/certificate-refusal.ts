/** Why a certificate of the customer's own is not taken, with the meaning in one line; stable, for programs (docs/rest-api.md). */
export const certificateRefusals = {
  NotPem: 'The text is not what it should be: certificates in PEM, or one private key in PEM.',
  TooManyCertificates: 'The chain has more than five certificates.',
  KeyInChain: 'There is a private key among the certificates.',
  KeyEncrypted: 'The private key is protected by a passphrase.',
  CertificateUnreadable: 'One of the certificates cannot be read.',
  KeyUnreadable: 'The private key cannot be read.',
  KeyType: 'A key is of a type or size that is not taken.',
  KeyMismatch: 'The private key does not belong to the first certificate.',
  KeyBroken: 'The private key does not work.',
  SignatureAlgorithm: 'A certificate is signed in a way that browsers do not take, such as with SHA-1.',
  LeafIsCa: 'The first certificate is that of an authority.',
  Usage: 'The first certificate is not for servers.',
  MustStaple: 'The first certificate demands OCSP stapling.',
  Extension: 'A certificate has an extension that is not taken in its place.',
  SelfSigned: 'The first certificate is signed with its own key.',
  ChainOrder: 'A certificate is not signed by the one after it.',
  IssuerNotCa: 'A certificate after the first may not sign others.',
  NameConstraints: 'A certificate after the first may not sign for one of the hostnames.',
  ChainIncomplete: 'The chain ends before a root.',
  NotYetValid: 'A certificate is not valid yet.',
  Ended: 'A certificate has ended.',
  EndsTooSoon: 'A certificate ends within a day.',
  NoNames: 'The first certificate names no hostname.',
  OtherNames: 'The first certificate names something else than hostnames.',
  WildcardName: 'The first certificate names a wildcard.',
  InvalidName: 'The first certificate names what is no hostname.',
  PlatformName: 'The first certificate names a hostname of the platform.',
  TooManyNames: 'The first certificate names more than 32 hostnames.',
  CommonName: 'The common name of the first certificate is none of its hostnames, or there is more than one.',
  HostnameMissing: 'The first certificate does not name the hostname.',
} as const satisfies Readonly<Record<string, string>>;

export type CertificateRefusalReason = keyof typeof certificateRefusals;

export interface CertificateRefusal {
  readonly ok: false;
  readonly reason: CertificateRefusalReason;
  /** what is wrong and what to do, as a sentence without a full stop */
  readonly message: string;
}

export const refuse = (reason: CertificateRefusalReason, message: string): CertificateRefusal => ({
  ok: false,
  reason,
  message,
});

/** A check: null where it objects to nothing. */
export type Objection = CertificateRefusal | null;

/** The first objection; later checks are not made after one. */
export function firstObjection(...checks: readonly (() => Objection)[]): Objection {
  for (const check of checks) {
    const objection = check();
    if (objection) return objection;
  }
  return null;
}
