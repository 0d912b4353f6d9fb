import type { ListenerPlace } from '../gateway/gateway-listeners.ts';

export type IngressControllerName = 'Traefik' | 'Contour' | 'HAProxy' | 'Other';
export type GatewayControllerName = 'Traefik' | 'Contour' | 'EnvoyGateway' | 'Other';

export type Annotations = Readonly<Record<string, string>>;

/** In what ingress controllers differ: what each has to be told by its Ingresses. A plain Ingress says nothing of it. */
export interface IngressController {
  /** of the Ingress of every hostname */
  readonly annotations: Annotations;
  /** of a wildcard's Ingress, so that a hostname's own goes before it; null where no wildcards are served */
  readonly wildcardAnnotations: Annotations | null;
  /** how visitors are led from http to https; null where its own configuration says so, or nothing does */
  readonly httpsRedirect: HttpsRedirect | null;
}

/** How an ingress controller leads visitors from http to https. */
interface HttpsRedirect {
  /** of the Ingress of a hostname that is served over HTTPS */
  readonly annotations: Annotations;
  /** it has a default certificate, so that hostnames without one of their own are led there too */
  readonly hasDefaultCertificate: boolean;
  /** of the one Ingress of the chart that leads everything over http to the redirector; null where there is none */
  readonly overHttp: Annotations | null;
}

/** In what implementations of Gateway API differ. */
interface GatewayController {
  /** where it can have the listeners of hostnames; the first where nothing is said */
  readonly listeners: readonly [ListenerPlace, ...ListenerPlace[]];
  /** Wildcards are served: it compares the header Host with a regular expression, and exact hostnames go first. With ListenerSets alone. */
  readonly servesWildcards: boolean;
  /** listeners of different ports may have one hostname, as Gateway API has it; else one for HTTPS takes it from the one for HTTP */
  readonly sharesHostnames: boolean;
}

/** An ingress controller of which nothing is known: it is told nothing. */
const otherIngress: IngressController = Object.freeze({
  annotations: {},
  wildcardAnnotations: null,
  httpsRedirect: null,
});

/** An implementation of Gateway API of which nothing is known but what the administrator says: whether it has ListenerSets. */
const otherGateway = Object.freeze<GatewayController>({
  listeners: ['ListenerSet', 'Gateway'],
  servesWildcards: false,
  sharesHostnames: true,
});

/** Ingress controllers, by the name that a routing class has for its own. */
export const ingressControllers = Object.freeze<Readonly<Record<IngressControllerName, IngressController>>>({
  /**
   * Traefik asks the longest rule first, which would be the wildcard's: 1 is less than the length of any. Visitors over http are led to HTTPS by the
   * redirector, to which one Ingress for all hostnames leads on the entry point web (docs/adr/0095-http-leads-to-https-behind-traefik.md).
   */
  Traefik: {
    ...otherIngress,
    wildcardAnnotations: { 'traefik.ingress.kubernetes.io/router.priority': '1' },
    httpsRedirect: {
      annotations: { 'traefik.ingress.kubernetes.io/router.entrypoints': 'websecure' },
      hasDefaultCertificate: true,
      overHttp: {
        'traefik.ingress.kubernetes.io/router.entrypoints': 'web',
        'traefik.ingress.kubernetes.io/router.priority': '1',
      },
    },
  },
  /** Contour refuses to upgrade connections at paths that are not named (docs/adr/0071-an-annotation-for-websockets.md). */
  Contour: {
    ...otherIngress,
    annotations: { 'projectcontour.io/websocket-routes': '/' },
    httpsRedirect: {
      annotations: { 'ingress.kubernetes.io/force-ssl-redirect': 'true' },
      hasDefaultCertificate: false,
      overHttp: null,
    },
  },
  /** HAProxy's own controller (haproxytech) is told everything by its ConfigMap (docs/ingress-controllers.md). Wildcards were not tried with it. */
  HAProxy: otherIngress,
  Other: otherIngress,
});

/** Implementations of Gateway API in the same way. */
export const gatewayControllers = Object.freeze<Readonly<Record<GatewayControllerName, GatewayController>>>({
  /** It has no ListenerSet (3.6). */
  Traefik: { ...otherGateway, listeners: ['Gateway'] },
  /**
   * It has no ListenerSet, and takes a hostname from the listener for HTTP as soon as one for HTTPS has it (1.33.8,
   * internal/dag/gatewayapi_processor.go, computeHosts), where Gateway API asks that of listeners at the same port alone.
   */
  Contour: { ...otherGateway, listeners: ['Gateway'], sharesHostnames: false },
  /** docs/adr/0074-wildcards-behind-envoy-gateway.md */
  EnvoyGateway: { ...otherGateway, listeners: ['ListenerSet'], servesWildcards: true },
  Other: otherGateway,
});

/** The controller of a Gateway, and where its listeners of hostnames are if that can be chosen and is. */
export interface GatewayChoice {
  readonly controller: GatewayControllerName;
  readonly listeners?: ListenerPlace;
}

/** Where the listeners of a Gateway's hostnames are. */
export const listenersOf = ({ controller, listeners }: GatewayChoice): ListenerPlace =>
  listeners ?? gatewayControllers[controller].listeners[0];

/** False where the controller cannot have them there. */
export const canHaveListeners = (choice: GatewayChoice): boolean =>
  gatewayControllers[choice.controller].listeners.includes(listenersOf(choice));
