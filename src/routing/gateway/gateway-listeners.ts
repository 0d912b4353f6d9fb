import { childName } from '../../rules/dns-target.ts';
import type { Gateway, GatewayListener, ReferenceGrant } from '../../resources/gateway-types.ts';
import { HttpRouteKind } from '../../resources/kinds.ts';
import { accountLabel, hostnameAnnotation } from '../../resources/object-metadata.ts';
import { gatewayGroup } from './gateway-reference.ts';

/** Where the listeners of hostnames are: each in a ListenerSet of its account's namespace, or all in the Gateway. */
export type ListenerPlace = 'ListenerSet' | 'Gateway';

/** The operator writes them onto the Gateway. */
export const areInGateway = (place: ListenerPlace): boolean => place !== 'ListenerSet';

/** As many listeners has a Gateway at most (Gateway API, maxItems of spec.listeners). */
const listenersAtMost = 64;

/** The listener for HTTP that all hostnames share; the administrator writes it. */
export const sharedListener = 'http';

/** Of every listener for HTTPS. */
export const securePort = 443;

/** Name of a hostname's listener for HTTPS: an RFC 1123 label, always the same for the same hostname. */
export const listenerName = childName;

/** Nobody else names a listener like this: 120 bits of a hash. */
const ours = /^pd-[a-z2-7]{24}$/;

export const isOurs = ({ name }: Pick<GatewayListener, 'name'>): boolean => ours.test(name);

/** A hostname that is to have a listener. */
export interface ListenerHostname {
  readonly hostname: string;
  /** of its account: where the certificate is, and the one namespace whose routes the listener takes */
  readonly namespace: string;
  readonly secretName: string;
}

/** The listener for HTTPS of a hostname. */
export const listenerOf = ({ hostname, namespace, secretName }: ListenerHostname) => ({
  name: listenerName(hostname),
  hostname,
  protocol: 'HTTPS',
  port: securePort,
  tls: { mode: 'Terminate', certificateRefs: [{ group: '', kind: 'Secret', namespace, name: secretName }] },
  allowedRoutes: {
    namespaces: {
      from: 'Selector',
      selector: {
        matchLabels: { 'kubernetes.io/metadata.name': namespace },
        // One that is no account's any more is not covered by the admission policies.
        matchExpressions: [{ key: accountLabel, operator: 'Exists' }],
      },
    },
    kinds: [{ group: gatewayGroup, kind: HttpRouteKind.kind }],
  },
});

/** How many of a Gateway's listeners can be those of hostnames. */
export const placesIn = (listeners: readonly GatewayListener[]): number =>
  Math.max(0, listenersAtMost - listeners.filter((one) => !isOurs(one)).length);

/** No listener can be added to it. */
export const isFull = ({ spec }: Gateway): boolean => (spec?.listeners ?? []).length >= listenersAtMost;

/** The hostname that a ReferenceGrant of ours is for, as it says itself. */
export const hostnameOfGrant = ({ metadata }: ReferenceGrant): string | undefined =>
  metadata.annotations?.[hostnameAnnotation];

/** The Secret with the hostname's certificate; further ones are those that it had before, or will have. */
export const secretOfGrant = ({ spec }: ReferenceGrant): string | undefined => spec?.to?.[0]?.name;
