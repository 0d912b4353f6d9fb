import type { X509Certificate } from 'node:crypto';
import { anyExtendedKeyUsage, id_kp_serverAuth, KeyUsageFlags } from '@peculiar/asn1-x509';
import type { CertificateFacts } from './certificate-facts.ts';
import { printable } from '../lib/printable.ts';
import type { Objection } from './certificate-refusal.ts';
import { firstObjection, refuse } from './certificate-refusal.ts';
import { keyTypeObjection } from './check-keys.ts';
import { numberObjection } from './check-names.ts';
import { extensionIds, ofAuthorities } from './der-extensions.ts';
import { isPermitted } from './alternative-names.ts';

/** What a chain is measured by. */
export interface ChainContext {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  /** whether a root that browsers know signed it */
  readonly isIssuedByPublicRoot: (certificate: X509Certificate) => boolean;
}

/** A chain with its first certificate, which is the hostname's; it is never empty. */
export interface Chain {
  readonly leaf: CertificateFacts;
  /** each signed the one before it */
  readonly issuers: readonly CertificateFacts[];
}

/**
 * Objects to a chain that browsers would not take, or not for long. Signatures are computed once every key of the chain was measured, each at
 * most once.
 */
export function chainObjection(chain: Chain, context: ChainContext): Objection {
  const { leaf, issuers } = chain;
  const all = [leaf, ...issuers];
  return firstObjection(
    () => leafObjection(leaf),
    ...issuers.map((issuer) => () => keyTypeObjection(issuer, 'issuer')),
    ...all.map((certificate) => () => extensionObjection(certificate, chain)),
    () => (isSelfSigned(leaf) ? selfSigned(leaf) : null),
    ...issuers.map((issuer, index) => () => issuerObjection(issuer, { signed: all[index] ?? leaf, index })),
    () => numberObjection(leaf),
    () => constraintObjection(chain),
    () => rootObjection(chain, context),
    ...all.map((certificate) => () => datesObjection(certificate, context.now)),
  );
}

const has = ({ keyUsage }: CertificateFacts, flag: KeyUsageFlags): boolean =>
  keyUsage === null || (keyUsage & flag) !== 0;

function leafObjection(leaf: CertificateFacts): Objection {
  const { title, purposes } = leaf;
  if (leaf.isCa)
    return refuse(
      'LeafIsCa',
      `${title}, the first certificate, is that of an authority; put the certificate of the hostname first and after each the one that signed it`,
    );
  const isForServers =
    purposes === null || purposes.some((one) => one === id_kp_serverAuth || one === anyExtendedKeyUsage);
  if (!isForServers || !has(leaf, KeyUsageFlags.digitalSignature))
    return refuse('Usage', `${title} may not be used by servers; ask its authority for one with server authentication`);
  // RFC 7633: browsers that look at it demand a stapled answer.
  if (leaf.extensions.includes(extensionIds.tlsFeature))
    return refuse(
      'MustStaple',
      `${title} demands OCSP stapling (must-staple), which is not done here; ask its authority for one without`,
    );
  return firstObjection(
    () => keyTypeObjection(leaf, 'leaf'),
    () => algorithmObjection(leaf),
  );
}

const selfSigned = ({ title }: CertificateFacts): Objection =>
  refuse(
    'SelfSigned',
    `${title} is signed with its own key, which browsers do not take; send one that an authority issued`,
  );

/** Objects to what must be understood and is not, and to what is an authority's in what is none. */
export function extensionObjection(certificate: CertificateFacts, { leaf }: Chain): Objection {
  const { title, unknownCritical, extensions } = certificate;
  const misplaced = certificate === leaf ? extensions.filter((id) => ofAuthorities.has(id)) : [];
  const [found] = [...unknownCritical, ...misplaced];
  if (found === undefined) return null;
  return refuse(
    'Extension',
    `${title} has the extension ${found}, ${unknownCritical.length > 0 ? 'which is critical and not known to browsers' : 'which is for authorities alone'}; ask for one without`,
  );
}

interface Signed {
  readonly signed: CertificateFacts;
  /** how many authorities stand between the issuer and the first certificate */
  readonly index: number;
}

function issuerObjection(issuer: CertificateFacts, { signed, index }: Signed): Objection {
  const { title, pathLength } = issuer;
  if (!isSignedBy(signed, issuer))
    return refuse(
      'ChainOrder',
      `${title} did not sign ${signed.title}, which stands before it; put the certificate of the hostname first and after each the one that signed it`,
    );
  const isAllowed =
    issuer.isCa && has(issuer, KeyUsageFlags.keyCertSign) && (pathLength === null || pathLength >= index);
  if (!isAllowed)
    return refuse(
      'IssuerNotCa',
      `${title} may not sign ${signed.title}, so browsers do not take the chain; ask for another one`,
    );
  return isSelfSigned(issuer) ? null : algorithmObjection(issuer);
}

/** Names that one of the authorities may not sign for. */
function constraintObjection({ leaf, issuers }: Chain): Objection {
  const names = leaf.names.map((name) => name.toLowerCase());
  for (const { title, nameConstraints } of issuers) {
    const found = nameConstraints && names.find((name) => !isPermitted(nameConstraints, name));
    if (found)
      return refuse(
        'NameConstraints',
        `${title} may not sign for ${printable(found, 100)}, so browsers do not take the chain; ask for another one`,
      );
  }
  return null;
}

const isSignedBy = ({ x509 }: CertificateFacts, issuer: CertificateFacts): boolean =>
  x509.issuer === issuer.x509.subject && x509.verify(issuer.publicKey);

const selfSignedOnes = new WeakMap<CertificateFacts, boolean>();

/** Computed once of each. */
function isSelfSigned(certificate: CertificateFacts): boolean {
  const known = selfSignedOnes.get(certificate) ?? isSignedBy(certificate, certificate);
  selfSignedOnes.set(certificate, known);
  return known;
}

/** What the chain lacks most of the time is an intermediate certificate, without which some visitors are warned. */
function rootObjection(chain: Chain, { isIssuedByPublicRoot }: ChainContext): Objection {
  const last = chain.issuers.at(-1) ?? chain.leaf;
  if (isSelfSigned(last) || isIssuedByPublicRoot(last.x509)) return null;
  return refuse(
    'ChainIncomplete',
    `the certificate that signed ${last.title} is missing; add it at the end of the chain, and for an authority of your own its root too`,
  );
}

/** Signatures with SHA-2: those of RSA (PKCS #1 v1.5) and ECDSA that public authorities use. */
const algorithms: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
]);

const weak: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.4', 'MD5'],
  ['1.2.840.113549.1.1.5', 'SHA-1'],
  ['1.2.840.10045.4.1', 'SHA-1'],
]);

function algorithmObjection({ title, signatureAlgorithm }: CertificateFacts): Objection {
  if (algorithms.has(signatureAlgorithm)) return null;
  const found = weak.get(signatureAlgorithm) ?? `algorithm ${signatureAlgorithm}`;
  return refuse(
    'SignatureAlgorithm',
    `${title} is signed with ${found}; ask for one that is signed with SHA-256 by RSA or ECDSA`,
  );
}

const day = 24 * 3_600_000;

function datesObjection({ title, x509 }: CertificateFacts, now: number): Objection {
  const [from, to] = [x509.validFromDate, x509.validToDate];
  if (from.getTime() > now)
    return refuse('NotYetValid', `${title} is valid only from ${from.toISOString()}; send it then`);
  if (to.getTime() <= now) return refuse('Ended', `${title} ended at ${to.toISOString()}; renew it first`);
  if (to.getTime() - now > day) return null;
  return refuse('EndsTooSoon', `${title} ends at ${to.toISOString()}, within a day; renew it first`);
}
