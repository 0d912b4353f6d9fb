import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Rest } from '../../dev/lib/rest.ts';
import { restClient } from '../../dev/lib/rest.ts';
import { appOptions } from '../../src/api-server/app-options.ts';
import type { Tracer } from '../../src/lib/tracer.ts';
import { noTracer } from '../../src/lib/tracer.ts';
import type { Log } from '../../src/lib/log.ts';
import { createApp } from '../../src/server/http-app.ts';
import type { Lookups } from '../../src/use-cases/lookup-queue.ts';
import type { InMemoryApi } from './in-memory-api.ts';
import { createInMemoryApi } from './in-memory-api.ts';
import type { Pace } from './memory-cluster.ts';
import { unobserved } from './unobserved-app.ts';

/** The API server's own code behind a real socket; the cluster behind it is in memory, so that faults can be scripted. */
export interface ApiOnStores extends Pick<InMemoryApi, 'dependencies' | 'stores' | 'cluster' | 'project' | 'put'> {
  readonly url: string;
  /** Makes account, namespace and project `shop` (deployed), and a key of all scopes. */
  account(name: string, plan: string): Rest & { readonly key: string };
  /** Who shows this key. */
  as(key: string): Rest;
  stop(): Promise<void>;
}

export interface Circumstances extends Pace {
  /** where the server logs; without it only what nobody foresaw is told */
  readonly log?: Log;
  /** where requests are traced */
  readonly tracer?: Tracer;
  /** how hostnames are looked up in DNS; without it everything is an empty zone */
  readonly lookups?: Lookups;
}

export async function startApiOnStores({
  log,
  lookups,
  tracer = noTracer,
  ...pace
}: Circumstances = {}): Promise<ApiOnStores> {
  const memory = createInMemoryApi(pace, lookups);
  const ignore = () => undefined;
  const app = createApp({
    ...unobserved(memory.dependencies),
    ...(log
      ? appOptions(
          memory.dependencies,
          { trustedProxies: [], forwardedHeader: 'X-Forwarded-For' },
          { metrics: { served: ignore, decided: ignore, quotaReached: ignore }, log, tracer },
        )
      : {}),
    pages: () => (_request, _response, next) => next(),
  });
  const server = createServer({ keepAliveTimeout: 75_000 }, app);
  await new Promise<void>((done) => server.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 }, done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    dependencies: memory.dependencies,
    stores: memory.stores,
    cluster: memory.cluster,
    put: memory.put,
    project: memory.project,
    as: (key) => restClient(url, key),
    account(name, plan) {
      const key = memory.account(name, plan);
      return Object.assign(restClient(url, key), { key });
    },
    async stop() {
      memory.stop();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
