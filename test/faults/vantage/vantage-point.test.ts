import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pki } from '../../../dev/platform/pki.ts';
import { createPki } from '../../../dev/platform/pki.ts';
import type { DnsFacts } from '../../../src/dns/dns-facts.ts';
import { writeFacts } from '../../../src/dns/vantage/check-documents.ts';
import { createVantagePoint } from '../../../src/dns/vantage/vantage-point.ts';
import { drip } from '../../support/drip.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';
import { fullCheck, hostname, rightFacts, token } from '../../support/vantage.ts';

/** The client of a vantage point against servers that fail in every way: whatever they do, it is no facts, in time. */

let dir: string;
let pki: Pki;
let tokenFile: string;
const servers: Server[] = [];
/** of every question; it comes when a test says so */
let deadline: AbortController;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-vantage-'));
  pki = createPki(dir);
  tokenFile = join(dir, 'token');
  writeFileSync(tokenFile, `${token}\nanother\n`);
});

beforeEach(() => {
  deadline = new AbortController();
});

afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    }),
  );
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(reply: Reply, san = 'DNS:localhost'): Promise<number> {
  const { certFile, keyFile } = pki.issue(san.replace(/\W/g, '-'), { commonName: 'vantage', san });
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, reply);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

const pointAt = (port: number, change: { readonly tokenFile?: string; readonly caFile?: string | null } = {}) =>
  createVantagePoint(
    { name: 'b', url: `https://localhost:${port}`, tokenFile, caFile: pki.caFile, ...change },
    () => deadline.signal,
  );

const ask = (point: ReturnType<typeof pointAt>) => point.ask(fullCheck, new AbortController().signal);

const document = (changes: object = {}): string =>
  JSON.stringify({ ...(JSON.parse(writeFacts(rightFacts)) as object), ...changes });

const saying =
  (body: string, status = 200): Reply =>
  (_, response) =>
    void response.writeHead(status).end(body);

/** An answer about one name, with changes to what it says of it. */
const naming = (changes: object): string =>
  document({ names: [{ ...(rightFacts.names[hostname] as object), ...changes }] });

const record = { name: hostname, type: 'A', ttl: 60, value: '192.0.2.1' };
const withRecords = (records: readonly object[]): string =>
  naming({ authorities: [{ source: 'ns', outcomes: { A: { kind: 'records', records } } }] });

describe('a vantage point that answers', () => {
  it('is believed, and nothing of its answer can be changed', async () => {
    let seen: IncomingMessage | null = null;
    const answer = await ask(
      pointAt(
        await serve((request, response) => {
          seen = request;
          saying(document())(request, response);
        }),
      ),
    );
    expect(answer).toEqual({ facts: rightFacts, silence: null });
    expect((seen as IncomingMessage | null)?.headers.authorization).toBe(`Bearer ${token}`);
    const { names } = answer.facts as DnsFacts;
    expect(() => Object.assign(names[hostname]?.authorities[0]?.outcomes ?? {}, { A: 1 })).toThrow(TypeError);
    expect(names['constructor']).toBeUndefined();
  });

  it('may have closed a connection that was kept: the check is sent again on another', async () => {
    let requests = 0;
    const port = await serve((request, response) => {
      requests += 1;
      if (requests === 2) return void request.socket.destroy();
      saying(document())(request, response);
    });
    const point = pointAt(port);
    await ask(point);
    expect((await ask(point)).silence).toBeNull();
    expect(requests).toBe(3);
  });

  it('may say more than is known here, as a newer version does', async () => {
    expect((await ask(pointAt(await serve(saying(document({ more: 1 })))))).silence).toBeNull();
  });
});

/** Fails when a broken answer is taken for facts, or is waited for without end. */
describe('a vantage point that', () => {
  it.each<[sentence: string, silence: string, reply: Reply]>([
    ['closes it without a word', 'unreachable', (request) => request.socket.destroy()],
    [
      'stops within the answer',
      'unreachable',
      (_, response) => {
        response.writeHead(200, { 'content-length': 1_000 }).write('{"hostname":', () => response.destroy());
      },
    ],
    ['says 401', 'unauthorized', saying('', 401)],
    ['says 403', 'unauthorized', saying('', 403)],
    ['says 410', 'failed', saying('', 410)],
    ['says 429', 'busy', saying('', 429)],
    ['says 503', 'busy', saying('', 503)],
    ['says 500 with a body without end', 'failed', (_, response) => drip(response.writeHead(500), ' ', 1)],
    ['leads elsewhere', 'failed', (_, response) => void response.writeHead(307, { location: '/' }).end(document())],
    ['says 204', 'failed', saying('', 204)],
    ['says nothing in 200', 'malformed', saying('')],
    ['says no JSON', 'malformed', saying('<html>')],
    ['says a list', 'malformed', saying('[]')],
    ['says more than a megabyte', 'malformed', saying(`${' '.repeat(1_048_576)}${document()}`)],
    ['answers without end', 'malformed', (_, response) => drip(response.writeHead(200), ' '.repeat(65_536), 0)],
    ['says brackets without end', 'malformed', saying('['.repeat(500_000))],
    ['answers about another hostname', 'malformed', saying(document({ hostname: 'www.example.org' }))],
    ['says a name twice', 'malformed', saying(document({ names: Array(2).fill(rightFacts.names[hostname]) }))],
    ['says more names than a check finds', 'malformed', saying(document({ names: Array(257).fill({}) }))],
    ['says a zone that the name is not in', 'malformed', saying(naming({ zone: 'example.org' }))],
    [
      'says an outcome that there is none of',
      'malformed',
      saying(naming({ authorities: [{ source: '', outcomes: { A: { kind: 'yes' } } }] })),
    ],
    ['says a record of too many', 'malformed', saying(withRecords(Array(65).fill(record)))],
    ['says a line end in a record', 'malformed', saying(withRecords([{ ...record, value: 'a\nb' }]))],
    ['says other letters than ASCII', 'malformed', saying(withRecords([{ ...record, value: 'ä' }]))],
    ['says a name in upper case', 'malformed', saying(withRecords([{ ...record, name: 'WWW.example.com' }]))],
    ['says a value of 6,000 characters', 'malformed', saying(withRecords([{ ...record, value: 'a'.repeat(6_000) }]))],
    ['says a negative TTL', 'malformed', saying(withRecords([{ ...record, ttl: -1 }]))],
  ])('%s: %s', async (_, silence, reply) => {
    expect(await ask(pointAt(await serve(reply)))).toEqual({ facts: null, silence });
  });

  it.each<[sentence: string, reply: Reply]>([
    ['never answers', () => undefined],
    ['answers in drips without end', (_, response) => drip(response.writeHead(200), ' ', 1)],
  ])('%s is waited for until the deadline: timeout', async (_, reply) => {
    const asked = Promise.withResolvers<void>();
    const port = await serve((request, response) => {
      reply(request, response);
      asked.resolve();
    });
    let isAnswered = false;
    const answer = ask(pointAt(port)).finally(() => (isAnswered = true));
    await asked.promise;
    await turnsOfLoop(100);
    expect(isAnswered).toBe(false);
    deadline.abort();
    expect(await answer).toEqual({ facts: null, silence: 'timeout' });
  });

  it('resets the connection: unreachable', async () => {
    const server = createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const answer = await ask(pointAt((server.address() as AddressInfo).port));
    await new Promise((done) => server.close(done));
    expect(answer.silence).toBe('unreachable');
  });

  it('is not there: unreachable', async () => {
    expect((await ask(pointAt(1))).silence).toBe('unreachable');
  });

  it('has a certificate for another name: untrusted, and it never sees the token', async () => {
    let requests = 0;
    const port = await serve(() => (requests += 1), 'DNS:elsewhere.example');
    expect((await ask(pointAt(port))).silence).toBe('untrusted');
    expect(requests).toBe(0);
  });

  it('has a certificate of an authority that is not trusted: untrusted', async () => {
    expect((await ask(pointAt(await serve(saying(document())), { caFile: null }))).silence).toBe('untrusted');
  });

  it('cannot be asked without token or roots: nothing is sent', async () => {
    const port = await serve(saying(document()));
    const missing = join(dir, 'missing');
    expect((await ask(pointAt(port, { tokenFile: missing }))).silence).toBe('unauthorized');
    expect((await ask(pointAt(port, { caFile: missing }))).silence).toBe('untrusted');
  });

  it('is no longer waited for when the check has ended', async () => {
    const port = await serve(() => undefined);
    const ended = new AbortController();
    const answer = pointAt(port).ask(fullCheck, ended.signal);
    ended.abort();
    expect((await answer).facts).toBeNull();
  });
});
