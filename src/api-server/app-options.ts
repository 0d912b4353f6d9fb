import type { Decision, WindowView } from '../quota/quota-port.ts';
import type { ApiDependencies, Caller } from '../use-cases/api-dependencies.ts';
import { createKeyStatus } from '../use-cases/key-usage-status.ts';
import type { AppOptions, RequestObserver, Served } from '../server/app-options.ts';
import type { ForwardingFault } from '../server/client-address.ts';
import { clientAddress, forwardedHttps, noticeForwarding } from '../server/client-address.ts';
import { createBoundedMap } from '../lib/bounded-map.ts';
import type { Log } from '../lib/log.ts';
import type { Tracer } from '../lib/tracer.ts';
import type { ApiConfig } from './config.ts';
import type { ApiMetrics } from './metrics.ts';

export interface AppObservers {
  readonly metrics: Pick<ApiMetrics, 'served' | 'decided' | 'quotaReached'>;
  readonly log: Log;
  readonly tracer: Tracer;
}

/**
 * What the app reports about requests goes to log, metrics and traces; every log line of a request carries its id, and so
 * does its trace.
 */
export function appOptions(
  dependencies: ApiDependencies,
  { trustedProxies, forwardedHeader }: Pick<ApiConfig, 'trustedProxies' | 'forwardedHeader'>,
  { metrics, log, tracer }: AppObservers,
): Omit<AppOptions, 'pages' | 'answerOnce'> {
  const noteUse = createKeyStatus(dependencies, log);
  const noteQuota = createQuotaNotices((notice) => {
    metrics.quotaReached(notice);
    log.info({ ...notice }, 'an account has used most of its quota');
  });
  return {
    dependencies,
    address: clientAddress(trustedProxies, forwardedHeader),
    isHttps: forwardedHttps(trustedProxies, forwardedHeader),
    arrived: noticeForwarding(trustedProxies, forwardedHeader, (fault, peer) => {
      const why = `${forwardedHeader} ${forwardingFaults[fault]}`;
      log.warn({ peer }, `${why}: all of its clients share the budget of one address`);
    }),
    decided(decision, caller, of) {
      metrics.decided(decision);
      if (caller && of === 'pages') noteUse(caller, byPages);
      else if (caller) {
        noteUse(caller, decision);
        noteQuota(caller, decision);
      }
      if (decision.banBegins) log.warn({ key: caller?.apiKey.spec.keyId, ban: decision.ban }, 'a key is banned');
    },
    failed: (error) => log.error({ err: error }, 'a request failed'),
    observe: (requestId) => observerOf(requestId, { metrics, log, tracer }),
  };
}

/** A key in use, of whose limits and bans nothing is known. */
const byPages = { kind: 'allowed', binding: 'minute', ban: null, degraded: true } as const;

const forwardingFaults: Readonly<Record<ForwardingFault, string>> = {
  untrusted: 'comes from a peer that is not in trustedProxies',
  unreadable: 'has no address as its last hop, though a trusted proxy wrote it',
};

function observerOf(requestId: string, { metrics, log, tracer }: AppObservers): RequestObserver {
  const trace = tracer.start('request', { 'projectdomain.request_id': requestId });
  return {
    within: (work) => trace.within(() => log.within({ requestId }, work)),
    served(served) {
      metrics.served(served);
      log.info({ ...served }, 'served');
      trace.end(outcomeOf(served));
    },
  };
}

/** By the call, as OpenTelemetry names HTTP servers' spans; not the path, which has names of customers' things in it. */
const outcomeOf = ({ method, route, status }: Served) => ({
  name: `${method} ${route ?? 'none'}`,
  attributes: {
    'http.request.method': method,
    'http.route': route ?? 'none',
    'http.response.status_code': status,
  },
  failed: status >= 500,
});

/** An account came close to one of its limits, or to its end. */
export interface QuotaNotice {
  readonly account: string;
  readonly window: 'minute' | 'day';
  /** how much of the limit is used */
  readonly percent: 80 | 100;
  readonly limit: number;
}

const hourMs = 3_600_000;
const rememberedNotices = 10_000;

/**
 * Reports that an account has used 80 % or all of a window: of the day once each day, of the minute once an hour. An account without
 * many requests costs two comparisons.
 */
export function createQuotaNotices(
  report: (notice: QuotaNotice) => void,
): (caller: Caller, decision: Decision) => void {
  const silentUntil = createBoundedMap<number>(rememberedNotices);
  const note = (notice: QuotaNotice, now: number, untilMs: number) => {
    const { account, window, percent } = notice;
    const key = `${window} ${percent} ${account}`;
    if ((silentUntil.get(key) ?? 0) > now) return;
    silentUntil.set(key, untilMs);
    report(notice);
  };
  const noteWindow = (caller: Caller, window: QuotaNotice['window'], view: WindowView, now: number) => {
    const used = percentUsed(view);
    if (used === null) return;
    const untilMs = window === 'day' ? view.resetsAtMs : now + hourMs;
    const { name: account } = caller.account.metadata;
    note({ account, window, percent: used, limit: view.limit }, now, untilMs);
  };
  return (caller, { kind, minute, day, now, degraded }) => {
    // Of a banned key's account it is not known what is left, and of one that is counted alone only what a part of the limit has left.
    if (kind === 'banned' || degraded) return;
    noteWindow(caller, 'minute', minute, now);
    if (day) noteWindow(caller, 'day', day, now);
  };
}

function percentUsed({ limit, remaining }: WindowView): QuotaNotice['percent'] | null {
  if (remaining <= 0) return 100;
  return remaining * 5 <= limit ? 80 : null;
}
