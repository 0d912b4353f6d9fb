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
