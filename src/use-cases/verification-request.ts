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

/**
 * Requests a check of a domain's DNS; `now` in milliseconds since the Unix epoch. The uid is included so that applying
 * it does not recreate a domain that was removed in the meantime.
 */
export function verificationRequest({ metadata }: ProjectDomain, now: number): VerificationRequest {
  const { name, namespace = '', uid } = metadata;
  const { apiVersion, kind } = ProjectDomainKind;
  const askedAt = new Date(now).toISOString();
  const annotated = { name, namespace, ...(uid ? { uid } : {}), annotations: { [verifyAnnotation]: askedAt } };
  return { askedAt, intent: { apiVersion, kind, metadata: annotated } };
}

/** Whether the requested check has finished, or the state has changed in the meantime. */
export const isVerificationOver = (
  { askedAt }: VerificationRequest,
  before: ProjectDomain,
  { status }: Pick<ProjectDomain, 'status'>,
): boolean => status?.check?.verifySeen === askedAt || status?.state !== before.status?.state;
