/** The few fields of Kubernetes' own kinds that are used here, as the kube-apiserver returns them. */
import type { Condition, ObjectMeta } from '../generated/object-meta.ts';

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** A condition of somebody else's kind, of which not every field is always there. */
export type ForeignCondition = Pick<Condition, 'type' | 'status'> & Partial<Condition>;

export type Namespace = KubernetesObject;

export interface Secret extends KubernetesObject {
  /** base64 */
  readonly data?: Readonly<Record<string, string>>;
}

/** networking.k8s.io/v1 */
export interface Ingress extends KubernetesObject {
  readonly spec?: {
    readonly ingressClassName?: string;
    readonly tls?: readonly { readonly secretName?: string }[];
    readonly rules?: readonly {
      readonly host?: string;
      readonly http?: {
        readonly paths: readonly {
          readonly path?: string;
          readonly backend: { readonly service?: { readonly name: string } };
        }[];
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

/**
 * The ConfigMap with the redirector's addresses that slices in account namespaces may still contain: written by the
 * operator, read by redirector Pods that are stopping.
 */
export interface RedirectorRecord extends KubernetesObject {
  readonly data?: { readonly addresses?: string };
}
