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

/** A project of an account. */
interface TargetSubject {
  readonly accountId: string;
  readonly name: string;
}

/** A project as it is found in the cluster, whoever's it is. */
interface SubdomainSubject {
  readonly namespace: string;
  readonly name: string;
  /** 0, and more where what came of the ones before is somebody else's */
  readonly attempt: number;
}

/** A hostname of one account, in one life of the claim: the epoch makes a former holder's values worthless after a transfer. */
interface ProofSubject {
  readonly accountId: string;
  readonly hostname: string;
  readonly epoch: number;
}

interface DelegationSubject extends ProofSubject {
  /** of the ProjectDomain's spec: one that is removed and added again has another one */
  readonly nonce: string;
}

interface TokenSubject extends ProofSubject {
  /** of the ProjectDomain: one that is removed and added again has another token */
  readonly uid: string;
}

/** How the names of Secrets with certificates of customers' own begin: no name of childName does. */
export const ownSecretPrefix = 'pd-own-';

/** A certificate of a customer's own; `facts` is all that is known of it, as one text. */
interface CertificateSubject {
  readonly accountId: string;
  readonly hostname: string;
  readonly facts: string;
}

/** Values by which customers prove hostnames, derived from the installation key, which is not exposed. */
export interface RecordValues {
  /**
   * The CNAME target of a project: `p-` and 26 characters (130 bits) of HMAC-SHA256 over account id and project, under the CNAME domain. Nobody
   * can guess it, and it never changes.
   */
  target(project: TargetSubject): string;
  /**
   * What a project's subdomain ends with where its own name is not to be had (project-address.ts): eight characters, 40 bits. Of the place and not of
   * the account, so that they can be told while the Account is not there.
   */
  subdomain(project: SubdomainSubject): string;
  /** The value of the ownership record. */
  ownership(proof: ProofSubject): string;
  /** The label in the challenge zone that a hostname delegates its challenge name to. */
  delegation(subject: DelegationSubject): string;
  /** What the redirector answers for a hostname: nonce and answer, 160 bits each; neither tells the other. */
  token(subject: TokenSubject): DomainToken;
  /** Name of the Secret with a certificate of the customer's own (rules/own-certificate.ts): 130 bits, as nobody but us may name a Secret that is served. */
  ownSecret(certificate: CertificateSubject): string;
}

export function recordValues(secret: Uint8Array, cnameDomain: string): RecordValues {
  /** The fields are joined by NUL, which none of them can contain, so no two inputs collide. */
  const drawn = (length: number, ...fields: readonly string[]): string =>
    base32(createHmac('sha256', secret).update(fields.join('\0')).digest(), length);
  return Object.freeze<RecordValues>({
    target: ({ accountId, name }) => `p-${drawn(26, 'target', accountId, name)}.${cnameDomain}`,
    subdomain: ({ namespace, name, attempt }) => drawn(8, 'subdomain', namespace, name, String(attempt)),
    ownership: ({ accountId, hostname, epoch }) =>
      `projectdomain-verify=${drawn(32, 'ownership', accountId, hostname, String(epoch))}`,
    delegation: ({ accountId, hostname, epoch, nonce }) =>
      drawn(32, 'delegation', accountId, hostname, String(epoch), nonce),
    token({ accountId, hostname, epoch, uid }) {
      const part = (name: string) => drawn(32, name, accountId, hostname, String(epoch), uid);
      return Object.freeze({ nonce: part('token-nonce'), answer: part('token-answer') });
    },
    ownSecret: ({ accountId, hostname, facts }) =>
      `${ownSecretPrefix}${drawn(26, 'own-certificate', accountId, hostname, facts)}`,
  });
}

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
