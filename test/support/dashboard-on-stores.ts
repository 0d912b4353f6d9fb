import { noTracer } from '../../src/lib/tracer.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { appOptions } from '../../src/api-server/app-options.ts';
import { createApiMetrics } from '../../src/api-server/metrics.ts';
import { createDashboard } from '../../src/dashboard/dashboard-app.ts';
import { agentOf } from '../../src/dashboard/request-guard.ts';
import type { Sessions } from '../../src/dashboard/sessions/sessions-port.ts';
import { SessionsUnavailable } from '../../src/dashboard/sessions/sessions-port.ts';
import { socketLimits } from '../../src/lib/bounded-server.ts';
import { createLog } from '../../src/lib/log.ts';
import type { Limiter } from '../../src/quota/quota-port.ts';
import { createApp } from '../../src/server/http-app.ts';
import type { InMemoryApi } from './in-memory-api.ts';
import { presentation } from './view-context.ts';
import { answeredAnew } from './answered-anew.ts';

/** The API server's own app with its dashboard, behind a real socket and over an API in memory. */
export interface DashboardOnStores {
  readonly url: string;
  /** everything that was logged, at every level, and all metrics */
  told(): Promise<string>;
  /** how often a session was looked for */
  readonly sessionsAsked: () => number;
  stop(): Promise<void>;
}

interface Circumstances {
  /** what decides on quotas instead of the API's own limiter */
  readonly limiter?: Limiter;
  /** no session can be looked up */
  readonly areSessionsAway?: boolean;
}

/** The User-Agent that a session of `signedInAs` has. */
export const agent = 'a browser';

/** The cookie of a browser that is signed in with the account's first key. */
export const cookie = '__Host-projectdomain=abcdefgh23456777.secret';

export async function startDashboardOnStores(
  api: InMemoryApi,
  { limiter = api.dependencies.limiter, areSessionsAway = false }: Circumstances = {},
): Promise<DashboardOnStores> {
  const lines: string[] = [];
  let asked = 0;
  let isEnded = false;
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  const metrics = createApiMetrics({
    isReady: () => true,
    objects: () => new Map(),
    staleness: () => new Map(),
    writes: () => new Map(),
    lookups: () => new Map(),
  });
  const sessions: Sessions = {
    open: () => Promise.reject(new Error('no session is opened here')),
    find() {
      asked += 1;
      if (areSessionsAway) return Promise.reject(new SessionsUnavailable('Redis is away'));
      if (isEnded) return Promise.resolve(null);
      const { account = '', keyId = '' } = api.stores.apiKeys.list()[0]?.spec ?? {};
      return Promise.resolve({ account, keyId, agent: agentOf({ headers: { 'user-agent': agent } } as never) });
    },
    end() {
      isEnded = true;
      return Promise.resolve();
    },
  };
  const dependencies = { ...api.dependencies, limiter };
  const app = createApp({
    answerOnce: answeredAnew,
    ...appOptions(
      dependencies,
      { trustedProxies: [], forwardedHeader: 'X-Forwarded-For' },
      { metrics, log, tracer: noTracer },
    ),
    pages: (mount) => createDashboard({ ...mount, dependencies: { ...dependencies, ...presentation, sessions } }),
  });
  const server = createServer({ maxHeaderSize: socketLimits.headBytes }, app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told: async () => lines.join('') + (await metrics.text()),
    sessionsAsked: () => asked,
    async stop() {
      api.stop();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
