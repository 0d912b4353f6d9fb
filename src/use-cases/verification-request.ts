import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Intent } from '../kubernetes/kubernetes-port.ts';
import { verifyAnnotation } from '../resources/object-metadata.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';

/** A check of DNS that is asked for by an annotation. */
export interface VerificationRequest {
  /** RFC 3339; what status.check.verifySeen says once the check is finished */
  readonly askedAt: string;
  /** to be applied */
  readonly intent: Intent;
}

/**
 * Asks for a check of a domain's DNS now, in milliseconds since the Unix epoch. Its uid goes along: a domain that was
 * removed meanwhile is not made anew by this.
 */
export function verificationRequest({ metadata }: ProjectDomain, now: number): VerificationRequest {
  const { name, namespace = '', uid } = metadata;
  const { apiVersion, kind } = ProjectDomainKind;
  const askedAt = new Date(now).toISOString();
  const annotated = { name, namespace, ...(uid ? { uid } : {}), annotations: { [verifyAnnotation]: askedAt } };
  return { askedAt, intent: { apiVersion, kind, metadata: annotated } };
}

/** Whether the check that was asked for is finished, or changed the state before it was. */
export const isVerificationOver = (
  { askedAt }: VerificationRequest,
  before: ProjectDomain,
  { status }: Pick<ProjectDomain, 'status'>,
): boolean => status?.check?.verifySeen === askedAt || status?.state !== before.status?.state;
