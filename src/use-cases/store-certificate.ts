import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Intent } from '../kubernetes/kubernetes-port.ts';
import { objectKeyOf } from '../kubernetes/object-keys.ts';
import { ProjectDomainKind, SecretKind } from '../resources/kinds.ts';
import { verifyAnnotation, hostnameAnnotation, childLabels, ownerReference } from '../resources/object-metadata.ts';
import { findCondition } from '../rules/conditions.ts';
import type { OwnCertificate } from '../rules/own-certificate.ts';
import { isKnownSecret, ownSecretName, ownSecretsAtMost } from '../rules/own-certificate.ts';
import type { CertificateReason } from '../rules/reasons.ts';
import { refusalOf } from '../rules/write-refusal.ts';
import { until } from './cache-wait.ts';
import { editDomain } from './writes/write-turn.ts';
import { Problem, tryLater } from './problem.ts';
import type { Writing } from './writes/write-turn.ts';

/** How long a change waits until the operator knows of the certificate before it. */
const takenOverWithinMs = 5_000;

/** A certificate with its chain and its key, both in PEM. */
interface Stored {
  readonly certificate: OwnCertificate;
  readonly chainPem: string;
  readonly keyPem: string;
}

/**
 * Makes the Secret, then names it in the domain. The operator has to know of the one before it first, so that no Secret is made that nobody
 * would delete; what was made in vain is deleted again.
 */
export async function storeCertificate(
  writing: Writing,
  domain: ProjectDomain,
  stored: Stored,
): Promise<ProjectDomain> {
  const { certificate } = stored;
  await takenOver(writing, domain, certificate);
  let isMade = false;
  const name = async (before: ProjectDomain): Promise<ProjectDomain | null> => {
    const isNamed = before.spec.certificate?.secretName === certificate.secretName;
    if (!isNamed) {
      mustBeTakenOver(writing, before);
      mustStay(before, certificate);
    }
    isMade = (await makeSecret(writing, before, stored)) || isMade;
    if (!isNamed) return { ...before, spec: { ...before.spec, certificate } };
    return isMade ? askedAgain(before, writing.dependencies.now()) : null;
  };
  try {
    return await editDomain(writing, domain, name);
  } catch (error) {
    if (isMade) await removeUnnamed(writing, domain, certificate.secretName);
    throw error;
  }
}

/** Goes back to automatic certificates; the operator deletes the Secret once another certificate is served. */
export async function forgetCertificate(writing: Writing, domain: ProjectDomain): Promise<void> {
  await takenOver(writing, domain, null);
  await editDomain(writing, domain, (before) => {
    const { certificate, ...spec } = before.spec;
    if (!certificate) return null;
    mustBeTakenOver(writing, before);
    return { ...before, spec };
  });
}

/** Waits for a limited time until the operator knows of the certificate that is to be replaced. */
async function takenOver(writing: Writing, domain: ProjectDomain, next: OwnCertificate | null): Promise<void> {
  const { dependencies, signal } = writing;
  const isOver = (observed: ProjectDomain | undefined): boolean =>
    !observed || observed.spec.certificate?.secretName === next?.secretName || isTakenOver(writing, observed);
  await until(dependencies.caches.domains, objectKeyOf(domain), isOver, { ms: takenOverWithinMs, signal });
}

/** Whether the operator knows of the domain's certificate, has found none, or has nothing to know. */
function isTakenOver({ dependencies, caller }: Writing, domain: ProjectDomain): boolean {
  const { certificate, hostname } = domain.spec;
  if (!certificate || isKnownSecret(domain, certificate.secretName)) return true;
  const holder = { accountId: caller.account.spec.id ?? '', hostname };
  if (certificate.secretName !== ownSecretName(dependencies.settings.records, holder, certificate)) return true;
  const issued = findCondition(domain.status?.conditions, 'CertificateIssued');
  const isMissing = issued?.reason === ('OwnCertificateMissing' satisfies CertificateReason);
  return isMissing && issued?.observedGeneration === domain.metadata.generation;
}

function mustBeTakenOver(writing: Writing, domain: ProjectDomain): void {
  const known = domain.status?.certificate?.ownSecrets ?? [];
  if (!isTakenOver(writing, domain) || known.length >= ownSecretsAtMost) throw inTransition(domain);
}

/** One that was replaced is about to be deleted, unless it is still served: its Secret may be gone in a moment. */
function mustStay(domain: ProjectDomain, { secretName }: OwnCertificate): void {
  const isServed = domain.status?.certificate?.served?.secretName === secretName;
  if (isKnownSecret(domain, secretName) && !isServed) throw inTransition(domain);
}

const inTransition = ({ spec: { hostname } }: ProjectDomain): Problem =>
  tryLater(
    'conflict',
    `an earlier certificate of ${hostname} is still being taken over or deleted; try again in a minute`,
    60,
  );

/** True when it was made now. The name stands for the content, so one that exists is the same. */
async function makeSecret(
  { dependencies: { cluster } }: Writing,
  domain: ProjectDomain,
  stored: Stored,
): Promise<boolean> {
  try {
    await cluster.create(SecretKind, ownSecretManifest(domain, stored));
    return true;
  } catch (error) {
    const code = refusalOf(error)?.code;
    if (code === 'NameTaken') return false;
    if (code !== 'OperatorForbidden') throw error;
    throw new Problem(
      'account-not-ready',
      'the platform may not store a Secret in the account’s namespace; its administrators bind ClusterRole projectdomain-api-account-namespace there',
    );
  }
}

/** The Secret was missing and is there again: the operator, which cannot see that, looks once more. */
function askedAgain({ metadata, ...domain }: ProjectDomain, now: number): ProjectDomain {
  const annotations = { ...metadata.annotations, [verifyAnnotation]: new Date(now).toISOString() };
  return { ...domain, metadata: { ...metadata, annotations } };
}

/** Best effort: the Secret goes with its domain at the latest. */
async function removeUnnamed({ dependencies: { cluster } }: Writing, domain: ProjectDomain, secretName: string) {
  const key = objectKeyOf(domain);
  try {
    const live = await cluster.get(ProjectDomainKind, key);
    if (live?.spec.certificate?.secretName === secretName) return;
    await cluster.remove(SecretKind, { namespace: key.namespace, name: secretName });
  } catch {
    return;
  }
}

/** The Secret with a certificate of the customer's own, which nobody changes and which goes with its domain (admission/own-certificates.yaml). */
function ownSecretManifest(
  { metadata, spec, ...domain }: ProjectDomain,
  { certificate, chainPem, keyPem }: Stored,
): Intent {
  const { apiVersion, kind } = SecretKind;
  return {
    apiVersion,
    kind,
    type: 'kubernetes.io/tls',
    immutable: true,
    metadata: {
      name: certificate.secretName,
      namespace: metadata.namespace ?? '',
      labels: childLabels,
      annotations: { [hostnameAnnotation]: spec.hostname },
      ownerReferences: [ownerReference({ ...domain, metadata }, false)],
    },
    data: { 'tls.crt': base64(chainPem), 'tls.key': base64(keyPem) },
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
