import { isAlreadyThere, isForbidden } from '../../kubernetes/kubernetes-errors.ts';
import { SecretKind } from '../../resources/kinds.ts';
import { findCondition, isTrue } from '../../rules/conditions.ts';
import { childName } from '../../rules/dns-target.ts';
import type { ProjectDomainNeeds } from './project-domain-needs.ts';
import type { GatheredProjectDomain } from './project-domain-snapshot.ts';

/**
 * Whether the Secret of the wanted certificate exists, which may not be read: a creation that is only tried says so. null where that decides nothing, or the operator has no
 * rights in the namespace.
 */
export async function isOwnSecretThere(
  { cluster }: Pick<ProjectDomainNeeds, 'cluster'>,
  { own, domain }: Pick<GatheredProjectDomain, 'own' | 'domain'>,
): Promise<boolean | null> {
  const name = own?.wanted?.secretName;
  if (name === undefined) return null;
  const { apiVersion, kind } = SecretKind;
  const metadata = { name, namespace: domain.metadata.namespace ?? '' };
  try {
    await cluster.create(SecretKind, { apiVersion, kind, metadata }, { isDryRun: true });
    return false;
  } catch (error) {
    if (isAlreadyThere(error)) return true;
    if (isForbidden(error)) return null;
    throw error;
  }
}

/** By what the ingress's certificate is recognised (routing/https-probe.ts). */
interface Expected {
  readonly notAfter: string;
  readonly fingerprint?: string;
}

type Routed = Pick<GatheredProjectDomain, 'own' | 'route' | 'certificate'>;

/** What the ingress should answer with by the route as it is; null where nothing is known to be there. */
export const expectedCertificate = (gathered: Routed): Expected | null =>
  gathered.own?.routed ? expectedOwn(gathered.own) : expectedAutomatic(gathered);

function expectedOwn({ wanted, routed }: NonNullable<Routed['own']>): Expected | null {
  const [fingerprint] = wanted?.chain ?? [];
  return wanted?.secretName === routed && fingerprint !== undefined ? { notAfter: wanted.notAfter, fingerprint } : null;
}

function expectedAutomatic({ route, certificate }: Routed): Expected | null {
  const { conditions, notAfter = '' } = certificate?.status ?? {};
  return route?.backend !== undefined && isTrue(findCondition(conditions, 'Ready')) ? { notAfter } : null;
}

/** The route names another Secret than the ingress was last seen to answer with, where one of the customer's own is involved. */
export function isSwitching({ own, route, domain }: Pick<GatheredProjectDomain, 'own' | 'route' | 'domain'>): boolean {
  if (own === null || route?.secretName === undefined) return false;
  const { served } = domain.status?.certificate ?? {};
  return (served?.secretName ?? childName(domain.spec.hostname)) !== route.secretName;
}
