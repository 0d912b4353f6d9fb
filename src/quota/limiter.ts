import type { Clock } from '../runtime/clock.ts';
import type { Breaker } from './breaker.ts';
import { createBreaker } from './breaker.ts';
import { QuotaMemory } from './memory.ts';
import type { Ask, Decision, Limiter } from './port.ts';
import type { Debt, Reply } from './script.ts';
import type { Sender } from './sender.ts';

export interface Attempt {
  readonly ms: number;
  /** skipped: Redis was not asked, as it did not answer lately */
  readonly outcome: 'ok' | 'timeout' | 'error' | 'skipped';
}

export interface LimiterOptions {
  readonly sender: Sender;
  /** how many processes count by themselves while Redis is away, this one included */
  readonly replicas: () => number;
  readonly clock: Clock;
  readonly observe: (attempt: Attempt) => void;
}

/** Redis answers within this or the process decides alone. */
const deadlineMs = 25;

/**
 * Decides in Redis; where Redis does not answer in time, alone, at a share of the limits. Never rejects, never hangs,
 * never admits without end: design section 6, and docs/adr/0010.
 */
export function createLimiter({ sender, replicas, clock, observe }: LimiterOptions): Limiter {
  const memory = new QuotaMemory();
  const breaker: Breaker = createBreaker(clock.elapsed);
  /** Redis' clock minus our own that is never set back; null before Redis ever answered */
  let offset: number | null = null;

  let payingBack = false;

  const heard = (ask: Ask, reply: Reply, debt: Debt | null) => {
    offset = reply.decision.now - clock.elapsed();
    memory.learn(ask, reply, debt);
    breaker.succeeded();
    if (!payingBack && memory.owing().length > 0) void payBack();
  };
  const call = (ask: Ask) => {
    const debt = memory.debtOf(ask.budget);
    return { debt, sent: sender.send({ ask, seeds: memory.seeds(ask), debt }) };
  };
  /** Whatever was admitted alone becomes known to all as soon as Redis is back. */
  const payBack = async () => {
    payingBack = true;
    try {
      for (const ask of memory.owing()) {
        const { debt, sent } = call(ask);
        const reply = await within(sent, deadlineMs);
        if (reply === null) return;
        memory.learn(ask, reply, debt);
      }
    } catch {
      breaker.failed();
    } finally {
      payingBack = false;
    }
  };
  const alone = (ask: Ask) => {
    const now = Math.floor(offset === null ? clock.now() : offset + clock.elapsed());
    const { decided, spent } = memory.decideAlone(ask, now, replicas());
    const decision: Decision = { ...withLimits(decided.decision, ask), degraded: true };
    return { decision, spent };
  };
  /** Asks Redis; what it says too late is still learnt. */
  const ask = async (given: Ask, told: (outcome: Attempt['outcome']) => void): Promise<Decision> => {
    const { debt, sent } = call(given);
    const reply = await within(sent, deadlineMs);
    if (reply !== null) {
      told('ok');
      heard(given, reply, debt);
      return reply.decision;
    }
    breaker.failed();
    told('timeout');
    const { decision, spent } = alone(given);
    sent.then(
      (late) => {
        if (spent && late.decision.kind === 'allowed') memory.takeBack(spent);
        heard(given, late, debt);
      },
      () => undefined,
    );
    return decision;
  };

  return {
    async decide(given) {
      if (!breaker.permits()) {
        observe({ ms: 0, outcome: 'skipped' });
        return alone(given).decision;
      }
      const startedAt = clock.elapsed();
      const told = (outcome: Attempt['outcome']) => observe({ ms: clock.elapsed() - startedAt, outcome });
      try {
        if (sender.ready()) return await ask(given, told);
      } catch {
        // Decided below, as without a connection.
      }
      breaker.failed();
      told('error');
      return alone(given).decision;
    },
    close: () => sender.close(),
  };
}

/** Headers speak of what the plan allows, not of this process' share of it. */
function withLimits(decision: Decision, { limits }: Ask): Decision {
  const { minute, day } = decision;
  return {
    ...decision,
    minute: { ...minute, limit: limits.perMinute },
    day: day && { ...day, limit: limits.perDay ?? day.limit },
  };
}

/**
 * What `promise` resolves to, or null when it takes longer. When time is up the event loop goes round once more: an answer
 * that has arrived while this process was busy still counts.
 */
function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  const tooLate = Promise.withResolvers<null>();
  const timer = setTimeout(() => setImmediate(() => setImmediate(() => tooLate.resolve(null))), ms);
  return Promise.race([promise, tooLate.promise]).finally(() => clearTimeout(timer));
}
