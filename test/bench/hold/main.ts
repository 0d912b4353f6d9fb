import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { csrfOf } from '../../../src/dashboard/request-guard.ts';
import { pages } from '../../../src/dashboard/page-table.ts';
import { createAuthorize } from '../../../src/server/authorize.ts';
import { apiCalls } from '../../../src/server/call-table.ts';
import { openApiDocument } from '../../../src/server/openapi.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { unobserved } from '../../support/unobserved-app.ts';
import { check, families } from './checks.ts';
import type { Document } from './made-inputs.ts';
import { pathOf, textOf, valueOf } from './made-inputs.ts';
import { seeded } from './random.ts';
import { longestTurn } from './turns.ts';

/**
 * For how long one request or one check keeps all others waiting: the most processor time between two turns of the event loop, over inputs at
 * their bounds. Reports, and never rejects. `--rounds N`: inputs for each call (20); `--seed N`.
 */

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const [rounds, seed] = [option('rounds', 20), option('seed', 1)];
const goalMs = 10;
const random = seeded(seed);
const document = openApiDocument(apiCalls) as unknown as Document;

const api = createInMemoryApi();
const key = api.account('bench', 'enterprise');
const domains = 500;
for (let index = 0; index < domains; index += 1) api.domain('bench', `h${index}.example.com`);
api.domain('bench', 'www.example.com');
const dashboard = await startDashboardInMemory(api);
const { dependencies } = unobserved(api.dependencies);
const authorize = createServer(
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

interface Sent {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Streams do not end by themselves: their first bytes are enough. */
const send = ({ body, ...options }: Sent): Promise<void> =>
  new Promise((done) => {
    const sent = request({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      const isStream = response.headers['content-type'] === 'text/event-stream';
      response.once(isStream ? 'readable' : 'end', () => {
        response.destroy();
        done();
      });
      if (!isStream) response.resume();
    });
    sent.on('error', () => done()).end(body);
  });

interface Measured {
  readonly name: string;
  readonly ms: number;
}

/** The longest turn of so many inputs, after as many that are not counted, as code is slow until it has run. */
async function measured(name: string, act: () => Promise<unknown>, count = rounds): Promise<Measured> {
  for (let warm = 0; warm < count; warm += 1) await act();
  let ms = 0;
  for (let done = 0; done < count; done += 1) ms = Math.max(ms, await longestTurn(act));
  return { name, ms };
}

const portOf = (url: string): number => Number(/:(\d+)$/.exec(url)?.[1]);
const found: Measured[] = [];

for (const call of apiCalls) {
  const schema = call.body?.meta()?.id;
  const act = () => {
    const made = schema ? valueOf(document, random, '', { $ref: `#/components/schemas/${String(schema)}` }) : undefined;
    const query = call.query ? `?limit=100&cursor=${encodeURIComponent(textOf(random, 300))}` : '';
    return send({
      port: portOf(dashboard.url),
      method: call.method.toUpperCase(),
      path: pathOf(random, call) + (random(2) === 0 ? query : ''),
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(made === undefined ? {} : { body: JSON.stringify(made).slice(0, 65_000) }),
    });
  };
  found.push(await measured(`REST ${call.name}`, act));
}

const fields = ['hostname', 'to', 'status', 'role', 'pair', 'name', 'expiresAt', 'days', 'scopes', 'act'];
for (const page of pages) {
  const act = () => {
    const values = fields.map((name) => `${name}=${encodeURIComponent(textOf(random, 100 + random(1_900)))}`);
    const many = Array.from({ length: 40 }, () => `hostname=h${random(domains)}.example.com`);
    const form = random(2) === 0 ? values : [...many, 'act=remove', `q=${'a'.repeat(200)}`];
    return send({
      port: portOf(dashboard.url),
      method: page.method.toUpperCase(),
      path: `/dashboard${pathOf(random, page)}?q=${'h1'.repeat(100)}&since=0`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      ...(page.method === 'post'
        ? { body: [`csrf=${csrfOf('abcdefgh23456777.secret')}`, ...form].join('&').slice(0, 16_000) }
        : {}),
    });
  };
  found.push(await measured(`page ${page.name}`, act));
}

found.push(
  await measured('authorize', () =>
    send({
      port: (authorize.address() as AddressInfo).port,
      method: 'GET',
      path: `/authorize/orders/${'a'.repeat(4_000)}`,
      headers: { authorization: `Bearer ${' '.repeat(6_000)}${key}`, 'x-forwarded-for': '1,'.repeat(1_000) },
    }),
  ),
);

for (const family of families)
  for (const isForged of [false, true]) {
    const name = `check of ${family}${isForged ? ', called forged' : ''}`;
    found.push(await measured(name, () => check(family, isForged), Math.ceil(rounds / 4)));
  }

dashboard.stop();
authorize.close();
const shown = found.toSorted((one, other) => other.ms - one.ms);
const print = (line: string) => void process.stdout.write(`${line}\n`);
for (const { name, ms } of shown.slice(0, 15)) print(`${ms.toFixed(1).padStart(7)} ms  ${name}`);
const over = shown.filter(({ ms }) => ms > goalMs).length;
print(`${found.length} calls, pages and checks, ${rounds} inputs each (checks ${Math.ceil(rounds / 4)}), seed ${seed}`);
print(`over ${goalMs} ms of the processor between two turns: ${over}`);
