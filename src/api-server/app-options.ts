import type { ApiDependencies } from '../use-cases/api-dependencies.ts';
import { createKeyStatus } from '../use-cases/key-usage-status.ts';
import type { AppOptions, RequestObserver, Served } from '../server/app-options.ts';
import { clientAddress, forwardedHttps, noticeUnreadable, noticeUntrusted } from '../server/client-address.ts';
import type { Log } from '../lib/log.ts';
import type { Tracer } from '../lib/tracer.ts';
import type { ApiConfig } from './config.ts';
import type { ApiMetrics } from './metrics.ts';
import { createQuotaNotices } from './quota-notices.ts';

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
): Omit<AppOptions, 'pages'> {
  const noteUse = createKeyStatus(dependencies, log);
  const noteQuota = createQuotaNotices((notice) => {
    metrics.quotaReached(notice);
    log.info({ ...notice }, 'an account has used most of its quota');
  });
  return {
    dependencies,
    address: clientAddress(trustedProxies, forwardedHeader),
    isHttps: forwardedHttps(trustedProxies, forwardedHeader),
    arrived: arrivals({ trustedProxies, forwardedHeader }, log),
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

/** Says, once each, when the addresses of clients are not known. */
function arrivals(
  { trustedProxies, forwardedHeader }: Pick<ApiConfig, 'trustedProxies' | 'forwardedHeader'>,
  log: Log,
): AppOptions['arrived'] {
  const warn = (why: string) => (peer: string) =>
    log.warn({ peer }, `${forwardedHeader} ${why}: all of its clients share the budget of one address`);
  const notices = [
    noticeUntrusted(trustedProxies, warn('comes from a peer that is not in trustedProxies'), forwardedHeader),
    noticeUnreadable(
      trustedProxies,
      warn('has no address as its last hop, though a trusted proxy wrote it'),
      forwardedHeader,
    ),
  ];
  return (request) => notices.forEach((notice) => notice(request));
}

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
