import type { ProjectDomain } from '../generated/project-domain.ts';
import { days, hours } from './check-schedule.ts';
import type { RecordValues } from './dns-target.ts';
import { ownSecretPrefix } from './dns-target.ts';

/** A certificate of the customer's own, as a ProjectDomain names it. */
export type OwnCertificate = NonNullable<ProjectDomain['spec']['certificate']>;

/** What is known of it without its key. */
export type OwnCertificateFacts = Omit<OwnCertificate, 'secretName'>;

/** One of its Secrets, as the status of its domain remembers it. */
export type OwnSecret = NonNullable<
  NonNullable<NonNullable<ProjectDomain['status']>['certificate']>['ownSecrets']
>[number];

/** Whose it is and for which hostname it is served. */
export interface CertificateHolder {
  readonly accountId: string;
  readonly hostname: string;
}

export const isOwnSecret = (name: string | undefined): name is string => name?.startsWith(ownSecretPrefix) ?? false;

/**
 * Name of the Secret of a certificate: drawn from the installation key, account, hostname and everything that is known of it. So
 * the same certificate has the same Secret, another one another, and whoever has not the key cannot name one.
 */
export const ownSecretName = (
  records: Pick<RecordValues, 'ownSecret'>,
  holder: CertificateHolder,
  { chain, names, issuer, notBefore, notAfter }: OwnCertificateFacts,
): string => records.ownSecret({ ...holder, facts: JSON.stringify([chain, names, issuer, notBefore, notAfter]) });

/**
 * Which rules certificates are taken by (src/own-certificate). To be raised with every rule that is added: each certificate that is served is then checked
 * again, as it is seen in a handshake.
 */
export const certificateRules = 2;

/** Why a certificate that was taken before is not to be served any more: a reason of the API's, or that it was never seen to be served. */
export type OwnRefusal = NonNullable<OwnSecret['refused']>;

/** For so long it is served on while nothing else is there, as where nobody may be issued one: what it names may be another's. */
const refusedButServed = hours;

/** These endanger nobody but the hostname's own visitors, so that one is served until there is another. */
const harmless: ReadonlySet<string> = new Set(['KeyType', 'Extension']);

/** Until when a route may name it, milliseconds since the Unix epoch; null without an end. */
export const servedUntil = ({ reason, at }: OwnRefusal): number | null =>
  harmless.has(reason) ? null : Date.parse(at) + refusedButServed;

/** How many certificates of a hostname may have a Secret at a time: the one that is served, and others that follow or go. */
export const ownSecretsAtMost = 4;

/** Whether the operator knows of this certificate's Secret, and so deletes it once it is no longer used. */
export const isKnownSecret = ({ status }: Pick<ProjectDomain, 'status'>, secretName: string): boolean =>
  (status?.certificate?.ownSecrets ?? []).some(({ name }) => name === secretName);

const toldShare = 1 / 5;
const toldAtMost = 30 * days;

/** From when its customer is told that it ends: with a fifth of its lifetime left, thirty days at most. Milliseconds since the Unix epoch. */
export function endingAt({ notBefore, notAfter }: Pick<OwnCertificate, 'notBefore' | 'notAfter'>): number {
  const [from, to] = [Date.parse(notBefore), Date.parse(notAfter)];
  return to - Math.min((to - from) * toldShare, toldAtMost);
}

export type OwnPhase = 'InUse' | 'Ending' | 'Ended';

/** `now` in milliseconds since the Unix epoch. */
export function ownPhase(certificate: Pick<OwnCertificate, 'notBefore' | 'notAfter'>, now: number): OwnPhase {
  if (now >= Date.parse(certificate.notAfter)) return 'Ended';
  return now >= endingAt(certificate) ? 'Ending' : 'InUse';
}
