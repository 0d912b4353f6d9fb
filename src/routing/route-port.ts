import type { Intent, Kind, KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import type { Owner } from '../resources/object-metadata.ts';

/** Where requests to a hostname go: a Service of the hostname's own namespace. */
export interface RouteBackend {
  readonly name: string;
  readonly port: number;
}

/** What is wanted for a hostname, whatever kind of object brings it about. */
export interface DesiredRoute {
  readonly namespace: string;
  readonly hostname: string;
  /** the ProjectDomain or Project that the route belongs to */
  readonly owner: Owner;
  readonly backend: RouteBackend;
  /** the hostname has a certificate of its own; false where the default certificate of the edge covers it */
  readonly hasCertificate: boolean;
}

/** What stands in the cluster for a hostname. */
export interface ObservedRoute {
  /** the objects that it consists of */
  readonly objects: readonly KubernetesObject[];
  /** name of the Service that it leads to; undefined where it leads to none */
  readonly backend: string | undefined;
}

/**
 * One way to bring requests to a backend: Ingress, or another kind in a folder of its own. Every object of a route is named
 * by its hostname (childName), lies in the hostname's namespace and carries our labels and its owner.
 */
export interface RouteImplementation {
  /** the kinds that its routes consist of, by the name of their cache */
  readonly kinds: Readonly<Record<string, Kind>>;
  /** the objects of a route, in the order in which they are to be written */
  manifests(route: DesiredRoute): readonly Intent[];
  /** name of the Service that these objects of one route lead to; undefined where they lead to none */
  backendOf(objects: readonly KubernetesObject[]): string | undefined;
}
