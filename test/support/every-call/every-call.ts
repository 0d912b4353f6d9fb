import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { csrfOf } from '../../../src/dashboard/request-guard.ts';
import { pages } from '../../../src/dashboard/page-table.ts';
import { setupMaximum } from '../../../src/dashboard/controllers/setup-controller.ts';
import type { ApiCall } from '../../../src/server/api-call.ts';
import { createAuthorize } from '../../../src/server/authorize.ts';
import { apiCalls } from '../../../src/server/call-table.ts';
import { openApiDocument } from '../../../src/server/openapi.ts';
import type { Made } from '../made-certificates.ts';
import { certificateMaker, names, ofAuthority, ofServer } from '../made-certificates.ts';
import type { DashboardInMemory } from '../dashboard-in-memory.ts';
import { startDashboardInMemory } from '../dashboard-in-memory.ts';
import type { InMemoryApi } from '../in-memory-api.ts';
import { startTestRedirector } from '../redirector.ts';
import { unobserved } from '../unobserved-app.ts';
import { check, families } from './flooded-checks.ts';
import { createFullAccount, domains, redirecting, tokenOfLink } from './full-account.ts';
import type { Document, Source } from './made-inputs.ts';
import { formOf, hostnamesOf, pathOf, textOf, valueOf } from './made-inputs.ts';
import type { Random } from './random.ts';
import { seeded } from './random.ts';
import { send } from './send.ts';
import { requestsOfStrangers } from './strangers.ts';

/** One call of the API, page of the dashboard, question of a proxy or check of DNS, each time with another input at its bounds. */
export interface Act {
  readonly name: string;
  readonly kind: 'request' | 'check';
  /** Brings back what earlier inputs changed. */
  readonly restore: () => Promise<void>;
  /** Resolves with the status of the answer to a request. */
  readonly act: () => Promise<number | void>;
}

interface Servers {
  readonly port: number;
  readonly authorizePort: number;
  readonly key: string;
  readonly restore: () => Promise<void>;
  readonly known: Source['known'];
}

const document = openApiDocument(apiCalls) as unknown as Document;

/** Every second input is fit, so that a handler is seen to its end and to each of its refusals. */
function sources(random: Random, known: Source['known']): () => Source {
  let made = 0;
  return () => ({ random, known, isFit: (made += 1) % 2 === 1 });
}

function queryOf({ random, isFit }: Source, { name, query }: ApiCall): string {
  if (!query || !name.startsWith('list')) return '';
  return isFit ? '?limit=100' : `?limit=100&cursor=${encodeURIComponent(textOf(random, 300))}`;
}

const callsOfApi = ({ port, key, restore, known }: Servers, random: () => Random): readonly Act[] =>
  apiCalls.map((call) => {
    const next = sources(random(), known);
    const schema = (call.documentedBody ?? call.body)?.meta()?.id;
    const act = () => {
      const source = next();
      const made = schema && valueOf(document, source, '', { $ref: `#/components/schemas/${String(schema)}` });
      return send({
        port,
        method: call.method.toUpperCase(),
        path: pathOf(source, call) + queryOf(source, call),
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(made === undefined ? {} : { body: JSON.stringify(made) }),
      });
    };
    return { name: `REST ${call.name}`, kind: 'request', restore, act };
  });

const token = `csrf=${csrfOf('abcdefgh23456777.secret')}`;

/** How many domains of the list a page is of, at the most. */
const chosenOf = ({ path }: (typeof pages)[number]): number => {
  if (path.includes('/setup')) return setupMaximum;
  return path.includes('/bulk') ? 40 : 0;
};

const pagesOfDashboard = ({ port, restore, known }: Servers, random: () => Random): readonly Act[] =>
  pages.map((page) => {
    const next = sources(random(), known);
    const act = () => {
      const source = next();
      const chosen = page.name === 'dashboardSetUp' ? hostnamesOf(source.random, chosenOf(page)) : [];
      return send({
        port,
        method: page.method.toUpperCase(),
        path: `/dashboard${pathOf(source, page)}?${chosen.join('&')}&q=${source.isFit ? 'h1' : 'h1'.repeat(100)}&since=0`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        ...(page.name === 'dashboardEvents' ? { events: 1 + domains } : {}),
        ...(page.method === 'post' ? { body: [token, ...formOf(source, chosenOf(page))].join('&') } : {}),
      });
    };
    return { name: `page ${page.name}`, kind: 'request', restore, act };
  });

function questionOfProxy({ authorizePort, key, restore }: Servers, random: Random): Act {
  const act = () =>
    send({
      port: authorizePort,
      method: 'GET',
      path: `/authorize/orders/${encodeURIComponent(textOf(random, 450))}`,
      headers: {
        authorization: `Bearer ${' '.repeat(random(6_000))}${key}`,
        'x-forwarded-for': '1,'.repeat(random(1_000)),
        forwarded: 'for="[::1]:1";'.repeat(random(300)),
      },
    });
  return { name: 'authorize', kind: 'request', restore, act };
}

const checksOfDns: readonly Act[] = families.flatMap((family) =>
  [false, true].map((isForged) => ({
    name: `check of ${family}${isForged ? ', called forged' : ''}`,
    kind: 'check' as const,
    restore: () => Promise.resolve(),
    act: () => check(family, isForged),
  })),
);

const portOfServer = (server: Server): number => (server.address() as AddressInfo).port;
const portOf = ({ url }: DashboardInMemory): number => Number(new URL(url).port);

async function startAuthorize(api: InMemoryApi): Promise<Server> {
  const { dependencies } = unobserved(api.dependencies);
  const server = createServer(
    createAuthorize({
      dependencies,
      address: () => '192.0.2.1',
      decided: () => undefined,
      arrived: () => undefined,
      failed: () => undefined,
      apis: { orders: { cost: 1 } },
      served: () => undefined,
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** As many certificates as are taken, each signed by the next one. */
function longestChain(): Source['known'] {
  const maker = certificateMaker();
  try {
    let by: Made | undefined;
    const authorities = ['four', 'three', 'two', 'one'].map((name) => {
      by = maker.make({ subject: `/CN=${name}`, extensions: ofAuthority, ...(by ? { by } : {}) });
      return by.pem;
    });
    const leaf = maker.make({
      extensions: [...ofServer, names(redirecting)],
      subject: `/CN=${redirecting}`,
      ...(by ? { by } : {}),
    });
    return { certificate: [leaf.pem, ...authorities.toReversed()].join(''), privateKey: leaf.key };
  } finally {
    maker.remove();
  }
}

export interface EveryCall {
  readonly acts: readonly Act[];
  /** how many requests of the account's quota were spent so far */
  readonly spent: () => number;
  stop(): void;
}

/** Everything that strangers can make our processes compute, on servers in this process; inputs are the same with the same seed. */
export async function startEveryCall(seed: number): Promise<EveryCall> {
  const { api, key, otherKey, restore, spent } = createFullAccount();
  const dashboard = await startDashboardInMemory(api);
  const authorize = await startAuthorize(api);
  const redirector = await startTestRedirector();
  const linkToken = await tokenOfLink(api);
  const authorizePort = portOfServer(authorize);
  const servers: Servers = {
    port: portOf(dashboard),
    authorizePort,
    key,
    restore,
    known: { ...longestChain(), key: otherKey },
  };
  let streams = 0;
  const random = () => seeded(seed * 1_000 + (streams += 1));
  return {
    acts: [
      ...callsOfApi(servers, random),
      ...pagesOfDashboard(servers, random),
      questionOfProxy(servers, random()),
      ...requestsOfStrangers(
        { port: servers.port, redirectorPort: portOfServer(redirector.server), linkToken },
        random,
      ),
      ...checksOfDns,
    ],
    spent,
    stop() {
      dashboard.stop();
      authorize.close();
      void redirector.stop();
    },
  };
}
