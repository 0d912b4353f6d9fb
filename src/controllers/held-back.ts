import type { ObservedRoute } from '../routing/route-port.ts';

interface Seen {
  /** routing classes to whose Gateways others than the operator can attach; absent: none */
  readonly openClasses?: readonly string[];
  readonly route: ObservedRoute | undefined;
}

/**
 * True for a hostname without a route that one of these classes is to serve, while others than the operator can attach to its Gateway. One that
 * is served stays so: that others can attach theirs is no fault of its own.
 */
export const isNewBehindOpenGateway = ({ openClasses = [], route }: Seen, classes: readonly string[]): boolean =>
  route === undefined && classes.some((name) => openClasses.includes(name));

export const whyHeldBack = 'the platform serves no new hostname until its Gateway is set up as it has to be';

/** How long until it is looked at again, in milliseconds: no event says that the Gateway was changed. */
export const heldBackForMs = 60_000;
