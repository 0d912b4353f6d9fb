import type { Clock } from '../lib/clock.ts';
import type { Attempt } from './decision-batches.ts';
import { createDecisionBatches } from './decision-batches.ts';
import { mostInBatch } from './decision-script.ts';
import { LocalQuota } from './local-quota.ts';
import { decisionOf } from './quota-decision.ts';
import type { Ask, Decision, Limiter } from './quota-port.ts';
import type { RedisScriptClient } from './redis-script-client.ts';
import type { Report } from './remembered-refusals.ts';
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

/** A limiter that may share its connection with others. */
export interface ConnectedLimiter extends Limiter {
  /** Tells Redis what it does not know yet, for the last time. The connection stays. */
  stop(): Promise<void>;
}

/** How long Redis does not know of requests that were answered from memory. */
const reportEveryMs = 250;

const remembered: Attempt = Object.freeze({ ms: 0, outcome: 'remembered' });

/**
 * Decides in Redis, or alone within a share of the limits when Redis does not answer in time. Never rejects, hangs or
 * admits without limit (docs/concepts/quotas.md).
 */
export function createLimiter({ client, replicas, clock, observe, shards = 1 }: LimiterOptions): ConnectedLimiter {
  const local = new LocalQuota(shards);
  const refusals = new RememberedRefusals(shards);
  const batches = createDecisionBatches({ client, local, clock, observe });
  const stopped = new AbortController();
  let isReporting = false;
  let reporting: Promise<void> = Promise.resolve();

  const decideAlone = (ask: Ask, counted: Promise<boolean> | null): Decision => {
    const nowMs = batches.nowMs();
    const { figures, limits } = local.decideAlone(ask, nowMs, replicas());
    // All processes together may put a tenth of the limit into entries that end early, so each may put its part.
    const perMinute = Math.floor(ask.limits.perMinute / Math.max(1, replicas()));
    if (ask.spend > 0 && figures.kind === 'allowed')
      local.admitted(ask, { nowMs, cost: ask.spend, perMinute }, counted);
    return { ...withLimits(decisionOf(figures, { limits }), ask), degraded: true };
  };

  const send = async ({ ask, disregarded }: Report) => {
    const asked = await batches.ask(ask, disregarded);
    if (asked.figures) refusals.learn(ask, asked.figures);
    else if (asked.counted === null) refusals.giveBack(ask, disregarded);
  };
  const reportAll = async () => {
    const reports = refusals.reports();
    for (let from = 0; from < reports.length; from += mostInBatch)
      await Promise.all(reports.slice(from, from + mostInBatch).map(send));
  };
  /** Tells Redis in a moment what was answered from memory meanwhile. */
  const report = () => {
    if (isReporting || stopped.signal.aborted) return;
    isReporting = true;
    const run = async () => {
      await clock.sleep(reportEveryMs, stopped.signal);
      isReporting = false;
      await reportAll();
    };
    reporting = run().catch(() => undefined); // stopped
  };

  /** Every batch has its deadline, and after one that is not answered nothing more is waited for. */
  const stop = async () => {
    stopped.abort();
    await reporting;
    await reportAll();
  };

  const recall = (ask: Ask): Decision | null => {
    if (ask.spend === 0) return null;
    const decision = refusals.recall(ask, batches.nowMs());
    if (!decision) return null;
    observe(remembered);
    if (ask.key !== null && decision.kind === 'limited') report();
    return decision;
  };

  return {
    recall,
    async decide(ask) {
      const recalled = recall(ask);
      if (recalled) return recalled;
      const disregarded = ask.spend > 0 ? refusals.disregardedBefore(ask, batches.nowMs()) : null;
      const asked = await batches.ask(ask, disregarded);
      if (!asked.figures) {
        if (disregarded && asked.counted === null) refusals.giveBack(ask, disregarded);
        return decideAlone(ask, asked.counted);
      }
      if (ask.spend > 0) refusals.learn(ask, asked.figures);
      return decisionOf(asked.figures, ask);
    },
    stop,
    async close() {
      await stop();
      batches.close();
      await client.close();
    },
  };
}

/** Response headers show the plan's limits, not this process' share of them. */
function withLimits(decision: Decision, { limits }: Ask): Decision {
  const { minute, day } = decision;
  return {
    ...decision,
    minute: { ...minute, limit: limits.perMinute },
    day: day && { ...day, limit: limits.perDay ?? day.limit },
  };
}
