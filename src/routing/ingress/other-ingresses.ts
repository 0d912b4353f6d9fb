import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import type { Ingress } from '../../resources/kubernetes-types.ts';
import { challengePath } from '../../rules/domain-token.ts';

const classAnnotation = 'kubernetes.io/ingress.class';
/** More hostnames than an Ingress of a person has; what is beyond is not looked at. */
const mostHosts = 64;
/** how many are told of one hostname */
const mostTold = 4;

/**
 * What is kept of an Ingress that is not ours: its class and its hostnames, each once. Undefined for one without hostnames, and for one that answers nothing but
 * challenges of an authority, as cert-manager's solvers do.
 */
export function keptOfOtherIngress({ apiVersion, kind, metadata, spec }: Ingress): Ingress | undefined {
  const serving = (spec?.rules ?? []).filter((rule) => rule.host !== undefined && !isSolver(rule));
  const hosts = [...new Set(serving.slice(0, mostHosts).map(({ host = '' }) => host))];
  if (hosts.length === 0) return undefined;
  const { name, namespace = '', uid = '', resourceVersion = '', annotations } = metadata;
  const ingressClassName = spec?.ingressClassName ?? annotations?.[classAnnotation];
  return {
    ...{ apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } },
    spec: { ...(ingressClassName === undefined ? {} : { ingressClassName }), rules: hosts.map((host) => ({ host })) },
  };
}

type Rule = NonNullable<NonNullable<Ingress['spec']>['rules']>[number];

const isSolver = ({ http }: Rule): boolean =>
  http !== undefined && http.paths.length > 0 && http.paths.every(({ path = '/' }) => path.startsWith(challengePath));

/** The hostnames that a kept one has. */
export const hostsOf = ({ spec }: Ingress): readonly string[] => (spec?.rules ?? []).map(({ host = '' }) => host);

/** Of the others with the hostname those that the edge of its own route reads too, as `namespace/name`, in order, a few. Pure. */
export function competingIngresses(own: readonly KubernetesObject[], others: readonly Ingress[]): readonly string[] {
  const classes = new Set(own.map((object) => (object as Ingress).spec?.ingressClassName));
  return others
    .filter(({ spec: { ingressClassName } = {} }) => ingressClassName === undefined || classes.has(ingressClassName))
    .map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`)
    .toSorted()
    .slice(0, mostTold);
}
