import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import { join } from 'node:path';
import { createPki } from '../../dev/platform/pki.ts';
import { AcmeProblem } from '../../src/acme/acme-errors.ts';
import { registrableDomain } from '../../src/rules/hostname.ts';
import type { BoulderLimits, LimitedOrder, LimitName } from './boulder-limits.ts';
import { createBoulderLimits } from './boulder-limits.ts';

export interface LimitsProxyOptions {
  /** a folder for its certificate */
  readonly dir: string;
  /** where it listens; the authority is at another port of the same address */
  readonly address: string;
  readonly port: number;
  /** URL of the authority's directory, and PEM file that vouches for it */
  readonly directory: string;
  readonly caFile: string;
  readonly limits: Parameters<typeof createBoulderLimits>[0];
}

/** An authority that stands behind limits. */
export interface LimitsProxy {
  readonly directory: string;
  readonly caFile: string;
  /** orders that were passed on, by hostname */
  readonly orders: ReadonlyMap<string, number>;
  /** orders that were refused, by limit, of all accounts */
  refusals(): ReadonlyMap<LimitName, number>;
  /** most orders of an account within one window */
  busiest(): number;
  /** authorizations that failed */
  readonly failed: ReadonlySet<string>;
  stop(): Promise<void>;
}

const longestBody = 262_144;

/**
 * Stands before an ACME authority and passes everything on as it is, but for new orders beyond the limits of their account (LimitsProxyOptions),
 * which it refuses as Let's Encrypt does. It learns from the answers what was issued and what failed.
 */
export async function startLimitsProxy(options: LimitsProxyOptions): Promise<LimitsProxy> {
  const { address, port, directory, dir } = options;
  const pki = createPki(join(dir, 'limits-proxy'));
  const { certFile, keyFile } = pki.issue('limits-proxy', { commonName: 'limits-proxy', san: `IP:${address}` });
  const books = createBooks(options.limits);
  const upstream = new URL(directory);
  const agent = new Agent({ keepAlive: true, ca: readFileSync(options.caFile) });
  const pass = (asked: IncomingMessage, body: Buffer) =>
    new Promise<Answer>((resolve, reject) => {
      const { method = 'GET', url = '/', headers } = asked;
      const passed = request(new URL(url, upstream), { agent, method, headers }, (answer) => {
        readBody(answer).then(
          (text) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: text }),
          reject,
        );
      });
      passed.on('error', reject);
      passed.end(body);
    });
  const oneAtATime = createTurns();
  const handle = async (asked: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(asked);
    const order = asked.method === 'POST' && asked.url === books.newOrderPath() ? orderIn(body) : null;
    const counted = order && books.count(order);
    if (counted instanceof AcmeProblem) return refuse(response, counted);
    const answer = await (order || books.isAuthorization(asked.url ?? '')
      ? oneAtATime(() => pass(asked, body))
      : pass(asked, body));
    if (answer.status >= 400) counted?.();
    books.learn(asked.url ?? '', answer, order);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (asked, response) => {
    handle(asked, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(port, address, done));
  return {
    directory: `https://${address}:${port}${upstream.pathname}`,
    caFile: pki.caFile,
    orders: books.orders,
    refusals: books.refusals,
    busiest: books.busiest,
    failed: books.failed,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      agent.destroy();
    },
  };
}

/**
 * Pebble 2.10.1 has a lock on all that it stores while it looks at each authorization for a new order, and a lock on an authorization while
 * it looks up the account that asks for it: side by side the two can wait for each other for ever, as they did among 7,000 orders.
 */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = before.then(work);
    before = done.catch(() => undefined);
    return done;
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A new order as its account signed it. */
interface AskedOrder extends LimitedOrder {
  readonly account: string;
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of message as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > longestBody) throw new Error('the body is too long');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const decoded = (base64: unknown): unknown => JSON.parse(Buffer.from(String(base64), 'base64url').toString());

function orderIn(body: Buffer): AskedOrder {
  const jws = JSON.parse(body.toString()) as { readonly protected: string; readonly payload: string };
  const { kid } = decoded(jws.protected) as { readonly kid: string };
  const { identifiers, replaces } = decoded(jws.payload) as {
    readonly identifiers: readonly { readonly value: string }[];
    readonly replaces?: string;
  };
  const hostname = identifiers.map(({ value }) => value).join(' ');
  const registeredDomain = registrableDomain(identifiers[0]?.value ?? '');
  return { account: kid, hostname, registeredDomain, isRenewal: replaces !== undefined };
}

/** What is counted, and what is known of the authority's objects by their paths. */
function createBooks(limits: LimitsProxyOptions['limits']) {
  const accounts = new Map<string, BoulderLimits>();
  const placed = new Map<string, AskedOrder>();
  const byAuthorization = new Map<string, AskedOrder>();
  const issued = new Set<string>();
  const failed = new Set<string>();
  const orders = new Map<string, number>();
  let newOrderPath: string | null = null;

  const limitsOf = (account: string): BoulderLimits => {
    const known = accounts.get(account) ?? createBoulderLimits(limits);
    accounts.set(account, known);
    return known;
  };
  const keep = (order: AskedOrder, { authorizations = [] }: Said, location: string) => {
    orders.set(order.hostname, (orders.get(order.hostname) ?? 0) + 1);
    placed.set(new URL(location).pathname, order);
    for (const url of authorizations) byAuthorization.set(new URL(url).pathname, order);
  };
  /** Once for each order that was issued, and for each authorization that failed. */
  const settle = (seen: Set<string>, path: string, how: 'issued' | 'failed') => {
    const order = (how === 'issued' ? placed : byAuthorization).get(path);
    if (!order || seen.has(path)) return;
    seen.add(path);
    const counting = limitsOf(order.account);
    if (how === 'issued') counting.issued(order, Date.now());
    else counting.failed(order.hostname, Date.now());
  };
  return {
    orders,
    failed: failed as ReadonlySet<string>,
    newOrderPath: () => newOrderPath,
    isAuthorization: (path: string) => byAuthorization.has(path),
    busiest: () => Math.max(0, ...[...accounts.values()].map(({ busiest }) => busiest)),
    refusals() {
      const all = [...accounts.values()].flatMap(({ refusals }) => [...refusals]);
      return new Map(
        all.map(([name]) => [name, all.reduce((sum, [other, count]) => sum + (other === name ? count : 0), 0)]),
      );
    },
    /** What gives it back, as where the authority does not take the request's nonce; or the refusal. */
    count(order: AskedOrder): AcmeProblem | (() => void) {
      try {
        return limitsOf(order.account).order(order, Date.now());
      } catch (error) {
        if (error instanceof AcmeProblem) return error;
        throw error;
      }
    },
    learn(path: string, { status, headers, body }: Answer, order: AskedOrder | null) {
      if (status >= 400 || !String(headers['content-type']).includes('json')) return;
      const said = JSON.parse(body.toString() || '{}') as Said;
      if (said.newOrder !== undefined) newOrderPath = new URL(said.newOrder).pathname;
      if (order) keep(order, said, headers.location ?? '');
      if (said.status === 'valid') settle(issued, path, 'issued');
      if (said.status === 'invalid') settle(failed, path, 'failed');
    },
  };
}

/** Members of an authority's objects. */
interface Said {
  readonly newOrder?: string;
  readonly status?: string;
  readonly authorizations?: readonly string[];
}

function refuse(response: ServerResponse, { detail }: AcmeProblem): void {
  const problem = { type: 'urn:ietf:params:acme:error:rateLimited', detail, status: 429 };
  response.writeHead(429, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
}
