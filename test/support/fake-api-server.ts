import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connection } from '../../src/kubernetes/connection.ts';

/** One answer of a scripted API server: to a list (`watch` false) or to a watch. */
export type Script = (response: ServerResponse, url: URL) => void;

export interface FakeApiServer {
  readonly connection: Connection;
  /** every request so far, as path and query */
  readonly requests: readonly URL[];
  /** answers for the next lists and watches, in order; the last one of each stays */
  script(scripts: { lists?: readonly Script[]; watches?: readonly Script[] }): void;
  /** Cuts every connection and refuses new ones until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
  stop(): Promise<void>;
}

/** A stand-in for faults that a real API server does not produce on demand. */
export async function startFakeApiServer(): Promise<FakeApiServer> {
  const requests: URL[] = [];
  let lists: Script[] = [];
  let watches: Script[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '/', 'http://fake');
    requests.push(url);
    const scripts = url.searchParams.get('watch') === 'true' ? watches : lists;
    const script = scripts.length > 1 ? scripts.shift() : scripts[0];
    if (script) script(response, url);
    else response.writeHead(500).end();
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
