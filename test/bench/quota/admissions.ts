import type { Request, RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';
import { RateLimiterRedis, RateLimiterUnion } from 'rate-limiter-flexible';
import { createLimiter } from '../../../src/quota/limiter.ts';
import { decideQuota, decisionOf, nothingSpent } from '../../../src/quota/quota-decision.ts';
import type { Ask, Decision } from '../../../src/quota/quota-port.ts';
import { createRedisScriptClient } from '../../../src/quota/redis-script-client.ts';
import { connectRedis } from '../../../src/redis/redis-client.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { headersOf, refusal } from '../../../src/use-cases/quota-admission.ts';
import type { KnownKey } from './served-keys.ts';
import type { Path, Variant } from './variants.ts';
import { limitsOf } from './variants.ts';

interface AdmissionOptions {
  readonly redisUrl: string;
  readonly path: Path;
  readonly find: (request: Request) => KnownKey | null;
}

/** The middlewares that stand before the route, by variant: ours as the API has them, the others as their documentation shows. */
export const admissionsOf: Readonly<Record<Variant, (options: AdmissionOptions) => readonly RequestHandler[]>> = {
  bare: () => [],
  'without Redis': (options) => [
    admitting(options, (ask) => Promise.resolve(decisionOf(decideQuota(nothingSpent, ask, Date.now()).figures, ask))),
  ],
  ours: (options) => {
    const redis = connectRedis({ url: options.redisUrl, passwordFile: null, caFile: null }, silentLog);
    const limiter = createLimiter({
      client: createRedisScriptClient(redis),
      replicas: () => 1,
      clock: systemClock,
      observe: () => undefined,
    });
    return [admitting(options, (ask) => limiter.decide(ask))];
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
    return [limit(60_000, perMinute, 'erl:m:'), limit(86_400_000, perDay, 'erl:d:')];
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
    return [byUnion(union, perMinute, find)];
  },
};

const admitting =
  ({ find, path }: AdmissionOptions, decide: (ask: Ask) => Promise<Decision>): RequestHandler =>
  (request, response, next) => {
    const known = find(request);
    if (!known) return void response.status(401).end();
    const ask = { budget: `a:${known.account}`, key: known.keyId, limits: limitsOf[path], liftedAt: null, spend: 1 };
    decide(ask).then((decision) => {
      const refused = refusal(decision);
      for (const [name, value] of Object.entries(headersOf(decision, false))) response.setHeader(name, value);
      if (refused) response.status(refused.status).json({ code: refused.code, detail: refused.message });
      else next();
    }, next);
  };

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
