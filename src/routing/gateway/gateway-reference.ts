import type { ParentReference } from '../../resources/gateway-types.ts';

/** The Gateway that routes are attached to. Whoever may attach to it is the administrator's decision. */
export interface GatewayReference {
  readonly namespace: string;
  readonly name: string;
}

export const gatewayGroup = 'gateway.networking.k8s.io';

/** What a Gateway is called in sentences, and by whoever asks whose it is. */
export const edgeOf = ({ namespace, name }: GatewayReference): string => `Gateway ${namespace}/${name}`;

/** To all listeners of a Gateway that take a route, or to the one that is named. */
export const toGateway = ({ namespace, name }: GatewayReference, sectionName?: string): ParentReference => ({
  group: gatewayGroup,
  kind: 'Gateway',
  namespace,
  name,
  ...(sectionName === undefined ? {} : { sectionName }),
});
