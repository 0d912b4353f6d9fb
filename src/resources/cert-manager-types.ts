/** The few fields of cert-manager's kinds (cert-manager.io/v1) that are used here. */
import type { ForeignCondition, KubernetesObject } from './kubernetes-types.ts';

/** On a CertificateRequest: the Certificate that asks. Anybody may set it. */
export const certificateNameAnnotation = 'cert-manager.io/certificate-name';

/** An issuer as a Certificate and its requests name it. */
export interface IssuerReference {
  readonly group?: string;
  readonly kind?: string;
  readonly name: string;
}

export interface Certificate extends KubernetesObject {
  readonly spec: {
    readonly secretName: string;
    readonly dnsNames?: readonly string[];
    readonly issuerRef?: IssuerReference;
  };
  readonly status?: {
    readonly conditions?: readonly ForeignCondition[];
    /** RFC 3339 */
    readonly notBefore?: string;
    readonly notAfter?: string;
    readonly lastFailureTime?: string;
    readonly failedIssuanceAttempts?: number;
  };
}

export interface CertificateRequest extends KubernetesObject {
  readonly spec: {
    readonly issuerRef: IssuerReference;
    /** base64 of a PKCS#10 request in PEM */
    readonly request?: string;
    readonly isCA?: boolean;
  };
  readonly status?: { readonly conditions?: readonly ForeignCondition[]; readonly failureTime?: string };
}

export interface ClusterIssuer extends KubernetesObject {
  readonly status?: {
    readonly acme?: { readonly uri?: string };
    readonly conditions?: readonly ForeignCondition[];
  };
}
