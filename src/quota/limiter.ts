import type { Clock } from '../lib/clock.ts';
import { createBreaker, createRedisReconnect } from './redis-availability.ts';
import { withoutSpending, LocalQuota } from './local-quota.ts';
import type { Ask, Decision, Limiter } from './quota-port.ts';
import type { Reply } from './redis-script.ts';
import type { RedisScriptClient } from './redis-script-client.ts';

export interface Attempt {
  readonly ms: number;
  /** skipped: Redis was not asked, as the circuit breaker is open */
  readonly outcome: 'ok' | 'timeout' | 'error' | 'skipped';
}

export interface LimiterOptions {
  readonly sender: RedisScriptClient;
  /** how many processes count on their own while Redis is unavailable, including this one */
  readonly replicas: () => number;
  readonly clock: Clock;
  readonly observe: (attempt: Attempt) => void;
}

/** `late` is the reply that may still arrive after the deadline; null when nothing was sent. */
type Asked = { readonly reply: Reply } | { readonly reply: null; readonly late: Promise<Reply> | null };

/** Without a reply from Redis in this time, the process decides alone. */
const deadlineMs = 25;
const debtsAtOnce = 50;

/**
 * Decides in Redis, or alone within a share of the limits when Redis does not reply in time. Never rejects, hangs or
 * admits without limit (docs/concepts/quotas.md).
 */
export function createLimiter({ sender, replicas, clock, observe }: LimiterOptions): Limiter {
  const memory = new LocalQuota();
  const breaker = createBreaker();
  /** Redis' clock minus our monotonic one; null before the first reply */
  let offset: number | null = null;
  let lastAlone: Ask | null = null;

  /** Asks Redis; a late reply still updates the local state. Does not reject. */
  const askRedis = async (ask: Ask): Promise<Asked> => {
    const startedAt = clock.elapsed();
    const ended = (outcome: Attempt['outcome']) => {
      observe({ ms: clock.elapsed() - startedAt, outcome });
      if (outcome === 'ok') breaker.succeeded();
      else breaker.failed();
    };
    const unanswered = (outcome: 'timeout' | 'error', late: Promise<Reply> | null): Asked => {
      ended(outcome);
      return { reply: null, late };
    };
    if (!sender.ready()) return unanswered('error', null);
    const debt = memory.debtOf(ask);
    const replied = sender.send({ ask, seeds: memory.seeds(ask), debt }).then((reply) => {
      offset = reply.decision.now - clock.elapsed();
      memory.learn(ask, reply, debt);
      return reply;
    });
    try {
      const reply = await within(replied, deadlineMs);
      if (reply === null) return unanswered('timeout', replied);
      ended('ok');
      return { reply };
    } catch {
      return unanswered('error', null);
    }
  };

  /** Reports to Redis what was admitted alone. Resolves to whether Redis replied and nothing is left to report. */
  const recover = async (): Promise<boolean> => {
    const [first = lastAlone && withoutSpending(lastAlone), ...others] = memory.unsettled();
    if (!first || (await askRedis(first)).reply === null) return false;
    for (let from = 0; from < others.length; from += debtsAtOnce) {
      const asked = await Promise.all(others.slice(from, from + debtsAtOnce).map(askRedis));
      if (asked.some(({ reply }) => reply === null)) return false;
    }
    return memory.unsettled().length === 0;
  };
  const recovery = createRedisReconnect(clock, recover);

  const decideAlone = (ask: Ask, late: Promise<Reply> | null): Decision => {
    const now = Math.floor(offset === null ? clock.now() : offset + clock.elapsed());
    const { decision, after } = memory.decideAlone(ask, now, replicas());
    if (ask.spend > 0 && decision.kind === 'allowed') {
      const unsynced = memory.unsyncedOf(ask);
      if (late) {
        unsynced.doubt(after.budget, ask.spend);
        const settle = (isCounted: boolean) => unsynced.settle(after.budget, ask.spend, isCounted);
        late.then(
          (reply) => settle(reply.decision.kind === 'allowed'),
          () => settle(false),
        );
      } else unsynced.owe(after.budget, ask.spend);
    }
    lastAlone = ask;
    recovery.start();
    return { ...withLimits(decision, ask), degraded: true };
  };

  return {
    async decide(ask) {
      if (breaker.isOpen()) {
        observe({ ms: 0, outcome: 'skipped' });
        return decideAlone(ask, null);
      }
      const asked = await askRedis(ask);
      return asked.reply ? asked.reply.decision : decideAlone(ask, asked.late);
    },
    close() {
      recovery.stop();
      return sender.close();
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

/**
 * Resolves as `promise` does, or to null when it takes longer. When the time is up, the event loop turns once more: a
 * reply that arrived while this process was busy still counts.
 */
function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  const tooLate = Promise.withResolvers<null>();
  const timer = setTimeout(() => setImmediate(() => setImmediate(() => tooLate.resolve(null))), ms);
  return Promise.race([promise, tooLate.promise]).finally(() => clearTimeout(timer));
}
