import type { ListenerPlace } from '../gateway/gateway-listeners.ts';

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
export interface GatewayController {
  /** where it can have the listeners of hostnames; the first where nothing is said */
  readonly listeners: readonly [ListenerPlace, ...ListenerPlace[]];
  /** Wildcards are served: it compares the header Host with a regular expression, and exact hostnames go first. With ListenerSets alone. */
  readonly servesWildcards: boolean;
  /** listeners of different ports may have one hostname, as Gateway API has it; else one for HTTPS takes it from the one for HTTP */
  readonly sharesHostnames: boolean;
}
