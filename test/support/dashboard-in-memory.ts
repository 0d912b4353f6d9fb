import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Brand } from '../../src/dashboard/view-context.ts';
import { createDashboard } from '../../src/dashboard/dashboard-app.ts';
import { agentOf } from '../../src/dashboard/request-guard.ts';
import type { Sessions } from '../../src/dashboard/sessions/sessions-port.ts';
import { createApp } from '../../src/server/http-app.ts';
import type { InMemoryApi } from './in-memory-api.ts';
import { unobserved } from './unobserved-app.ts';
import { presentation } from './view-context.ts';

/** The dashboard's own server over an API in memory; whoever asks is signed in with the API's first key. */
export interface DashboardInMemory {
  readonly url: string;
  stop(): void;
}

const agent = 'a browser';
const cookie = '__Host-projectdomain=abcdefgh23456777.secret';

export async function startDashboardInMemory(
  api: InMemoryApi,
  brand: Brand = presentation.brand,
): Promise<DashboardInMemory> {
  const { account = '', keyId = '' } = api.stores.apiKeys.list()[0]?.spec ?? {};
  const session = { account, keyId, agent: agentOf({ headers: { 'user-agent': agent } } as never) };
  const sessions: Sessions = {
    open: () => Promise.reject(new Error('no session is opened here')),
    find: () => Promise.resolve(session),
    end: () => Promise.resolve(),
  };
  const app = createApp({
    ...unobserved(api.dependencies),
    pages: (mount) =>
      createDashboard({ ...mount, dependencies: { ...api.dependencies, ...presentation, brand, sessions } }),
  });
  const server = createServer((request, response) => {
    // A browser keeps the cookie over HTTPS only.
    request.headers.cookie = cookie;
    request.headers['user-agent'] = agent;
    app(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      api.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}
