import type { ForeignCondition, KubernetesObject } from './kubernetes-types.ts';

/** The few fields of Gateway API's kinds that are read here, as the kube-apiserver returns them: gateway.networking.k8s.io/v1. */
export type GatewayCondition = ForeignCondition;

export interface ListenerSet extends KubernetesObject {
  readonly spec?: {
    readonly listeners?: readonly {
      readonly name: string;
      readonly tls?: { readonly certificateRefs?: readonly { readonly name: string }[] };
    }[];
  };
  readonly status?: {
    readonly conditions?: readonly GatewayCondition[];
    readonly listeners?: readonly { readonly name: string; readonly conditions?: readonly GatewayCondition[] }[];
  };
}

/** What a route is attached to: a Gateway of its own namespace, where nothing else is said. */
export interface ParentReference {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly sectionName?: string;
}

/** What one controller says of a route's attachment to one parent. */
export interface RouteParentStatus {
  readonly parentRef: ParentReference;
  readonly controllerName: string;
  readonly conditions?: readonly GatewayCondition[];
}

export interface HttpRoute extends KubernetesObject {
  readonly spec?: {
    readonly parentRefs?: readonly ParentReference[];
    readonly rules?: readonly {
      readonly matches?: readonly { readonly path?: { readonly value?: string } }[];
      readonly backendRefs?: readonly { readonly name: string }[];
    }[];
  };
  readonly status?: { readonly parents?: readonly RouteParentStatus[] };
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

/** What objects of other namespaces may refer to in its own. */
export interface ReferenceGrant extends KubernetesObject {
  readonly spec?: { readonly to?: readonly { readonly kind: string; readonly name?: string }[] };
}

export interface GatewayClass extends KubernetesObject {
  readonly spec?: { readonly controllerName?: string };
}

export interface Gateway extends KubernetesObject {
  readonly spec?: {
    readonly gatewayClassName?: string;
    readonly allowedListeners?: { readonly namespaces?: AllowedNamespaces };
    readonly listeners?: readonly GatewayListener[];
  };
}

export interface GatewayListener {
  readonly name: string;
  readonly hostname?: string;
  readonly port?: number;
  readonly allowedRoutes?: { readonly namespaces?: AllowedNamespaces };
}
