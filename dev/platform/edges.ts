import { contourEdge } from './contour.ts';
import { contourGatewayEdge } from './contour-gateway.ts';
import { envoyGatewayEdge } from './envoy-gateway.ts';
import { traefikGatewayEdge } from './traefik-gateway.ts';
import type { Edge } from './services.ts';
import { traefikEdge } from './services.ts';

/** What can serve a platform's hostnames here, by the name on the command line. */
export const edges: Readonly<Record<string, Edge>> = Object.freeze({
  traefik: traefikEdge,
  'traefik-gateway': traefikGatewayEdge,
  contour: contourEdge,
  'contour-gateway': contourGatewayEdge,
  'envoy-gateway': envoyGatewayEdge,
});
