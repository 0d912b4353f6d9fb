import type { Clock } from '../lib/clock.ts';
import { createDecisionQueue } from './decision-queue.ts';
import type { LocalQuota } from './local-quota.ts';
import type { Figures } from './quota-decision.ts';
import type { Ask, Decision } from './quota-port.ts';
import type { RedisClock } from './redis-clock.ts';
import type { Batch, BatchReply } from './batch-encoding.ts';
import type { RedisScriptClient } from './redis-script-client.ts';
import { isRefusedByRedis } from './redis-script-client.ts';

export interface Attempt {
  readonly ms: number;
  /**
   * of a batch: ok, timeout, error. Of a decision without one: skipped while Redis does not answer, remembered for a refusal that was
   * answered from memory
   */
  readonly outcome: 'ok' | 'timeout' | 'error' | 'skipped' | 'remembered';
}

export interface Waiting {
  readonly ask: Ask;
  readonly answered: (decision: Decision) => void;
}

export interface SentBatch extends Batch {
  /** in the order of the decisions */
  readonly waiting: readonly Waiting[];
  readonly sentAt: number;
}

interface BatchEvents {
  /** False while nothing may be sent. */
  isOpen(): boolean;
  decided(one: Waiting, figures: Figures): void;
  /** Nobody waits for the batch any more; Redis may have executed it, or may yet. */
  gaveUp(batch: SentBatch): void;
  /** Redis has executed a batch that had been given up. */
  answeredLate(batch: SentBatch, spent: string): void;
  /** The connection ended. */
  cut(): void;
}

interface BatchOptions {
  readonly client: RedisScriptClient;
  readonly local: LocalQuota;
  readonly clock: Clock;
  readonly redisClock: RedisClock;
  readonly observe: (attempt: Attempt) => void;
  readonly events: BatchEvents;
}

/** What Redis remembers of batches: those before the question that it does not name were not executed, and never will be. */
interface Recalled {
  readonly question: number;
  /** by number, of each decision 1 where it spent something, and 0 otherwise */
  readonly spent: ReadonlyMap<number, string>;
}

export interface DecisionBatches {
  /** False where so many wait already that Redis is not asked. */
  hasRoom(budget: string): boolean;
  add(one: Waiting): void;
  /** Takes back what is in no batch. */
  takeUnsent(): readonly Waiting[];
  /** Rejects without a connection, and settles when Redis answers. */
  recall(): Promise<Recalled>;
}

/** Without an answer from Redis in this time, nobody waits for it. */
export const deadlineMs = 25;
/** As many decisions as a batch has at most. */
export const mostInBatch = 128;
const mostInFlight = 2;
/** As many as wait at most for what else arrives: Redis decides on them while the next ones are read. */
const enoughForABatch = 16;
/** of one budget, and of all */
const mostWaiting = 1_024;
const mostWaitingInAll = 8_192;

/**
 * Requests that wait to be decided share a call. Two batches are under way at most; what comes meanwhile waits for the next one. A batch has
 * a number, and the script remembers of the last two which decisions they spent something for (docs/adr/0065).
 */
export function createDecisionBatches(options: BatchOptions): DecisionBatches {
  const { client, local, clock, redisClock, observe, events } = options;
  const queue = createDecisionQueue<Waiting>();
  /** The oldest first. Not a Map: each table that it outgrows leads to the next one, so that one old table keeps all batches since in memory. */
  const inFlight: SentBatch[] = [];
  let number = 0;
  /** the last batch with decisions that Redis has answered, and not lost since */
  let answered = 0;
  let isScheduled = false;

  const nextNumber = () => (number += 1);

  const sendWaiting = () => {
    while (events.isOpen() && inFlight.length < mostInFlight && queue.size() > 0) send();
  };
  const send = () => {
    const byBudget = [...Map.groupBy(queue.take(mostInBatch), ({ ask }) => ask.budget)];
    const batch: SentBatch = {
      number: nextNumber(),
      answered,
      budgets: byBudget.map(([budget, waiting]) => ({
        budget,
        asks: waiting.map(({ ask }) => ask),
        ...local.prepare(budget),
      })),
      waiting: byBudget.flatMap(([, waiting]) => waiting),
      sentAt: clock.elapsed(),
    };
    inFlight.push(batch);
    watch(batch.number);
    client
      .run(batch)
      .then((reply) => replied(batch, reply))
      .catch((error: unknown) => failed(batch, error));
  };
  /** The timer holds a number alone: it outlives most batches, and what outlives a request is what the garbage collector copies. */
  const watch = (of: number) => {
    const late = () => inFlight.find((batch) => batch.number === of);
    const giveUpLate = () => {
      const batch = late();
      if (batch) giveUp(batch, 'timeout');
    };
    void clock.sleep(deadlineMs).then(() => (late() ? afterWhatArrived(giveUpLate) : undefined));
  };

  const replied = (batch: SentBatch, { nowMs, outcome, states, answers }: BatchReply) => {
    redisClock.told(nowMs);
    if (outcome === 'stale') return failed(batch, new Error('the batch had been given up'));
    if (outcome === 'lost') return lost(batch);
    states.forEach((state, budget) => local.learn(budget, state));
    answered = Math.max(answered, batch.number);
    if (!inFlight.includes(batch)) return events.answeredLate(batch, spentOf(batch, answers));
    ended(batch, 'ok');
    endDebts(local, batch, true);
    batch.waiting.forEach((one, index) => events.decided(one, answers[index] as Figures));
    sendWaiting();
  };
  /** Redis has lost data, and decided nothing: it is asked again, and told what is remembered. */
  const lost = (batch: SentBatch) => {
    noteLoss();
    if (!inFlight.includes(batch)) return;
    if (!events.isOpen()) return giveUp(batch, 'ok');
    ended(batch, 'ok');
    endDebts(local, batch, false);
    for (const one of batch.waiting) queue.add(one.ask.budget, one);
    sendWaiting();
  };
  const noteLoss = () => {
    answered = 0;
    local.noteLoss();
  };
  /** Redis refused to execute the batch, or the connection ended and it is unknown whether it did. */
  const failed = (batch: SentBatch, error: unknown) => {
    if (inFlight.includes(batch)) giveUp(batch, 'error');
    if (!isRefusedByRedis(error)) events.cut();
  };
  const giveUp = (batch: SentBatch, outcome: Attempt['outcome']) => {
    ended(batch, outcome);
    events.gaveUp(batch);
  };
  const ended = (batch: SentBatch, outcome: Attempt['outcome']) => {
    inFlight.splice(inFlight.indexOf(batch), 1);
    observe({ ms: clock.elapsed() - batch.sentAt, outcome });
  };

  const recall = async (): Promise<Recalled> => {
    const question: Batch = { number: nextNumber(), answered, budgets: [] };
    const { nowMs, outcome, earlier } = await client.run(question);
    redisClock.told(nowMs);
    if (outcome === 'stale') throw new Error('the question had been given up');
    if (outcome === 'decided') return { question: question.number, spent: earlier };
    noteLoss();
    return recall();
  };

  return {
    hasRoom: (budget) => queue.size(budget) < mostWaiting && queue.size() < mostWaitingInAll,
    add(one) {
      queue.add(one.ask.budget, one);
      if (inFlight.length >= mostInFlight) return;
      if (queue.size() >= enoughForABatch) return send();
      if (isScheduled) return;
      isScheduled = true;
      // What else arrives in this turn of the event loop goes with the same batch.
      setImmediate(() => {
        isScheduled = false;
        sendWaiting();
      });
    },
    takeUnsent: () => queue.take(Number.POSITIVE_INFINITY),
    recall,
  };
}

const spentOf = ({ waiting }: SentBatch, answers: readonly Figures[]): string =>
  waiting.map(({ ask }, index) => (ask.spend > 0 && answers[index]?.kind === 'allowed' ? 1 : 0)).join('');

/** The debts that a batch brought were counted with it, or not at all. */
export function endDebts(local: LocalQuota, { budgets }: Batch, isCounted: boolean): void {
  for (const { budget, debt } of budgets) if (debt) local.endDebt(budget, isCounted);
}

/** When time is up, the event loop turns once more: a reply that arrived while this process was busy still counts. */
export const afterWhatArrived = (act: () => void) => setImmediate(() => setImmediate(act));
