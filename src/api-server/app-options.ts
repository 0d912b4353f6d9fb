import type { ApiDependencies } from '../use-cases/api-dependencies.ts';
import { createKeyStatus } from '../use-cases/key-usage-status.ts';
import type { AppOptions } from '../server/http-app.ts';
import { clientAddress, forwardedHttps, noticeUntrusted } from '../server/client-address.ts';
import type { Log } from '../lib/log.ts';
import type { ApiConfig } from './config.ts';
import type { ApiMetrics } from './metrics.ts';

/** What the app reports about requests goes to log and metrics; every log line of a request carries its id. */
export function appOptions(
  dependencies: ApiDependencies,
  { trustedProxies }: Pick<ApiConfig, 'trustedProxies'>,
  { metrics, log }: { readonly metrics: Pick<ApiMetrics, 'served' | 'decided'>; readonly log: Log },
): Omit<AppOptions, 'pages'> {
  const noteUse = createKeyStatus(dependencies, log);
  return {
    dependencies,
    address: clientAddress(trustedProxies),
    isHttps: forwardedHttps(trustedProxies),
    arrived: noticeUntrusted(trustedProxies, (peer) =>
      log.warn(
        { peer },
        'X-Forwarded-For comes from a peer that is not in trustedProxies: all of its clients share the budget of one address',
      ),
    ),
    served(served) {
      metrics.served(served);
      log.info({ ...served }, 'served');
    },
    decided(decision, caller) {
      metrics.decided(decision);
      if (caller) noteUse(caller, decision);
      if (decision.banBegins) log.warn({ key: caller?.apiKey.spec.keyId, ban: decision.ban }, 'a key is banned');
    },
    failed: (error) => log.error({ err: error }, 'a request failed'),
    during: (requestId, work) => log.within({ requestId }, work),
  };
}
