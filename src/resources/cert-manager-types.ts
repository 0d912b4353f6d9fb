/** The few fields of cert-manager's kinds (cert-manager.io/v1) that are used here. */
import type { Account } from '../generated/account.ts';

type ObjectMeta = Account['metadata'];

/** cert-manager's conditions: like metav1.Condition, with optional fields. */
interface CertManagerCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** On a CertificateRequest: the Certificate that asks. Anybody may set it. */
export const certificateNameAnnotation = 'cert-manager.io/certificate-name';

interface CertManagerObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export interface Certificate extends CertManagerObject {
  readonly spec: {
    readonly secretName: string;
    readonly dnsNames?: readonly string[];
    readonly issuerRef?: { readonly group?: string; readonly kind?: string; readonly name: string };
  };
  readonly status?: {
    readonly conditions?: readonly CertManagerCondition[];
    /** RFC 3339 */
    readonly notBefore?: string;
    readonly notAfter?: string;
    readonly lastFailureTime?: string;
    readonly failedIssuanceAttempts?: number;
  };
}

export interface CertificateRequest extends CertManagerObject {
  readonly spec: {
    readonly issuerRef: { readonly group?: string; readonly kind?: string; readonly name: string };
    /** base64 of a PKCS#10 request in PEM */
    readonly request?: string;
    readonly isCA?: boolean;
  };
  readonly status?: { readonly conditions?: readonly CertManagerCondition[]; readonly failureTime?: string };
}

export interface ClusterIssuer extends CertManagerObject {
  readonly status?: {
    readonly acme?: { readonly uri?: string };
    readonly conditions?: readonly CertManagerCondition[];
  };
}
