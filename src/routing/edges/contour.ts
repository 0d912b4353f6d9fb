import type { GatewayController, IngressController } from './controller-types.ts';
import { otherGateway, otherIngress } from './other.ts';

/** Contour refuses to upgrade connections at paths that are not named (docs/adr/0071-an-annotation-for-websockets.md). */
export const contourIngress: IngressController = Object.freeze({
  ...otherIngress,
  annotations: { 'projectcontour.io/websocket-routes': '/' },
  httpsRedirect: {
    annotations: { 'ingress.kubernetes.io/force-ssl-redirect': 'true' },
    hasDefaultCertificate: false,
    overHttp: null,
  },
});

/**
 * It has no ListenerSet, and takes a hostname from the listener for HTTP as soon as one for HTTPS has it (1.33.8,
 * internal/dag/gatewayapi_processor.go, computeHosts), where Gateway API asks that of listeners at the same port alone.
 */
export const contourGateway: GatewayController = Object.freeze<GatewayController>({
  ...otherGateway,
  listeners: ['Gateway'],
  sharesHostnames: false,
});
