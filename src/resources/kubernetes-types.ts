/** The few fields of Kubernetes' own kinds that are read here, as the API server writes them. */
import type { Account } from '../generated/account.ts';

type ObjectMeta = Account['metadata'];

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export type Namespace = KubernetesObject;

/** networking.k8s.io/v1 */
export interface Ingress extends KubernetesObject {
  readonly spec?: {
    readonly ingressClassName?: string;
    readonly rules?: readonly {
      readonly host?: string;
      readonly http?: {
        readonly paths: readonly { readonly backend: { readonly service?: { readonly name: string } } }[];
      };
    }[];
  };
}

/** discovery.k8s.io/v1; `ready` unset counts as ready. */
export interface EndpointSlice extends KubernetesObject {
  readonly addressType?: 'IPv4' | 'IPv6' | 'FQDN';
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
}

/** Which addresses of the redirector the slices of account namespaces may hold: written by the operator, read by Pods that stop. */
export interface RedirectorRecord extends KubernetesObject {
  readonly data?: { readonly addresses?: string };
}
