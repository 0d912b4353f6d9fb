import type { GatewayController, IngressController } from './controller-types.ts';

/** An ingress controller of which nothing is known: it is told nothing. */
export const otherIngress: IngressController = Object.freeze({
  annotations: {},
  wildcardAnnotations: null,
  httpsRedirect: null,
});

/** An implementation of Gateway API of which nothing is known but what the administrator says: whether it has ListenerSets. */
export const otherGateway: GatewayController = Object.freeze<GatewayController>({
  listeners: ['ListenerSet', 'Gateway'],
  servesWildcards: false,
  sharesHostnames: true,
});
