import type { AccountHead } from '../kept-fields.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { EndpointSliceKind, ServiceKind } from '../../resources/kinds.ts';
import type { EndpointSlice } from '../../resources/kubernetes-types.ts';
import { driftTimes, hours } from '../../rules/check-schedule.ts';
import { shareOf } from '../../rules/next-dns-check.ts';
import { canOwn } from '../../resources/object-metadata.ts';
import { redirectService, redirectSlices } from '../../routing/redirect-service.ts';
import type { WriteAction, Actions } from '../../controller-runtime/actions.ts';
import { noActions } from '../../controller-runtime/actions.ts';
import type { IssuerRef } from '../../issuing/issuer-ref.ts';
import { isOrderedHere } from '../../issuing/issuer-ref.ts';
import type { Cache, KubernetesObject } from '../../kubernetes/kubernetes-port.ts';

/** True while requests of the hostname lead to the redirector: all of a Redirect's, or those for a published token. */
export const usesRedirector = ({ spec, status }: ProjectDomain): boolean =>
  spec.role === 'Redirect' || status?.check?.token !== undefined;

/** Everything that is decided from for one namespace, frozen. */
export interface RedirectorEndpointsSnapshot {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  /** since when this process leads, the same */
  readonly leadingSince: number;
  readonly namespace: string;
  readonly account: AccountHead | undefined;
  /** some hostname of the namespace may lead to the redirector */
  readonly leadsToRedirector: boolean;
  /** EndpointSlices of the redirector's own Service */
  readonly redirector: readonly EndpointSlice[];
  /** EndpointSlices of the namespace's Service that stands for it */
  readonly existing: readonly EndpointSlice[];
}

/** The Service is not watched; it is read and looked after this often, each account's at a moment of its own. */
const readEvery = hours;

/**
 * What the Ingresses of a namespace point to where the redirector answers, made before the first of them. When the redirector's Pods move
 * it is only the slices; where those lead to them already it is the Service's turn too, but not before its moment in a process that
 * has just begun to lead: its predecessor read it within the hour. Pure.
 */
export function decideRedirectorEndpoints(snapshot: RedirectorEndpointsSnapshot): Actions {
  const { account, namespace, leadsToRedirector, redirector, existing, now, leadingSince } = snapshot;
  if (!account || !canOwn(account) || !leadsToRedirector) return noActions;
  const input = { namespace, owner: account };
  const service: WriteAction = { verb: 'apply', kind: ServiceKind, object: redirectService(input) };
  const wanted = redirectSlices(input, redirector, existing);
  const slices = wanted.map((object) => ({ verb: 'apply', kind: EndpointSliceKind, object }) as const);
  const { last, next } = driftTimes(shareOf(account.metadata.uid), now, readEvery);
  const isRead = last > leadingSince && wanted.every((slice) => isThere(slice, existing));
  const needsService = existing.length === 0 || isRead;
  return { ...noActions, writes: [...(needsService ? [service] : []), ...slices], requeueAt: next };
}

type Wanted = ReturnType<typeof redirectSlices>[number];

/** The slice leads to the right addresses already. */
function isThere(wanted: Wanted, existing: readonly EndpointSlice[]): boolean {
  const seen = existing.find(({ metadata }) => metadata.name === wanted.metadata.name);
  if (!seen || seen.addressType !== wanted.addressType) return false;
  const owned = seen.metadata.ownerReferences?.some(({ uid }) => uid === wanted.metadata.ownerReferences[0]?.uid);
  return owned === true && addressesOf(seen) === addressesOf(wanted);
}

const addressesOf = ({ endpoints = [] }: Pick<EndpointSlice, 'endpoints'>): string =>
  endpoints
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => addresses)
    .join(' ');

/** The namespaces whose routes lead to the redirector. */
export interface RedirectorNamespaces {
  readonly all: () => readonly string[];
  readonly has: (namespace: string) => boolean;
}

interface Counted {
  readonly domains: Pick<Cache<KubernetesObject>, 'indexValues' | 'countByIndex'>;
  readonly namespaces: Pick<Cache<KubernetesObject>, 'keys' | 'has'>;
}

/** Every account's, where the redirector answers the challenges of their hostnames; otherwise those with a redirect or a published token. */
export function redirectorNamespaces({ domains, namespaces }: Counted, issuer: IssuerRef): RedirectorNamespaces {
  if (isOrderedHere(issuer))
    return {
      all: () => [...namespaces.keys()].map(({ name }) => name),
      has: (name) => namespaces.has({ namespace: '', name }),
    };
  return {
    all: () => domains.indexValues('redirects'),
    has: (name) => domains.countByIndex('redirects', name) > 0,
  };
}
