import type { KubernetesObject } from './kubernetes-types.ts';

/** The few fields of Gateway API's kinds that are read here, as the kube-apiserver returns them: gateway.networking.k8s.io/v1. */
export interface ListenerSet extends KubernetesObject {
  readonly spec?: {
    readonly listeners?: readonly {
      readonly name: string;
      readonly tls?: { readonly certificateRefs?: readonly { readonly name: string }[] };
    }[];
  };
}

export interface HttpRoute extends KubernetesObject {
  readonly spec?: {
    readonly rules?: readonly {
      readonly matches?: readonly { readonly path?: { readonly value?: string } }[];
      readonly backendRefs?: readonly { readonly name: string }[];
    }[];
  };
}

/** Labels and expressions that namespaces must have (metav1.LabelSelector). */
export interface NamespaceSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** Which namespaces may attach something. */
export interface AllowedNamespaces {
  readonly from?: string;
  readonly selector?: NamespaceSelector;
}

export interface Gateway extends KubernetesObject {
  readonly spec?: {
    readonly allowedListeners?: { readonly namespaces?: AllowedNamespaces };
    readonly listeners?: readonly {
      readonly name: string;
      readonly allowedRoutes?: { readonly namespaces?: AllowedNamespaces };
    }[];
  };
}
