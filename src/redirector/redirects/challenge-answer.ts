import type { HostnameClaim } from '../../generated/hostname-claim.ts';

type OrderEntry = NonNullable<HostnameClaim['spec']['orders']>[number];

/** An order of a hostname, as far as its challenges are answered by it. */
export interface ChallengedOrder extends Pick<OrderEntry, 'outcome'> {
  readonly acme?: Pick<NonNullable<OrderEntry['acme']>, 'thumbprint'>;
}

const token = /^[A-Za-z0-9_-]{22,128}$/;

export const isOpen = ({ outcome, acme }: ChallengedOrder): boolean => outcome === 'Pending' && acme !== undefined;

/**
 * The key authorization of a token for the order that is open; null without one, or for what is no token. Needs no list of tokens:
 * an authority's challenge of another account would be answered with a thumbprint that is not that account's.
 */
export function challengeAnswer(orders: readonly ChallengedOrder[], asked: string): string | null {
  const thumbprint = orders.findLast(isOpen)?.acme?.thumbprint;
  return thumbprint !== undefined && token.test(asked) ? `${asked}.${thumbprint}` : null;
}
