import type { Intent, Kind, KubernetesObject, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import { childName } from '../rules/dns-target.ts';
import { isWildcard } from '../rules/wildcard.ts';
import type { Owner } from '../resources/object-metadata.ts';
import type { RouteFindings, RouteLook } from './route-findings.ts';

/** Where requests to a hostname go: a Service of the hostname's own namespace. */
export interface RouteBackend {
  readonly name: string;
  readonly port: number;
}

/** The route wanted for a hostname, whatever kind of object implements it. */
export interface DesiredRoute {
  readonly namespace: string;
  readonly hostname: string;
  /** the ProjectDomain or Project that the route belongs to */
  readonly owner: Owner;
  /** null before it is served: then nothing but the paths below lead anywhere */
  readonly backend: RouteBackend | null;
  /** the hostname has a certificate of its own; false when the ingress controller's default certificate covers it */
  readonly hasCertificate: boolean;
  /** the Secret with that certificate; absent: the one that is named after the hostname */
  readonly secretName?: string | undefined;
  /** further Secrets with certificates of the hostname, which an edge may refer to until it follows a change; none when absent */
  readonly otherSecrets?: readonly string[];
  /** the Secret is not there, so it is not served over HTTPS for now */
  readonly isSecretLost?: boolean;
  /** requests below the token path lead to the redirector (redirectBackend) instead */
  readonly answersToken?: boolean;
  /** requests below the path of ACME's challenges lead to the redirector instead */
  readonly answersChallenges?: boolean;
  /** until it has a certificate of its own, it is served over HTTPS by the account's wildcard above it */
  readonly isServedByWildcard?: boolean;
  /** of a wildcard: hostnames that it includes and that are suspended, a few; none when absent */
  readonly suspendedBelow?: readonly string[];
  /** names of the routing classes that serve it; absent: every one that serves hostnames */
  readonly classes?: readonly string[];
}

/** The route of a hostname as it is in the cluster. */
export interface ObservedRoute {
  /** the objects that it consists of */
  readonly objects: readonly KubernetesObject[];
  /** name of the Service that it leads to; undefined when there is none, as before it is served */
  readonly backend: string | undefined;
  /** name of the Secret with its certificate; undefined when it has none */
  readonly secretName: string | undefined;
}

/** A kind that routes consist of. */
export interface RouteKind {
  readonly kind: Kind;
  /** what follows the hostname's own name (childName) in the names of a route's objects of this kind */
  readonly suffixes: readonly string[];
  /** the same of the objects that a wildcard has besides, for suspended hostnames that it includes; none when absent */
  readonly wildcardSuffixes?: readonly string[];
  /** What a cache keeps of an object: all but the parts of its status that are not read here. Pure. The whole object when absent. */
  readonly keep?: (object: KubernetesObject) => KubernetesObject;
  /** What a cache keeps of an object beside it, unpacked. Pure. None when absent. */
  readonly head?: (object: KubernetesObject) => KubernetesObject;
}

/**
 * One way to route requests to a backend: Ingress, or other kinds in a folder of their own. Every object of a route is
 * named after its hostname, is in the hostname's namespace and has our labels and an owner reference.
 */
export interface RouteImplementation {
  /** the kinds that its routes consist of, by the name of their cache */
  readonly kinds: Readonly<Record<string, RouteKind>>;
  /** wildcards are served, and a hostname's own route goes before that of the wildcard above it */
  readonly servesWildcards: boolean;
  /** the objects of a route, in the order in which to write them */
  manifests(route: DesiredRoute): readonly Intent[];
  /**
   * Of a wildcard's route, the objects that lead suspended hostnames to the redirector before the wildcard is asked, to be written before its
   * own; they stand beside a route that such a hostname may have itself, so that its removal changes nothing. None without such hostnames.
   */
  suspensions(route: DesiredRoute): readonly Intent[];
  /** name of the Service that these objects of one route lead to; undefined when there is none */
  backendOf(objects: readonly KubernetesObject[]): string | undefined;
  /** name of the Secret that they take the certificate from; undefined when there is none */
  secretOf(objects: readonly KubernetesObject[]): string | undefined;
  /** What the edge says of these objects of one route, so far as it concerns customers or administrators. Pure. */
  findingsOf(objects: readonly KubernetesObject[], look: RouteLook): RouteFindings;
}

/** What follows the hostname's own name in an object's name: of these suffixes, of which one may be empty, the longest that it ends with. */
export const suffixOf = (name: string, suffixes: readonly string[]): string =>
  suffixes
    .filter((suffix) => name.endsWith(suffix))
    .reduce((one, other) => (other.length > one.length ? other : one), '');

/** Every ending that objects of a kind may have. */
export const suffixesOf = ({ suffixes, wildcardSuffixes = [] }: RouteKind): readonly string[] => [
  ...suffixes,
  ...wildcardSuffixes,
];

/** True of a wildcard's route while a hostname that it includes is suspended. */
export const hasSuspended = (
  route: DesiredRoute,
): route is DesiredRoute & { readonly suspendedBelow: readonly string[] } =>
  route.suspendedBelow !== undefined && route.suspendedBelow.length > 0;

/** What follows the name of a route's own object in that of one for suspended hostnames. */
export const suspendedSuffix = '-suspended';

/** An object that a route may consist of, and the name of its kind's cache. */
export interface RoutePart {
  readonly cache: string;
  readonly kind: Kind;
  readonly key: ObjectKey;
}

/** The objects that a hostname's route in a namespace may consist of. */
export function partsOf(
  { kinds }: Pick<RouteImplementation, 'kinds'>,
  namespace: string,
  hostname: string,
): readonly RoutePart[] {
  const name = childName(hostname);
  return Object.entries(kinds).flatMap(([cache, { kind, ...endings }]) =>
    (isWildcard(hostname) ? suffixesOf({ kind, ...endings }) : endings.suffixes).map((suffix) => ({
      cache,
      kind,
      key: { namespace, name: `${name}${suffix}` },
    })),
  );
}

/** Of these the ones that a wildcard has for suspended hostnames that it includes; none of any other hostname. */
export const suspensionParts = (
  routes: Pick<RouteImplementation, 'kinds'>,
  namespace: string,
  hostname: string,
): readonly RoutePart[] => partsOf(routes, namespace, hostname).filter(({ key }) => key.name.endsWith(suspendedSuffix));
