import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connection } from '../../src/kubernetes/connection.ts';

/** One answer of a scripted API server: to a list (`watch` false) or to a watch. */
export type Script = (response: ServerResponse, url: URL) => void;

export interface FakeApiServer {
  readonly connection: Connection;
  /** every request so far, as path and query, but for those that were refused because lists are not streamed */
  readonly requests: readonly URL[];
  /** answers for the next lists and watches, in order; the last one of each stays */
  script(scripts: { lists?: readonly Script[]; watches?: readonly Script[] }): void;
  /** Cuts every connection and refuses new ones until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A stand-in for faults that a real API server does not produce on demand. With `streamsLists`, a watch that begins with all
 * objects is answered by the next list and goes on as the next watch; otherwise it is refused.
 */
export async function startFakeApiServer({ streamsLists = false } = {}): Promise<FakeApiServer> {
  const requests: URL[] = [];
  let lists: Script[] = [];
  let watches: Script[] = [];
  const next = (scripts: Script[]): Script =>
    (scripts.length > 1 ? scripts.shift() : scripts[0]) ?? ((response) => void response.writeHead(500).end());
  const server = createServer((request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '/', 'http://fake');
    const asksForStream = url.searchParams.get('sendInitialEvents') === 'true';
    if (asksForStream && !streamsLists) return refuse(422)(response, url);
    requests.push(url);
    if (asksForStream) return streamed({ response, url, list: () => next(lists), watch: () => next(watches) });
    next(url.searchParams.get('watch') === 'true' ? watches : lists)(response, url);
  });
  const listen = (at: number) => new Promise<void>((done) => server.listen(at, '127.0.0.1', done));
  const shut = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    connection: { server: `http://127.0.0.1:${port}`, tls: {}, authorization: () => Promise.resolve(null) },
    requests,
    script(given) {
      lists = [...(given.lists ?? lists)];
      watches = [...(given.watches ?? watches)];
    },
    shut,
    open: () => listen(port),
    stop: shut,
  };
}

interface StreamedList {
  readonly response: ServerResponse;
  readonly url: URL;
  readonly list: () => Script;
  readonly watch: () => Script;
}

function streamed({ response, url, list, watch }: StreamedList): void {
  let { status, text } = answerOf(list(), url);
  const items: object[] = [];
  while (status === 200) {
    const body = JSON.parse(text) as { metadata: { resourceVersion: string; continue?: string }; items: object[] };
    items.push(...body.items);
    if (body.metadata.continue === undefined) {
      const { resourceVersion } = body.metadata;
      const annotations = { 'k8s.io/initial-events-end': 'true' };
      response.writeHead(200).write(items.map((item) => lineOf('ADDED', item)).join(''));
      response.write(lineOf('BOOKMARK', { metadata: { resourceVersion, annotations } }));
      return watch()(begun(response), url);
    }
    ({ status, text } = answerOf(list(), url));
  }
  response.writeHead(status, { 'retry-after': '0' }).end(text);
}

/** What a script answers to a list. */
function answerOf(script: Script, url: URL): { readonly status: number; readonly text: string } {
  let [status, text] = [500, ''];
  const response = {
    writeHead(given: number) {
      status = given;
      return response;
    },
    end(given = '') {
      text = given;
    },
  };
  script(response as unknown as ServerResponse, url);
  return { status, text };
}

/** A response whose head was sent: a refusal becomes an event. */
function begun(response: ServerResponse): ServerResponse {
  let refused = 200;
  const going = {
    socket: response.socket,
    writeHead(status: number) {
      refused = status;
      return going;
    },
    write: (text: string, done?: () => void) => response.write(text, done),
    end: (text = '') => response.end(refused === 200 ? text : lineOf('ERROR', { code: refused, metadata: {} })),
  };
  return going as unknown as ServerResponse;
}

export const object = (name: string, version: number, uid = `uid-${name}`) => ({
  metadata: { name, namespace: 'a', uid, resourceVersion: String(version) },
  managed: true,
});

export const listOf =
  (version: number, ...items: readonly object[]): Script =>
  (response) =>
    void response.writeHead(200).end(JSON.stringify({ metadata: { resourceVersion: String(version) }, items }));

export const page =
  (next: string, ...items: readonly object[]): Script =>
  (response) =>
    void response.writeHead(200).end(JSON.stringify({ metadata: { resourceVersion: '1', continue: next }, items }));

export const refuse =
  (status: number, headers: Readonly<Record<string, string>> = {}): Script =>
  (response) =>
    void response
      .writeHead(status, headers)
      .end(JSON.stringify({ kind: 'Status', reason: 'Scripted', message: 'scripted' }));

const lineOf = (type: string, subject: object) => `${JSON.stringify({ type, object: subject })}\n`;

/** A watch that says these things and stays open. */
export const watchOf =
  (...events: readonly (readonly [string, object])[]): Script =>
  (response) =>
    void response.writeHead(200).write(events.map(([type, subject]) => lineOf(type, subject)).join('') || ' ');

/** A watch that says raw text and then resets, ends or stays silent. */
export const watchRaw =
  (text: string, end: 'reset' | 'end' | 'silence'): Script =>
  (response) => {
    response.writeHead(200);
    response.write(text || '\n', () => {
      if (end === 'reset') response.socket?.resetAndDestroy();
      if (end === 'end') response.end();
    });
  };

export const eventLine = lineOf;
