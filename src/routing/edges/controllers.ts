import type { ListenerPlace } from '../gateway/gateway-listeners.ts';
import { contourGateway, contourIngress } from './contour.ts';
import type { GatewayController, IngressController } from './controller-types.ts';
import { envoyGateway } from './envoy-gateway.ts';
import { haproxyIngress } from './haproxy.ts';
import { otherGateway, otherIngress } from './other.ts';
import { traefikGateway, traefikIngress } from './traefik.ts';

/** Ingress controllers, by the name that a routing class has for its own. */
export const ingressControllers = Object.freeze({
  Traefik: traefikIngress,
  Contour: contourIngress,
  HAProxy: haproxyIngress,
  Other: otherIngress,
}) satisfies Readonly<Record<string, IngressController>>;

/** Implementations of Gateway API in the same way. */
export const gatewayControllers = Object.freeze({
  Traefik: traefikGateway,
  Contour: contourGateway,
  EnvoyGateway: envoyGateway,
  Other: otherGateway,
}) satisfies Readonly<Record<string, GatewayController>>;

export type IngressControllerName = keyof typeof ingressControllers;
export type GatewayControllerName = keyof typeof gatewayControllers;

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
