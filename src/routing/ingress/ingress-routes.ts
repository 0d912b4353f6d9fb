import { childMetadata } from '../../resources/object-metadata.ts';
import { childName } from '../../rules/dns-target.ts';
import { challengePath } from '../../rules/challenge-path.ts';
import { tokenPath } from '../../rules/domain-token.ts';
import { redirectBackend } from '../redirect-service.ts';
import type { DesiredRoute, RouteBackend, RouteImplementation } from '../route-port.ts';
import type { Ingress } from '../../resources/kubernetes-types.ts';
import { IngressKind } from '../../resources/kinds.ts';

/** networking.k8s.io/v1, one hostname, no controller-specific annotation. */
function ingressManifest(route: DesiredRoute, className: string) {
  const { hostname, backend, hasCertificate, answersToken = false, answersChallenges = false } = route;
  const name = childName(hostname);
  const { secretName = name } = route;
  const paths = [
    ...(backend ? [pathTo(everything, backend)] : []),
    ...(answersToken ? [pathTo(tokenPath, redirectBackend)] : []),
    ...(answersChallenges ? [pathTo(challengePath, redirectBackend)] : []),
  ];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: childMetadata(name, route),
    spec: {
      ingressClassName: className,
      ...(hasCertificate ? { tls: [{ hosts: [hostname], secretName }] } : {}),
      rules: [{ host: hostname, http: { paths } }],
    },
  };
}

const everything = '/';

const pathTo = (path: string, { name, port }: RouteBackend) => ({
  path,
  pathType: 'Prefix',
  backend: { service: { name, port: { number: port } } },
});

/** Routes as Ingresses of one class, one for each hostname. */
export function createIngressRoutes({ className }: { readonly className: string }): RouteImplementation {
  return Object.freeze({
    kinds: { ingresses: IngressKind },
    manifests: (route) => [ingressManifest(route, className)],
    backendOf: ([ingress]) => backendOf(ingress as Ingress | undefined),
    secretOf: ([ingress]) => (ingress as Ingress | undefined)?.spec?.tls?.[0]?.secretName,
  } satisfies RouteImplementation);
}

const backendOf = (ingress: Ingress | undefined): string | undefined =>
  ingress?.spec?.rules?.[0]?.http?.paths.find(({ path }) => path === everything)?.backend.service?.name;
