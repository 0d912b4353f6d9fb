import type { ObservedRoute } from '../routing/route-port.ts';
import type { Finding } from '../rules/conditions.ts';
import { isTrue } from '../rules/conditions.ts';
import type { GatewayReason } from '../rules/reasons.ts';

interface Seen {
  /** whether nobody else can attach to the Gateway; null where none serves hostnames */
  readonly gatewayGuard?: Finding<GatewayReason> | null;
  readonly route: ObservedRoute | undefined;
}

/**
 * True for a hostname without a route while others than the operator can attach to the Gateway. One that is served stays so: that others can
 * attach theirs is no fault of its own.
 */
export const isNewBehindOpenGateway = ({ gatewayGuard = null, route }: Seen): boolean =>
  gatewayGuard !== null && !isTrue(gatewayGuard) && route === undefined;

export const whyHeldBack = 'the platform serves no new hostname until its Gateway is set up as it has to be';

/** How long until it is looked at again, in milliseconds: no event says that the Gateway was changed. */
export const heldBackForMs = 60_000;
