import type { BoundedMap } from '../lib/bounded-map.ts';
import { createBoundedMap } from '../lib/bounded-map.ts';
import type { Disregarded } from './ban-state.ts';
import type { Figures } from './quota-decision.ts';
import { decisionOf, passesAtMs, unchangedUntilMs } from './quota-decision.ts';
import type { Ask, Decision } from './quota-port.ts';

/** How many refusals a process remembers; the oldest is forgotten first. */
const remembered = 20_000;
/** Redis is asked again after this time, whatever the refusal said. */
const trustedForMs = 10_000;
/** Redis' clock is an estimate: it is asked this long before a refusal ends. */
const marginMs = 50;

interface Refusal {
  readonly ask: Ask;
  figures: Figures;
  readonly untilMs: number;
  readonly askedAtMs: number;
  /** the first and the last request of the key that were answered from memory and that Redis does not know of */
  disregarded: Disregarded | null;
  /** the last answer from memory, and until when it is the answer */
  told: { readonly decision: Decision; readonly untilMs: number } | null;
}

/** A report to Redis of requests that were answered from memory. */
export interface Report {
  readonly ask: Ask;
  readonly disregarded: Disregarded;
}

/**
 * Refusals and bans that hold whatever Redis would say: until their end, for the same limits and for requests that cost no less. Times are
 * Unix ms by the process' estimate of Redis' clock.
 */
export class RememberedRefusals {
  readonly #refusals: BoundedMap<Refusal>;
  /** those with requests that Redis does not know of */
  readonly #untold = new Set<Refusal>();

  /** Budgets are divided among so many of them in a process, and so is what it remembers. */
  constructor(shards = 1) {
    this.#refusals = createBoundedMap<Refusal>(Math.ceil(remembered / shards));
  }

  /**
   * Answers a request from memory; null where Redis has to. Only an answer changes anything. The same object again while nothing in it
   * changes: a flood gets it.
   */
  recall(ask: Ask, nowMs: number): Decision | null {
    const known = this.#holding(ask, nowMs);
    if (!known) return null;
    if (known.figures.kind === 'limited' && ask.key !== null) {
      known.disregarded = { firstMs: known.disregarded?.firstMs ?? nowMs, lastMs: nowMs };
      this.#untold.add(known);
    }
    return decisionAt(known, nowMs);
  }

  /** What Redis is told with a request that is not answered from memory. A refusal that has ended is forgotten. */
  disregardedBefore(ask: Ask, nowMs: number): Disregarded | null {
    const known = this.#of(ask);
    if (!known || ask.spend < known.ask.spend) return null;
    return holds(known, ask, nowMs) ? this.#take(known) : this.#forget(ask);
  }

  /** Redis decided: a refusal is remembered, and an admission ends one. A ban that a report began is told by the next answer. */
  learn(ask: Ask, figures: Figures): void {
    const { kind, nowMs } = figures;
    if (kind === 'allowed' || (ask.spend === 0 && kind !== 'banned')) {
      if (ask.spend > 0) this.#forget(ask);
      return;
    }
    const isReport = ask.spend === 0;
    const before = this.#of(ask);
    const isUntold = before?.figures.banBegins === true && before.figures.bannedUntil === figures.bannedUntil;
    this.#replace(before, {
      ask: isReport ? { ...ask, spend: 1 } : ask,
      figures: { ...figures, banBegins: isUntold || (isReport && figures.banBegins) },
      untilMs: endOf(ask, figures),
      askedAtMs: nowMs,
      disregarded: before?.disregarded ?? null,
      told: null,
    });
  }

  /** Redis was not told after all: it is told with what comes next, if the refusal is remembered until then. */
  giveBack(ask: Ask, { firstMs, lastMs }: Disregarded): void {
    const known = this.#of(ask);
    if (!known) return;
    const since = known.disregarded ?? { firstMs, lastMs };
    known.disregarded = { firstMs: Math.min(firstMs, since.firstMs), lastMs: Math.max(lastMs, since.lastMs) };
    this.#untold.add(known);
  }

  /** Everything that Redis has not been told yet. */
  reports(): readonly Report[] {
    return [...this.#untold].flatMap((known) => {
      const disregarded = this.#take(known);
      return disregarded ? [{ ask: { ...known.ask, spend: 0 }, disregarded }] : [];
    });
  }

  #of(ask: Ask): Refusal | undefined {
    const known = this.#refusals.get(idOf(ask));
    return known?.ask.budget === ask.budget ? known : undefined;
  }

  #holding(ask: Ask, nowMs: number): Refusal | null {
    const known = this.#of(ask);
    return known && ask.spend >= known.ask.spend && holds(known, ask, nowMs) ? known : null;
  }

  #replace(before: Refusal | undefined, refusal: Refusal): void {
    this.#refusals.set(idOf(refusal.ask), refusal);
    if (before && this.#untold.delete(before)) this.#untold.add(refusal);
  }

  #take(known: Refusal): Disregarded | null {
    const { disregarded } = known;
    known.disregarded = null;
    this.#untold.delete(known);
    return disregarded;
  }

  #forget(ask: Ask): Disregarded | null {
    const known = this.#of(ask);
    if (!known) return null;
    this.#refusals.delete(idOf(ask));
    return this.#take(known);
  }
}

function decisionAt(known: Refusal, nowMs: number): Decision {
  const { told, figures, ask } = known;
  if (told && told.decision.now <= nowMs && nowMs < told.untilMs) return told.decision;
  const decision = decisionOf({ ...figures, nowMs }, ask);
  // That a ban begins is told once.
  if (figures.banBegins) known.figures = { ...figures, banBegins: false };
  else known.told = { decision, untilMs: unchangedUntilMs(decision) };
  return decision;
}

/** A key is of one account, and no budget is called like one. */
const idOf = ({ budget, key }: Ask): string => key ?? budget;

const holds = ({ ask, askedAtMs, untilMs }: Refusal, wanted: Ask, nowMs: number): boolean =>
  Math.abs(nowMs - askedAtMs) < trustedForMs && nowMs < untilMs - marginMs && isSame(ask, wanted);

const isSame = (one: Ask, two: Ask): boolean =>
  one.limits.perMinute === two.limits.perMinute &&
  one.limits.perDay === two.limits.perDay &&
  one.liftedAt === two.liftedAt;

/** When a request passes, or the ban ends. */
const endOf = ({ limits }: Ask, figures: Figures): number =>
  figures.kind === 'banned' ? figures.bannedUntil * 1_000 : passesAtMs(figures, limits);
