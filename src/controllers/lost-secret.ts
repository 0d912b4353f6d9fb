import type { Certificate } from '../resources/cert-manager-types.ts';
import { findCondition } from '../rules/conditions.ts';

/**
 * Whether a certificate's Secret is not there, as after somebody deleted it; DoesNotExist is cert-manager's reason. An edge may then serve nothing
 * over HTTPS, so that nothing that has to be answered may be led there, the challenge for the next certificate above all.
 */
export const hasLostSecret = (certificate: Certificate | undefined): boolean =>
  findCondition(certificate?.status?.conditions, 'Ready')?.reason === 'DoesNotExist';
