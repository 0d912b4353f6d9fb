import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';
import { RateLimiterRedis, RateLimiterUnion } from 'rate-limiter-flexible';
import { createLimiter } from '../../../src/quota/limiter.ts';
import { decideQuota, decisionOf, nothingSpent } from '../../../src/quota/quota-decision.ts';
import type { Ask, Decision } from '../../../src/quota/quota-port.ts';
import { createRedisScriptClient } from '../../../src/quota/redis-script-client.ts';
import { connectRedis } from '../../../src/lib/redis/redis-client.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { endWithJson, problemType } from '../../../src/server/answer-problem.ts';
import { setQuotaHeaders } from '../../../src/server/quota-answer.ts';
import { answerRefusal, createRenderedRefusals } from '../../../src/server/refuse-at-once.ts';
import { refusal } from '../../../src/use-cases/quota-admission.ts';
import type { KnownKey } from './served-keys.ts';
import type { Path, Variant } from './variants.ts';
import { limitsOf } from './variants.ts';

interface AdmissionOptions {
  readonly redisUrl: string;
  readonly path: Path;
  readonly find: (request: IncomingMessage) => KnownKey | null;
}

interface Admission {
  /** asked before Express routes anything; true where it has answered */
  readonly atOnce?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** stand before the route */
  readonly handlers: readonly RequestHandler[];
}

/** By variant: ours as the API has it, the others as their documentation shows. */
export const admissionsOf: Readonly<Record<Variant, (options: AdmissionOptions) => Admission>> = {
  bare: () => ({ handlers: [] }),
  'without Redis': ({ find, path }) => {
    const decide = (ask: Ask) => Promise.resolve(decisionOf(decideQuota(nothingSpent, ask, Date.now()).figures, ask));
    return { handlers: [(request, ...rest) => admit(find(request), path, decide, rest)] };
  },
  ours: (options) => {
    const redis = connectRedis({ url: options.redisUrl, passwordFile: null, caFile: null }, silentLog);
    const limiter = createLimiter({
      client: createRedisScriptClient(redis),
      replicas: () => 1,
      clock: systemClock,
      observe: () => undefined,
    });
    const { find, path } = options;
    const found = new WeakMap<IncomingMessage, KnownKey>();
    const rendered = createRenderedRefusals();
    return {
      atOnce(request, response) {
        const known = find(request);
        if (!known) return false;
        const decision = limiter.recall(askOf(known, path));
        if (!decision) {
          found.set(request, known);
          return false;
        }
        answerRefusal(response, rendered(decision), { requestId: '', common: [] });
        return true;
      },
      handlers: [(request, ...rest) => admit(found.get(request) ?? null, path, (ask) => limiter.decide(ask), rest)],
    };
  },
  'express-rate-limit': ({ redisUrl, path, find }) => {
    const redis = new Redis(redisUrl);
    const limit = (windowMs: number, most: number, prefix: string) =>
      rateLimit({
        windowMs,
        limit: most,
        legacyHeaders: true,
        standardHeaders: false,
        validate: false,
        keyGenerator: (request) => find(request)?.account ?? '',
        store: new RedisStore({
          prefix,
          sendCommand: (command: string, ...args: string[]) => redis.call(command, ...args) as Promise<number>,
        }),
      });
    const { perMinute, perDay } = limitsOf[path];
    return { handlers: [limit(60_000, perMinute, 'erl:m:'), limit(86_400_000, perDay, 'erl:d:')] };
  },
  'rate-limiter-flexible': ({ redisUrl, path, find }) => {
    const storeClient = new Redis(redisUrl);
    const { perMinute, perDay } = limitsOf[path];
    const minute = { points: perMinute, duration: 60, keyPrefix: 'm' };
    const day = { points: perDay, duration: 86_400, keyPrefix: 'd' };
    const union = new RateLimiterUnion(
      new RateLimiterRedis({ storeClient, ...minute }),
      new RateLimiterRedis({ storeClient, ...day }),
    );
    return { handlers: [byUnion(union, perMinute, find)] };
  },
};

const askOf = ({ account, keyId }: KnownKey, path: Path): Ask => ({
  budget: `a:${account}`,
  key: keyId,
  limits: limitsOf[path],
  liftedAt: null,
  spend: 1,
});

function admit(
  known: KnownKey | null,
  path: Path,
  decide: (ask: Ask) => Promise<Decision>,
  [response, next]: readonly [Response, NextFunction],
): void {
  if (!known) return void response.status(401).end();
  decide(askOf(known, path)).then((decision) => {
    const refused = refusal(decision);
    setQuotaHeaders(response, decision);
    if (!refused) return next();
    response.statusCode = refused.status;
    endWithJson(response, problemType, JSON.stringify(refused.document('')));
  }, next);
}

type Consumed = Readonly<Record<string, { readonly remainingPoints: number; readonly msBeforeNext: number }>>;

const byUnion =
  (union: RateLimiterUnion, perMinute: number, find: AdmissionOptions['find']): RequestHandler =>
  (request, response, next) => {
    const known = find(request);
    if (!known) return void response.status(401).end();
    union.consume(known.account).then(
      (consumed) => {
        headers(response, perMinute, (consumed as unknown as Consumed)['m']);
        next();
      },
      (consumed: Consumed | Error) => {
        if (consumed instanceof Error) return next(consumed);
        headers(response, perMinute, consumed['m']);
        response.set('Retry-After', String(Math.ceil((consumed['m']?.msBeforeNext ?? 0) / 1_000)));
        response.status(429).json({ code: 'quota-exceeded' });
      },
    );
  };

function headers(response: Response, limit: number, window: Consumed[string] | undefined): void {
  response.set('X-RateLimit-Limit', String(limit));
  response.set('X-RateLimit-Remaining', String(window?.remainingPoints ?? 0));
  response.set('X-RateLimit-Reset', String(Math.ceil((Date.now() + (window?.msBeforeNext ?? 0)) / 1_000)));
}
