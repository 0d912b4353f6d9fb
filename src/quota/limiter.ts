import type { Clock } from '../lib/clock.ts';
import type { Attempt, SentBatch, Waiting } from './decision-batches.ts';
import { afterWhatArrived, createDecisionBatches, deadlineMs, endDebts, mostInBatch } from './decision-batches.ts';
import type { Admission } from './local-quota.ts';
import { LocalQuota } from './local-quota.ts';
import { decisionOf } from './quota-decision.ts';
import type { Ask, Decision, Limiter } from './quota-port.ts';
import { createRedisClock } from './redis-clock.ts';
import type { RedisScriptClient } from './redis-script-client.ts';
import { RememberedRefusals } from './remembered-refusals.ts';

export interface LimiterOptions {
  readonly client: RedisScriptClient;
  /** how many processes count on their own while Redis is unavailable, including this one */
  readonly replicas: () => number;
  readonly clock: Clock;
  readonly observe: (attempt: Attempt) => void;
  /** among how many limiters of this process the budgets are divided; 1 where there is one for all */
  readonly shards?: number;
}

/**
 * shared: Redis decides. away: it does not answer; everything is decided alone, and it is asked what became of the batches. returning: it
 * answers, and is told what was admitted alone, while everything else is still decided alone.
 */
type Mode = 'shared' | 'away' | 'returning';

/** A batch without an answer, and of each of its decisions what was admitted alone instead: Redis may have counted that. */
interface Doubt {
  readonly batch: SentBatch;
  readonly admitted: readonly (Admission | null)[];
}

const retryMs = 200;
/** A question what became of earlier batches is given up after this time, and asked again. */
const recallWithinMs = 500;
/** The other processes are connected again after this time, and have told what they admitted alone. */
const othersComeBackMs = 300;
const debtsAtOnce = 2 * mostInBatch;

const remembered: Attempt = Object.freeze({ ms: 0, outcome: 'remembered' });
const skipped: Attempt = Object.freeze({ ms: 0, outcome: 'skipped' });

/**
 * Decides in Redis, or alone within a share of the limits when Redis does not answer in time. After a batch without an answer, everything
 * is decided alone until Redis has told what became of it (docs/adr/0065). Never rejects, hangs or admits without limit
 * (docs/concepts/quotas.md).
 */
export function createLimiter({ client, replicas, clock, observe, shards = 1 }: LimiterOptions): Limiter {
  const refusals = new RememberedRefusals(shards);
  const local = new LocalQuota(shards);
  const redisClock = createRedisClock(clock);
  const stopped = new AbortController();
  let mode: Mode = 'shared';
  let doubts: readonly Doubt[] = [];
  /** the connection ended, so that the other processes may be away as well, and Redis may have lost data */
  let wasCut = false;
  /** Redis has decided on something since it came back last */
  let hasDecided = true;

  const isAway = () => mode === 'away';
  const batches = createDecisionBatches({
    client,
    local,
    clock,
    redisClock,
    observe,
    events: {
      isOpen: () => !isAway(),
      decided({ ask, answered }, figures) {
        hasDecided = true;
        refusals.learn(ask, figures);
        answered(decisionOf(figures, ask));
      },
      gaveUp(batch) {
        doubts = [...doubts, { batch, admitted: batch.waiting.map(decideAlone) }];
        leave();
      },
      answeredLate(batch, spent) {
        settle((one) => one === batch, new Map([[batch.number, spent]]));
      },
      cut() {
        if (mode !== 'shared') wasCut = true;
      },
    },
  });

  const decideAlone = ({ ask, answered }: Waiting): Admission | null => {
    const { figures, limits, admission } = local.decideAlone(ask, redisClock.nowMs(), replicas());
    answered({ ...decisionOf(figures, { ...ask, limits }, ask.limits), degraded: true });
    return admission;
  };
  /** Decides alone on what is in no batch, so that Redis cannot have counted it. */
  const decideUnsent = (one: Waiting) => {
    const admission = decideAlone(one);
    if (admission) local.owe(admission);
  };

  /** From now on everything is decided alone, until Redis answers again. */
  const leave = () => {
    const isRecovering = mode !== 'shared';
    mode = 'away';
    // Nobody may wait for a batch that is not sent.
    batches.takeUnsent().forEach(decideUnsent);
    if (!isRecovering) void recover().catch(() => undefined); // stopped
  };
  const recover = async () => {
    while (isAway()) await comeBack();
    mode = 'shared';
    local.endOutage();
    await payDebts();
  };
  const comeBack = async () => {
    while (!(await recalls())) await clock.sleep(retryMs, stopped.signal);
    // It answers what has no decisions in it, and nothing else, as while a slot moves: nobody is to wait for that again at once.
    if (!hasDecided) await clock.sleep(retryMs, stopped.signal);
    hasDecided = false;
    mode = 'returning';
    if (!wasCut) return;
    wasCut = false;
    await payDebts();
    if (!isAway()) await clock.sleep(othersComeBackMs, stopped.signal);
  };
  /** Asks what became of the batches without an answer. True when Redis answered in time, however late this process read it. */
  const recalls = (): Promise<boolean> => {
    if (!client.ready()) {
      wasCut = true;
      return Promise.resolve(false);
    }
    let isLate = false;
    void clock.sleep(deadlineMs).then(() => afterWhatArrived(() => (isLate = true)));
    const told = batches.recall().then(
      ({ question, spent }) => {
        settle((batch) => batch.number < question, spent);
        return !isLate;
      },
      () => false,
    );
    return Promise.race([told, clock.sleep(recallWithinMs, stopped.signal).then(() => false)]);
  };
  /** Redis has told what it spent something for; what it does not name was not executed, and never will be. */
  const settle = (isTold: (batch: SentBatch) => boolean, spent: ReadonlyMap<number, string>) => {
    for (const { batch, admitted } of doubts.filter((doubt) => isTold(doubt.batch))) {
      const told = spent.get(batch.number);
      endDebts(local, batch, told !== undefined);
      admitted.forEach((admission, index) => {
        if (admission && told?.[index] !== '1') local.owe(admission);
      });
    }
    doubts = doubts.filter((doubt) => !isTold(doubt.batch));
  };
  const payDebts = async () => {
    const owing = local.unsettled();
    for (let from = 0; from < owing.length && !isAway(); from += debtsAtOnce)
      await Promise.all(owing.slice(from, from + debtsAtOnce).map(decideShared));
  };
  const decideShared = (ask: Ask) => new Promise<Decision>((answered) => batches.add({ ask, answered }));

  const recall = (ask: Ask): Decision | null => {
    const decision = refusals.recall(ask, redisClock.nowMs());
    if (decision) observe(remembered);
    return decision;
  };

  return {
    recall,
    decide(ask) {
      const recalled = recall(ask);
      if (recalled) return Promise.resolve(recalled);
      const isThere = client.ready();
      if (mode === 'shared' && isThere && batches.hasRoom(ask.budget)) return decideShared(ask);
      observe(skipped);
      if (!isThere) {
        wasCut = true;
        leave();
      }
      const decided = new Promise<Decision>((answered) => decideUnsent({ ask, answered }));
      if (mode === 'shared') local.renew(ask.budget);
      return decided;
    },
    close() {
      stopped.abort();
      return client.close();
    },
  };
}
