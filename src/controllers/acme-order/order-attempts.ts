import { backoff } from '../../lib/backoff.ts';
import { createBoundedMap } from '../../lib/bounded-map.ts';

/** What this process did about one order, beside what the claim and the authority remember. */
export interface OrderAttempt {
  /** URLs of challenges that it told the authority of */
  readonly triggered: Set<string>;
  /** tokens that were not answered everywhere at the last look; none where the order does not wait for that */
  tokens: readonly string[];
  /** what this process put into the challenge zone for it; null where it put nothing */
  published: string | null;
  /** why its challenges cannot be answered now, a sentence; null where that is a matter of moments */
  fault: string | null;
  /** when the authority was last asked about it, milliseconds since the Unix epoch; 0 before */
  askedAt: number;
  /** before then nothing is to be done about it, whatever wakes it but Verify; the same */
  restsUntil: number;
  /** the same, and not for Verify either: as long as its authority said */
  firmUntil: number;
  /** when it was last looked at otherwise than to see that it rests; the same */
  lookedAt: number;
  /** the Verify of its domain that was seen last; undefined where nobody asked */
  verifySeen: string | undefined;
  /** how often there was nothing to do but wait, since it last got further */
  waits: number;
  /** how often the authority said no in a way that ends with time, or nothing, since it last got further */
  refusals: number;
}

/** By the uid of their requests. Of what is forgotten, challenges are triggered once more, and it is looked at as if it had just begun. */
export const createOrderAttempts = () =>
  createAttempts<OrderAttempt>(() => ({
    triggered: new Set<string>(),
    tokens: [],
    published: null,
    fault: null,
    askedAt: 0,
    restsUntil: 0,
    firmUntil: 0,
    lookedAt: 0,
    verifySeen: undefined,
    waits: 0,
    refusals: 0,
  }));

/** What this process tried in vain: to revoke one certificate, or to have a hostname's replaced. */
export type RevocationAttempt = Pick<OrderAttempt, 'refusals' | 'restsUntil'>;

/** By the uid of the request that a certificate was ordered for, or by hostname. */
export const createRevocationAttempts = () => createAttempts<RevocationAttempt>(() => ({ refusals: 0, restsUntil: 0 }));

/** What a process remembers of what it has tried, by a key such as a uid. */
export interface Attempts<Attempt> {
  /** The one of this key, which may be changed; one that has just begun where none is known. */
  of(key: string): Attempt;
  /** To be called once it has ended. */
  forget(key: string): void;
}

/** Beyond these the one that was asked for least recently is forgotten, and tried as if for the first time. */
const attemptsAtMost = 10_000;

function createAttempts<Attempt>(begin: () => Attempt): Attempts<Attempt> {
  const known = createBoundedMap<Attempt>(attemptsAtMost);
  return {
    of(key) {
      const attempt = known.get(key) ?? begin();
      known.set(key, attempt);
      return attempt;
    },
    forget: (key) => known.delete(key),
  };
}

/** Most orders have ended by then, as the first looks are close together. */
const waitsWithoutPause = 12;
const looks = { first: 100, longest: 500 };
const pauses = { first: 1_000, longest: 60_000 };
const refusalPauses = { first: 60_000, longest: 60 * 60_000 };
const silencePauses = { first: 2_000, longest: 5 * 60_000 };

/** How soon after the last look somebody who asks has an order looked at again. */
const askedAgain = 10_000;

/**
 * Until when nothing is to be done about an order, milliseconds since the Unix epoch. Pauses of our own are for when nobody asks: `asked`, the
 * Verify of its domain as it is now, ends them.
 */
export const restOf = (attempt: OrderAttempt, asked: string | undefined): number =>
  asked === attempt.verifySeen
    ? attempt.restsUntil
    : Math.min(attempt.restsUntil, Math.max(attempt.firmUntil, attempt.lookedAt + askedAgain));

/** True for an order that has waited longer than most: people may want to know for what. */
export const isLong = ({ waits }: Pick<OrderAttempt, 'waits'>): boolean => waits >= waitsWithoutPause;

/**
 * Until an order that waits is looked at again, milliseconds: what its authority says, or soon where that names no time (null), and longer
 * the more often it was in vain.
 */
export function untilNextLook({ waits }: Pick<OrderAttempt, 'waits'>, forMs: number | null): number {
  const pause = isLong({ waits }) ? backoff(waits - waitsWithoutPause + 1, pauses) : 0;
  return Math.max(forMs ?? backoff(waits + 1, looks), pause);
}

/**
 * Until an order that its authority has lost is placed anew, milliseconds: at once the first time, and an authority that loses each of them is
 * asked less and less often.
 */
export const untilPlacedAnew = ({ placed }: { readonly placed: number }): number =>
  placed < 2 ? 0 : backoff(placed - 1, refusalPauses);

/** Until the same is tried again after a refusal, milliseconds. */
export const untilNextTry = ({ refusals }: Pick<OrderAttempt, 'refusals'>): number =>
  backoff(refusals + 1, refusalPauses);

/** The same where the authority did not answer. */
export const untilAnswered = ({ refusals }: Pick<OrderAttempt, 'refusals'>): number =>
  backoff(refusals + 1, silencePauses);
