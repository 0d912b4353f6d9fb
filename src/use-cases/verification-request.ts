import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Intent } from '../kubernetes/kubernetes-port.ts';
import { verifyAnnotation } from '../resources/object-metadata.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';

/** A DNS check requested by annotation. */
export interface VerificationRequest {
  /** RFC 3339; appears in status.check.verifySeen once the check has finished */
  readonly askedAt: string;
  /** to be applied */
  readonly intent: Intent;
}

/** So far ahead a value may be that this clock wrote a moment ago, in the same process or in another one. */
const aMoment = 1_000;

/**
 * Requests a check of a domain's DNS; `now` in milliseconds since the Unix epoch. The uid is included so that applying
 * it does not recreate a domain that was removed in the meantime. The value is another one than that of the request before.
 */
export function verificationRequest({ metadata }: ProjectDomain, now: number): VerificationRequest {
  const { name, namespace = '', uid } = metadata;
  const { apiVersion, kind } = ProjectDomainKind;
  const before = Date.parse(metadata.annotations?.[verifyAnnotation] ?? '');
  const isTaken = before >= now && before < now + aMoment;
  const askedAt = new Date(isTaken ? before + 1 : now).toISOString();
  const annotated = { name, namespace, ...(uid ? { uid } : {}), annotations: { [verifyAnnotation]: askedAt } };
  return { askedAt, intent: { apiVersion, kind, metadata: annotated } };
}

type Seen = Pick<ProjectDomain, 'metadata' | 'status'>;

const versionOf = ({ metadata }: Seen): number => Number(metadata.resourceVersion);

/**
 * Whether a check that began after the request has finished. `written` is the domain as the request's write returned it. A later request of
 * somebody else, which took its place, is answered by such a check too; resource versions tell which was later, whatever clocks say.
 */
export function isVerificationOver({ askedAt }: VerificationRequest, written: Seen, observed: Seen): boolean {
  const seen = observed.status?.check?.verifySeen;
  if (seen === undefined) return false;
  if (seen === askedAt) return true;
  const latest = observed.metadata.annotations?.[verifyAnnotation];
  return versionOf(observed) > versionOf(written) && seen === latest && seen !== written.status?.check?.verifySeen;
}
