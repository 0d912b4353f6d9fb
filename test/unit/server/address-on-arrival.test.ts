import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDashboard } from '../../../src/dashboard/dashboard-app.ts';
import type { Sessions } from '../../../src/dashboard/sessions/sessions-port.ts';
import { clientAddress } from '../../../src/server/client-address.ts';
import { createApp } from '../../../src/server/http-app.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';
import { presentation } from '../../support/view-context.ts';
import { answeredAnew } from '../../support/answered-anew.ts';

/** A client that sends a request and disconnects before it is handled is counted and logged by its own address. */

let api: InMemoryApi;
let server: Server;
/** resolves the look-ups that the requests wait for */
let goOn: () => void;
let budgets: string[];
let logged: Promise<string>;

beforeEach(async () => {
  api = createInMemoryApi();
  budgets = [];
  const { promise: waiting, resolve: release } = Promise.withResolvers<void>();
  const { promise, resolve: served } = Promise.withResolvers<string>();
  goOn = release;
  logged = promise;
  const { limiter } = api.dependencies;
  const dependencies = {
    ...api.dependencies,
    limiter: {
      ...limiter,
      decide: async (ask: Parameters<typeof limiter.decide>[0]) => {
        budgets.push(ask.budget);
        await waiting;
        return limiter.decide(ask);
      },
    },
  };
  const sessions: Sessions = {
    open: () => Promise.reject(new Error('no session is opened here')),
    find: () => waiting.then(() => null),
    end: () => Promise.resolve(),
  };
  const ignore = () => undefined;
  server = createServer(
    createApp({
      dependencies,
      answerOnce: answeredAnew,
      address: clientAddress([], 'X-Forwarded-For'),
      isHttps: () => false,
      arrived: ignore,
      decided: ignore,
      failed: ignore,
      observe: () => ({ within: (work) => work(), served: ({ address }) => served(address) }),
      pages: (mount) => createDashboard({ ...mount, dependencies: { ...dependencies, ...presentation, sessions } }),
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  api.stop();
  server.close();
});

/** Sends a request that claims another address, and disconnects once it has arrived. */
async function sendAndLeave(line: string, headers: readonly string[]): Promise<void> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const arrived = once(server, 'request') as Promise<[{ socket: Socket }]>;
  const all = [`${line} HTTP/1.1`, 'host: localhost', 'x-forwarded-for: 203.0.113.9', ...headers];
  client.write(`${all.join('\r\n')}\r\n\r\n`);
  const [{ socket }] = await arrived;
  const closed = new Promise((done) => socket.once('close', done));
  client.destroy();
  await closed;
}

const cookie = 'cookie: __Host-projectdomain=abcdefgh23456777.secret';
const body = ['content-type: application/x-www-form-urlencoded', 'content-length: 100'];

describe('whoever disconnects at once', () => {
  it('is logged by the own address', async () => {
    await sendAndLeave('GET /v1/account', []);
    expect(await logged).toBe('127.0.0.1');
  });

  it.each<[string, string, readonly string[]]>([
    ['a call', 'GET /v1/account', []],
    ['a page of a session that ended', 'GET /dashboard/projects', [cookie]],
    ['a page that does not exist', 'GET /dashboard/nothing', [cookie]],
    ['a sign-out', 'POST /dashboard/sign-out', [cookie, ...body]],
    ['a sign-in whose form is cut off', 'POST /dashboard/sign-in', body],
  ])('spends the budget of the own address by %s', async (_, line, headers) => {
    await sendAndLeave(line, headers);
    goOn();
    while (budgets.length === 0) await turnsOfLoop(1);
    // Whoever would spend a second budget does so as soon as the first is answered, which is at once here.
    await turnsOfLoop(20);
    expect(budgets).toEqual(['ip:127.0.0.1']);
  });
});
