import { createHmac, hash } from 'node:crypto';
import type { DomainToken } from './domain-token.ts';
import { baseOf, isWildcard } from './wildcard.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 base32 in lower case, without padding, cut to `length` characters. */
export function base32(bytes: Uint8Array, length: number): string {
  let text = '';
  let [pending, bits] = [0, 0];
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet.charAt((pending >> (bits - 5)) & 31);
  }
  return text.slice(0, length);
}

/** The fields are joined by NUL, which none of them can contain, so no two inputs collide. */
function keyed(secret: Uint8Array, fields: readonly string[]): Uint8Array {
  return createHmac('sha256', secret).update(fields.join('\0')).digest();
}

/**
 * The CNAME target of a project: `p-` and 26 characters (130 bits) of HMAC-SHA256 over account id and project, under
 * the CNAME domain. Nobody can guess it, and it never changes.
 */
export function projectTarget(
  secret: Uint8Array,
  project: { accountId: string; name: string },
  domain: string,
): string {
  return `p-${base32(keyed(secret, ['target', project.accountId, project.name]), 26)}.${domain}`;
}

/** The ownership record's value; the claim's epoch makes a former holder's record worthless after a transfer. */
export function ownershipValue(
  secret: Uint8Array,
  proof: { accountId: string; hostname: string; epoch: number },
): string {
  const token = base32(keyed(secret, ['ownership', proof.accountId, proof.hostname, String(proof.epoch)]), 32);
  return `projectdomain-verify=${token}`;
}

/** A project as it is found in the cluster, whoever's it is. */
interface SubdomainSubject {
  readonly namespace: string;
  readonly name: string;
  /** 0, and more where what came of the ones before is somebody else's */
  readonly attempt: number;
}

/** Eight characters, 40 bits. Of the place and not of the account, so that they can be told while the Account is not there. */
const subdomainSuffix = (secret: Uint8Array, { namespace, name, attempt }: SubdomainSubject): string =>
  base32(keyed(secret, ['subdomain', namespace, name, String(attempt)]), 8);

/** What a delegation belongs to: one object of one account, in one life of the claim. */
interface DelegationSubject {
  readonly accountId: string;
  readonly hostname: string;
  readonly epoch: number;
  /** of the ProjectDomain's spec: one that is removed and added again has another one */
  readonly nonce: string;
}

/** The label in the challenge zone that a hostname delegates its challenge name to. */
function delegationLabel(secret: Uint8Array, { accountId, hostname, epoch, nonce }: DelegationSubject): string {
  return base32(keyed(secret, ['delegation', accountId, hostname, String(epoch), nonce]), 32);
}

/** What a token belongs to: one object of one account, in one life of the claim. */
interface TokenSubject {
  readonly accountId: string;
  readonly hostname: string;
  readonly epoch: number;
  /** of the ProjectDomain: one that is removed and added again has another token */
  readonly uid: string;
}

/** Nonce and answer, 160 bits each; neither tells the other. */
function domainToken(secret: Uint8Array, { accountId, hostname, epoch, uid }: TokenSubject): DomainToken {
  const part = (name: string) => base32(keyed(secret, [name, accountId, hostname, String(epoch), uid]), 32);
  return Object.freeze({ nonce: part('token-nonce'), answer: part('token-answer') });
}

/** How the names of Secrets with certificates of customers' own begin: no name of childName does. */
export const ownSecretPrefix = 'pd-own-';

/** A certificate of a customer's own; `facts` is all that is known of it, as one text. */
interface CertificateSubject {
  readonly accountId: string;
  readonly hostname: string;
  readonly facts: string;
}

/** 130 bits, as nobody but us may name a Secret that is served. */
const ownSecret = (secret: Uint8Array, { accountId, hostname, facts }: CertificateSubject): string =>
  `${ownSecretPrefix}${base32(keyed(secret, ['own-certificate', accountId, hostname, facts]), 26)}`;

/** Values by which customers prove hostnames, derived from the installation key, which is not exposed. */
export interface RecordValues {
  /** the CNAME target of a project */
  target(project: { accountId: string; name: string }): string;
  /** what a project's subdomain ends with where its own name is not to be had (made-subdomain.ts) */
  subdomain(project: SubdomainSubject): string;
  /** the value of the ownership record */
  ownership(proof: { accountId: string; hostname: string; epoch: number }): string;
  /** the label in the challenge zone that a hostname delegates its challenge name to */
  delegation(subject: DelegationSubject): string;
  /** what the redirector answers for a hostname */
  token(subject: TokenSubject): DomainToken;
  /** name of the Secret with a certificate of the customer's own (rules/own-certificate.ts) */
  ownSecret(certificate: CertificateSubject): string;
}

export const recordValues = (secret: Uint8Array, cnameDomain: string): RecordValues =>
  Object.freeze<RecordValues>({
    target: (project) => projectTarget(secret, project, cnameDomain),
    subdomain: (project) => subdomainSuffix(secret, project),
    ownership: (proof) => ownershipValue(secret, proof),
    delegation: (subject) => delegationLabel(secret, subject),
    token: (subject) => domainToken(secret, subject),
    ownSecret: (certificate) => ownSecret(secret, certificate),
  });

/** Name of a hostname's Certificate, its Secret and its Ingress: always the same for the same hostname. */
export function childName(hostname: string): string {
  return `pd-${base32(hash('sha256', hostname, 'buffer'), 24)}`;
}

/**
 * True for the name of an object that is named after a hostname (childName), whatever follows for a routing class or a part. It is how our objects
 * are known among all others: a name cannot be changed, whereas labels and annotations are anybody's who may write the object.
 */
export const isChildName = (name: string): boolean => /^pd-[a-z2-7]{24}(?![a-z0-9])/.test(name);

/** A hostname that visitors can ask for: of a wildcard one that it includes, by a label of our own that nobody uses. */
export const visitedHostname = (hostname: string): string =>
  isWildcard(hostname) ? `${childName(hostname)}.${baseOf(hostname)}` : hostname;
