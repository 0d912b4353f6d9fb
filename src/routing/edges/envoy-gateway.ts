import type { GatewayController } from './controller-types.ts';
import { otherGateway } from './other.ts';

/** docs/adr/0074-wildcards-behind-envoy-gateway.md */
export const envoyGateway: GatewayController = Object.freeze<GatewayController>({
  ...otherGateway,
  listeners: ['ListenerSet'],
  servesWildcards: true,
});
