import type { Clock } from '../lib/clock.ts';
import { createDecisionQueue } from './decision-queue.ts';
import type { Answer, Batch, BatchReply } from './decision-script.ts';
import { mostInBatch } from './decision-script.ts';
import { createDoubtfulBatches, endDebts } from './doubtful-batches.ts';
import type { LocalQuota, Unprepared } from './local-quota.ts';
import type { Figures } from './quota-decision.ts';
import { createRedisClock } from './redis-clock.ts';
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

/** What Redis decided; or nothing, and whether it has counted the request all the same: null where it cannot have. */
type Asked = { readonly figures: Figures } | { readonly figures: null; readonly counted: Promise<boolean> | null };

/** Asks Redis for decisions, those that wait together in one call. Never rejects, and takes little longer than the deadline. */
export interface DecisionBatches {
  ask(ask: Unprepared['ask'], disregarded?: Unprepared['disregarded']): Promise<Asked>;
  /** this process' estimate of Redis' clock; Unix ms */
  nowMs(): number;
  close(): void;
}

export interface BatchOptions {
  readonly client: RedisScriptClient;
  readonly local: LocalQuota;
  readonly clock: Clock;
  readonly observe: (attempt: Attempt) => void;
}

/** Without an answer from Redis in this time, the process decides alone. */
const deadlineMs = 25;
const mostInFlight = 2;
/** As many as wait at most for what else arrives: Redis decides on them while the next ones are read. */
const enoughForABatch = 16;
/** of one budget, and of all: what comes beyond that is decided alone */
const mostWaiting = 1_024;
const mostWaitingInAll = 8_192;
const retryMs = 200;
/** A question what became of earlier batches is given up after this time, and asked again. */
const recallWithinMs = 500;
/** The other processes are connected again after this time, and have told what they admitted alone. */
const othersComeBackMs = 300;
const debtsAtOnce = mostInFlight * mostInBatch;

interface Waiting extends Unprepared {
  readonly answered: (asked: Asked) => void;
}

interface Sent extends Batch {
  readonly waiting: readonly Waiting[];
  readonly sentAt: number;
}

const alone: Asked = Object.freeze({ figures: null, counted: null });

/**
 * Two batches are under way at most; what comes meanwhile waits for the next one. A batch has a number, and the script remembers of the
 * last two which decisions they spent something for. After a batch without an answer, everything is decided alone until an empty batch
 * is answered: that tells what became of the earlier ones, and none of them can be executed from then on (docs/adr/0065).
 */
export function createDecisionBatches({ client, local, clock, observe }: BatchOptions): DecisionBatches {
  const queue = createDecisionQueue<Waiting>();
  /** The oldest first. Not a Map: each table that it outgrows leads to the next one, so that one old table keeps all batches since in memory. */
  const inFlight: Sent[] = [];
  const doubtful = createDoubtfulBatches(local);
  const stopped = new AbortController();
  let number = 0;
  let isScheduled = false;
  /** a timer looks for batches that are late */
  let isWatched = false;
  /** Redis did not answer */
  let isAway = false;
  /** nobody waits for Redis: it is away, or has just come back */
  let isAlone = false;
  /** the connection ended while it was away, so that it may have lost data */
  let wasCut = false;
  /** Redis has decided on something since it came back last */
  let hasDecided = true;
  const redisClock = createRedisClock(clock);

  const nextNumber = () => {
    number += 1;
    return number;
  };

  const enqueue = (one: Unprepared['ask'], disregarded: Unprepared['disregarded']) =>
    new Promise<Asked>((answered) => {
      queue.add(one.budget, { ask: one, disregarded, isSeedWanted: false, answered });
      if (inFlight.length >= mostInFlight) return;
      if (queue.size() >= enoughForABatch) return send(queue.take(mostInBatch));
      if (isScheduled) return;
      isScheduled = true;
      // What else arrives in this turn of the event loop goes with the same batch.
      setImmediate(sendWaiting);
    });
  const sendWaiting = () => {
    isScheduled = false;
    while (!isAway && inFlight.length < mostInFlight && queue.size() > 0) send(queue.take(mostInBatch));
  };
  const send = (waiting: readonly Waiting[]) => {
    const asks = waiting.map((one) => local.prepare(one, redisClock.nowMs()));
    const sent: Sent = { number: nextNumber(), asks, waiting, sentAt: clock.elapsed() };
    inFlight.push(sent);
    if (!isWatched) watch(deadlineMs);
    client
      .run(sent)
      .then((reply) => replied(sent, reply))
      .catch((error: unknown) => failed(sent, error));
  };

  /** One timer for all batches: it waits until the oldest is late. */
  const watch = (ms: number) => {
    isWatched = true;
    void clock.sleep(ms).then(() => {
      if (msLeft() <= 0) afterWhatArrived(giveUpLate);
      else watchOn();
    });
  };
  const watchOn = () => {
    isWatched = inFlight.length > 0;
    if (isWatched) watch(Math.max(0, msLeft()));
  };
  /** until the oldest batch is late; without one, for ever */
  const msLeft = () => (inFlight[0]?.sentAt ?? Number.POSITIVE_INFINITY) + deadlineMs - clock.elapsed();
  const giveUpLate = () => {
    const now = clock.elapsed();
    for (const sent of inFlight.filter(({ sentAt }) => sentAt + deadlineMs <= now)) {
      ended(sent, 'timeout');
      giveUp(sent);
    }
    watchOn();
  };

  const replied = (sent: Sent, reply: BatchReply) => {
    redisClock.told(reply.nowMs);
    const { answers } = reply;
    if (!answers) return failed(sent, new Error('the batch had been given up'));
    learn(local, sent, { ...reply, answers });
    if (doubtful.has(sent)) return doubtful.settle(sent, (index) => isSpent(sent, answers, index));
    hasDecided = true;
    endDebts(local, sent, true);
    ended(sent, 'ok');
    sent.waiting.forEach((one, index) => {
      const answer = answers[index];
      if (typeof answer === 'object') one.answered({ figures: answer });
      else if (isAway) one.answered(alone);
      else queue.add(one.ask.budget, { ...one, isSeedWanted: true });
    });
    sendWaiting();
  };
  /** Redis refused to execute the batch, or the connection ended and it is unknown whether it did. */
  const failed = (sent: Sent, error: unknown) => {
    if (inFlight.includes(sent)) {
      ended(sent, 'error');
      giveUp(sent);
    }
    if (!doubtful.has(sent)) return;
    if (isRefusedByRedis(error)) doubtful.settle(sent, null);
    else cut();
  };
  const ended = (sent: Sent, outcome: Attempt['outcome']) => {
    inFlight.splice(inFlight.indexOf(sent), 1);
    observe({ ms: clock.elapsed() - sent.sentAt, outcome });
  };

  /** From now on everything is decided alone, until Redis answers again. */
  const giveUp = (sent: Sent) => {
    const counted = doubtful.add(sent);
    sent.waiting.forEach(({ answered }, index) => answered({ figures: null, counted: counted[index] ?? null }));
    recover();
  };
  const cut = () => {
    wasCut = true;
    recover();
  };
  const recover = () => {
    isAway = true;
    // Nobody may wait for a batch that is not sent.
    while (queue.size() > 0) for (const { answered } of queue.take(mostInBatch)) answered(alone);
    if (isAlone || stopped.signal.aborted) return;
    isAlone = true;
    run()
      .catch(() => clock.sleep(retryMs, stopped.signal).then(recoverAgain))
      .catch(() => undefined); // stopped
  };
  const recoverAgain = () => {
    isAlone = false;
    recover();
  };
  const run = async () => {
    while (isAway) await comeBack();
    isAlone = false;
    local.endOutage();
    await payDebts();
  };
  const comeBack = async () => {
    while (!(await recalls())) await clock.sleep(retryMs, stopped.signal);
    // It answers what has no decisions in it, and nothing else, as while a slot moves: nobody is to wait for that again at once.
    if (!hasDecided) await clock.sleep(retryMs, stopped.signal);
    hasDecided = false;
    isAway = false;
    if (!wasCut) return;
    wasCut = false;
    await payDebts();
    if (!isAway) await clock.sleep(othersComeBackMs, stopped.signal);
  };
  /** Asks what became of the batches without an answer. True when Redis answered in time, however late this process read it. */
  const recalls = async (): Promise<boolean> => {
    if (!client.ready()) {
      wasCut = true;
      return false;
    }
    const asked = nextNumber();
    let isLate = false;
    void clock.sleep(deadlineMs).then(() => afterWhatArrived(() => (isLate = true)));
    const told = client.run({ number: asked, asks: [] }).then(
      ({ nowMs, earlier, answers }) => {
        if (!answers) return false;
        redisClock.told(nowMs);
        doubtful.settleAll(earlier, asked);
        return !isLate;
      },
      () => false,
    );
    return Promise.race([told, clock.sleep(recallWithinMs, stopped.signal).then(() => false)]);
  };
  const payDebts = async () => {
    const owing = local.unsettled();
    for (let from = 0; from < owing.length && !isAway; from += debtsAtOnce)
      await Promise.all(owing.slice(from, from + debtsAtOnce).map((one) => enqueue(one, null)));
  };

  return {
    ask(one, disregarded = null) {
      const isThere = client.ready();
      const isFull = queue.size(one.budget) >= mostWaiting || queue.size() >= mostWaitingInAll;
      if (!isAlone && isThere && !isFull) return enqueue(one, disregarded);
      observe({ ms: 0, outcome: 'skipped' });
      if (!isThere) cut();
      else if (!isAlone) local.renew(one.budget);
      return Promise.resolve(alone);
    },
    nowMs: () => redisClock.nowMs(),
    close: () => stopped.abort(),
  };
}

/** Remembers the states that Redis answered with, but for those that it lost and nobody brought back: there, ours is the better one. */
function learn(local: LocalQuota, { asks }: Batch, { answers, states }: BatchReply & { answers: readonly Answer[] }) {
  const learnt = new Map(asks.map(({ ask }) => [ask.budget, ask]));
  const seeded = new Set(asks.flatMap(({ ask, seed }) => (seed && seed.length > 0 ? [ask.budget] : [])));
  asks.forEach(({ ask: { budget } }, index) => {
    if (answers[index] === 'seed wanted' && !seeded.has(budget)) learnt.delete(budget);
  });
  for (const [budget, ask] of learnt) {
    const state = states.get(budget);
    if (state) local.learn(ask, state);
  }
}

function isSpent({ asks }: Batch, answers: readonly Answer[], index: number): boolean {
  const answer = answers[index];
  return typeof answer === 'object' && answer.kind === 'allowed' && (asks[index]?.ask.spend ?? 0) > 0;
}

/** When time is up, the event loop turns once more: a reply that arrived while this process was busy still counts. */
const afterWhatArrived = (act: () => void) => setImmediate(() => setImmediate(act));
