import type { X509Certificate } from 'node:crypto';
import { timestamp } from '../rules/conditions.ts';
import type { OwnCertificateFacts } from '../rules/own-certificate.ts';
import type { CertificateFacts, UnreadableCertificate } from './certificate-facts.ts';
import { printable } from '../lib/printable.ts';
import { certificateFacts } from './certificate-facts.ts';
import type { CertificateRefusal, Objection } from './certificate-refusal.ts';
import { refuse } from './certificate-refusal.ts';
import type { Chain, ChainContext } from './check-chain.ts';
import { chainObjection, extensionObjection } from './check-chain.ts';
import { checkedKey, readPrivateKey, keyTypeObjection } from './check-keys.ts';
import { certifiedNames } from './check-names.ts';
import { pemBlocks, pemText } from './pem-blocks.ts';

/** A certificate as its customer sends it. */
export interface SentCertificate {
  /** PEM, the certificate of the hostname first and after each the one that signed it */
  readonly certificate: string;
  /** PEM */
  readonly privateKey: string;
}

export interface CertificateContext extends ChainContext {
  /** the hostname that it is to be served for */
  readonly hostname: string;
}

/** A certificate that can be served. */
interface ReadCertificate {
  readonly ok: true;
  readonly facts: OwnCertificateFacts;
  /** PEM, with nothing of the sent text but the certificates and the key themselves; the key as PKCS#8 */
  readonly chainPem: string;
  readonly keyPem: string;
}

/**
 * Reads and checks what a customer sends: chain, key, names and dates, as browsers do, but for whether they know its root. What is wrong is
 * said of the first fault alone, and never with a part of the key. Pure; some ten milliseconds of the processor at most,
 * as what is computed has a bound: five certificates, nine signatures of theirs and two of the key, with numbers that were measured before.
 */
export function readOwnCertificate(
  { certificate, privateKey }: SentCertificate,
  context: CertificateContext,
): ReadCertificate | CertificateRefusal {
  const read = readChain(certificate);
  if (!read.ok) return read;
  const { chain } = read;
  const objection = chainObjection(chain, context);
  if (objection) return objection;
  const named = certifiedNames(chain.leaf, context.hostname);
  if (!named.ok) return named;
  const secret = readPrivateKey(privateKey);
  if (!secret.ok) return secret;
  const checked = checkedKey(chain.leaf, secret.key);
  if (!checked.ok) return checked;
  return {
    ok: true,
    facts: factsOf(chain, named.names),
    chainPem: [chain.leaf, ...chain.issuers]
      .map(({ x509 }) => pemText({ label: 'CERTIFICATE', der: x509.raw }))
      .join(''),
    keyPem: pemText({ label: 'PRIVATE KEY', der: checked.key.export({ type: 'pkcs8', format: 'der' }) }),
  };
}

const certificatesAtMost = 5;

function readChain(text: string): { readonly ok: true; readonly chain: Chain } | CertificateRefusal {
  const blocks = pemBlocks(text);
  if (/PRIVATE KEY/.test(text))
    return refuse('KeyInChain', 'there is a private key among the certificates; send it as privateKey alone');
  if (blocks.length === 0 || blocks.some(({ label }) => label !== 'CERTIFICATE'))
    return refuse('NotPem', 'certificate must be certificates in PEM and nothing else: -----BEGIN CERTIFICATE-----');
  if (blocks.length > certificatesAtMost)
    return refuse(
      'TooManyCertificates',
      `the chain has ${blocks.length} certificates; ${certificatesAtMost} are taken`,
    );
  const read: CertificateFacts[] = [];
  for (const { der } of blocks) {
    const facts = certificateFacts(der);
    if ('fault' in facts) return unreadable(read.length + 1, facts);
    read.push(facts);
  }
  const [leaf, ...issuers] = read as [CertificateFacts, ...CertificateFacts[]];
  return { ok: true, chain: { leaf, issuers } };
}

const unreadable = (place: number, { fault }: UnreadableCertificate): CertificateRefusal =>
  refuse(
    'CertificateUnreadable',
    `certificate ${place} of the chain cannot be read: ${fault}; export it again, or ask its authority for another one`,
  );

const issuerAtMost = 256;

function factsOf({ leaf, issuers }: Chain, names: readonly string[]): OwnCertificateFacts {
  const all = [leaf, ...issuers].map(({ x509 }) => x509);
  const ends = all.map(({ validToDate }) => validToDate.getTime());
  return {
    chain: all.map(fingerprint),
    names,
    issuer: printable((leaf.x509.issuer ?? '').split('\n').join(', '), issuerAtMost),
    notBefore: timestamp(leaf.x509.validFromDate.getTime()),
    notAfter: timestamp(Math.min(...ends)),
  };
}

const fingerprint = ({ fingerprint256 }: X509Certificate): string => fingerprint256.replaceAll(':', '').toLowerCase();

/** Objects to a certificate that is served for the hostname, as DER, by the rules for one that is sent: all that can be told without its key and its chain. */
export function servedObjection(der: Buffer, hostname: string): Objection {
  const facts = certificateFacts(der);
  if ('fault' in facts)
    return refuse('CertificateUnreadable', `the certificate cannot be read as everybody reads it: ${facts.fault}`);
  const named = certifiedNames(facts, hostname);
  if (!named.ok) return named;
  return keyTypeObjection(facts, 'leaf') ?? extensionObjection(facts, { leaf: facts, issuers: [] });
}
