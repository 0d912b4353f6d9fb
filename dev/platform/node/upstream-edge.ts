import { classObjects } from '../envoy-gateway.ts';
import { findTool } from '../tools.ts';
import { envoyGatewayPrograms, envoyProxy, installEnvoyGateway } from './envoy-gateway-edge.ts';
import type { NodeEdge } from './node-edge.ts';

/** The GatewayClass of Gateways that upstream's tests make. */
export const upstreamClass = 'upstream';

/** Envoy Gateway without a Gateway of ours: each Gateway that is made has one Envoy, at a cluster IP. */
export const upstreamOnNode: NodeEdge = Object.freeze({
  programs: async (progress) => ({
    ...(await envoyGatewayPrograms(progress)),
    'echo-basic': await findTool('echo-basic', progress),
  }),
  async start(around) {
    await installEnvoyGateway(around);
    await around.kubectl.apply(...classObjects(upstreamClass, envoyProxy({ replicas: 1 })));
    await around.kubectl.run(['wait', '--for=condition=Accepted', `gatewayclass/${upstreamClass}`, '--timeout=60s']);
  },
  values: {},
  workload: { namespace: 'envoy-gateway-system', name: 'deployment/envoy-gateway' },
} satisfies NodeEdge);
