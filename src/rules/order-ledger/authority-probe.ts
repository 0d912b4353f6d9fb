import type { LedgerOrder } from './window-usage.ts';

/**
 * Whether the authority takes orders as far as we know: it said to pause; the pause ended and nobody has ordered since; one
 * order was placed to find out; or it takes them.
 */
export type AuthorityOpenness = 'Paused' | 'Untried' | 'Probed' | 'Open';

export interface AuthorityPause {
  /** until when the authority told us to pause for the whole ACME account, milliseconds since the Unix epoch; 0 for no pause */
  readonly until: number;
  /** the issuer's orders, without grants that nobody used */
  readonly orders: readonly Pick<LedgerOrder, 'at' | 'state'>[];
}

/**
 * An authority refuses an order at once, when it is created. So one whose end takes longer was most likely taken, and nobody's
 * slow name holds back the others for longer than this.
 */
const probedAtMost = 15 * 60_000;
/** How soon the outcome of the probe is looked for; milliseconds. */
const looksForOutcome = 10_000;

/**
 * After a pause one order goes first, as a probe: all that waited at once would be refused at once, and count against their names.
 * An order that was issued, or that failed for a reason of its own, shows that the authority takes orders; a refusal is
 * another pause.
 */
export function authorityOpenness({ until, orders }: AuthorityPause, now: number): AuthorityOpenness {
  if (until > now) return 'Paused';
  if (now >= until + probedAtMost) return 'Open';
  const since = orders.filter(({ at }) => Date.parse(at) >= until);
  if (since.length === 0) return 'Untried';
  return since.some(({ state }) => state === 'Issued' || state === 'Failed') ? 'Open' : 'Probed';
}

/** How many orders may be granted at once, whatever the window has left. */
export const grantsAtOnce: Readonly<Record<AuthorityOpenness, number>> = {
  Paused: 0,
  Untried: 1,
  Probed: 0,
  Open: Number.POSITIVE_INFINITY,
};

/** When the openness may be another one, milliseconds since the Unix epoch; null when time alone changes nothing. */
export function opennessChangesAt(openness: AuthorityOpenness, until: number, now: number): number | null {
  if (openness === 'Paused') return until;
  return openness === 'Probed' ? Math.min(until + probedAtMost, now + looksForOutcome) : null;
}
