import type { BoundedMap } from '../lib/bounded-map.ts';
import { createBoundedMap } from '../lib/bounded-map.ts';
import type { Figures } from './quota-decision.ts';
import { decisionOf, passesAtMs, unchangedUntilMs } from './quota-decision.ts';
import type { Ask, Decision } from './quota-port.ts';
import { limitsToPass } from './quota-port.ts';

/** How many refusals a process remembers; the oldest is forgotten first. */
const remembered = 20_000;
/** Redis is asked again after this time, whatever the refusal said. */
const trustedForMs = 10_000;
/** Redis' clock is an estimate: it is asked this long before a refusal ends. */
const marginMs = 50;

interface Refusal {
  readonly ask: Ask;
  readonly figures: Figures;
  readonly untilMs: number;
  /** the last answer from memory, and until when it is the answer */
  told: { readonly decision: Decision; readonly untilMs: number } | null;
}

/**
 * Refusals and bans that hold whatever Redis would say, for the same limits and for requests that cost no less: until their end, or until
 * the key's going on is a strike. So Redis hears of each request that changes something, and of hardly another. Times are Unix ms by
 * the process' estimate of Redis' clock.
 */
export class RememberedRefusals {
  readonly #refusals: BoundedMap<Refusal>;

  /** Budgets are divided among so many of them in a process, and so is what it remembers. */
  constructor(shards = 1) {
    this.#refusals = createBoundedMap<Refusal>(Math.ceil(remembered / shards));
  }

  /** Answers a request from memory; null where Redis has to. The same object again while nothing in it changes: a flood gets it. */
  recall(ask: Ask, nowMs: number): Decision | null {
    const known = this.#refusals.get(idOf(ask));
    if (!known || !holds(known, ask, nowMs)) return null;
    if (!known.told || nowMs < known.told.decision.now || nowMs >= known.told.untilMs) {
      // That a ban begins has been told.
      const decision = decisionOf({ ...known.figures, nowMs, banBegins: false }, ask);
      known.told = { decision, untilMs: unchangedUntilMs(decision) };
    }
    return known.told.decision;
  }

  /** Redis decided: a refusal is remembered, and an admission ends one. A look changes nothing. */
  learn(ask: Ask, figures: Figures): void {
    if (ask.spend === 0) return;
    if (figures.kind === 'allowed') this.#refusals.delete(idOf(ask));
    else this.#refusals.set(idOf(ask), { ask, figures, untilMs: holdsUntilMs(ask, figures), told: null });
  }
}

/** A key is of one account, and no budget is called like one. */
const idOf = ({ budget, key }: Ask): string => key ?? budget;

const holds = ({ ask, figures, untilMs }: Refusal, wanted: Ask, nowMs: number): boolean =>
  wanted.spend >= ask.spend &&
  (wanted.needs ?? 1) === (ask.needs ?? 1) &&
  Math.abs(nowMs - figures.nowMs) < trustedForMs &&
  nowMs < untilMs &&
  ask.budget === wanted.budget &&
  ask.limits.perMinute === wanted.limits.perMinute &&
  ask.limits.perDay === wanted.limits.perDay &&
  ask.liftedAt === wanted.liftedAt;

/** Until a request passes or the ban ends; of a refused key until its next strike. */
function holdsUntilMs(ask: Ask, figures: Figures): number {
  if (figures.kind === 'banned') return figures.bannedUntil * 1_000 - marginMs;
  const endsAtMs = passesAtMs(figures, limitsToPass(ask)) - marginMs;
  return ask.key === null ? endsAtMs : Math.min(endsAtMs, figures.nextStrikeMs);
}
