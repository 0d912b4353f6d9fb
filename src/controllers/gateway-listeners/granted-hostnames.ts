import type { KubernetesObject, ObjectKey } from '../../kubernetes/kubernetes-port.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { GatewayListener, ReferenceGrant } from '../../resources/gateway-types.ts';
import { classSuffix } from '../../routing/create-routes.ts';
import { grantsCache } from '../../routing/gateway/gateway-listener-routes.ts';
import { hostnameOfGrant, isOurs, placesIn, secretOfGrant } from '../../routing/gateway/gateway-listeners.ts';
import type { ListenerHostname } from '../../routing/gateway/gateway-listeners.ts';
import { claimKey } from '../../rules/claim-name.ts';
import { childName } from '../../rules/dns-target.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import { hasLostSecret } from '../tls-secrets.ts';
import type { Caches } from '../needs.ts';

/** A hostname that is to have a listener in a Gateway, and since when. */
export interface GrantedHostname extends ListenerHostname {
  /** RFC 3339; '' where it is not known */
  readonly since: string;
}

type GrantCaches = Pick<Caches, 'claims' | 'certificates'> & {
  readonly routes: Pick<Caches['routes'], 'keysIn' | 'objectIn' | 'headIn'>;
};

/**
 * The hostnames with a grant for the Gateway of a routing class, in no order: those with a listener, and, where one more has a place, of each account
 * as many of the others as may find one, those that came first. What an account has beyond is not read, however much it is.
 */
export function grantedHostnames(
  caches: GrantCaches,
  routingClass: string,
  listeners: readonly GatewayListener[],
): readonly GrantedHostname[] {
  const suffix = classSuffix(routingClass);
  const names = new Set(listeners.filter(isOurs).map(({ name }) => `${name}${suffix}`));
  const read = (keys: readonly ObjectKey[]) =>
    keys.flatMap((key) => {
      const grant = caches.routes.objectIn(grantsCache, key);
      return grant ? (grantedHostname(caches, grant, suffix) ?? []) : [];
    });
  const keys = [...caches.routes.keysIn(grantsCache)];
  const served = read(keys.filter(({ name }) => names.has(name)));
  const free = placesIn(listeners) - served.length;
  if (free <= 0) return served;
  const waiting = keys.filter(({ name }) => isOfClass(name, suffix) && !names.has(name));
  return [...served, ...read(firstOfEachAccount(caches, waiting, free))];
}

const isOfClass = (name: string, suffix: string): boolean =>
  name.endsWith(suffix) && isOurs({ name: name.slice(0, name.length - suffix.length) });

/** Of the grants in each namespace as many as `count`, the oldest; reads their heads alone. */
function firstOfEachAccount({ routes }: GrantCaches, keys: readonly ObjectKey[], count: number): readonly ObjectKey[] {
  const since = ({ namespace, name }: ObjectKey) =>
    `${routes.headIn(grantsCache, { namespace, name })?.metadata.creationTimestamp ?? ''} ${name}`;
  const byNamespace = Map.groupBy(keys, ({ namespace }) => namespace);
  return [...byNamespace.values()].flatMap((group) => {
    if (group.length <= count) return group;
    const aged = group.map((key) => ({ key, since: since(key) }));
    return aged
      .toSorted((one, other) => (one.since < other.since ? -1 : 1))
      .slice(0, count)
      .map(({ key }) => key);
  });
}

/**
 * A grant says which hostname it is for, and counts only where that hostname's claim, which only the operator writes, names the grant's
 * namespace and owner: so a hostname has one at most.
 */
function grantedHostname(
  { claims, certificates }: GrantCaches,
  grant: ReferenceGrant,
  suffix: string,
): GrantedHostname | undefined {
  const { name, namespace = '', creationTimestamp = '', deletionTimestamp } = grant.metadata;
  const [hostname, secretName] = [hostnameOfGrant(grant), secretOfGrant(grant)];
  if (hostname === undefined || secretName === undefined || deletionTimestamp !== undefined) return undefined;
  if (isWildcard(hostname) || name !== `${childName(hostname)}${suffix}`) return undefined;
  if (!isHeldBy(claims.get(claimKey(hostname)), grant)) return undefined;
  if (hasLostSecret(certificates.get({ namespace, name: secretName }))) return undefined;
  return Object.freeze({ hostname, namespace, secretName, since: creationTimestamp });
}

function isHeldBy(claim: HostnameClaim | undefined, grant: ReferenceGrant): boolean {
  if (!claim || claim.spec.phase === 'Tombstone') return false;
  const { holder } = claim.spec;
  return holder.namespace === grant.metadata.namespace && holder.name === ownerName(grant);
}

const ownerName = ({ metadata }: KubernetesObject): string | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller)?.name;
