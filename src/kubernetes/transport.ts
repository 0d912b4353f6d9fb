import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import { withinDeadline } from '../lib/deadline.ts';
import { messageOf } from '../lib/error-serializer.ts';
import type { Connection } from './connection.ts';
import { AnswerTooLongError, kubernetesError, TransportError } from './kubernetes-errors.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** path and query below the server's URL */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** timeout; 30 s when absent */
  readonly deadlineMs?: number;
}

/** Raw JSON to and from the kube-apiserver. Rejects with KubernetesError or TransportError and never retries. */
export interface Transport {
  call<T>(call: Call): Promise<T>;
  /** Opens a watch; resolves to its body as a stream, which the caller aborts. Rejects on any status but 200. */
  stream(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
}

const callDeadlineMs = 30_000;
/** Shorter than the 90 s after which a kube-apiserver ends a connection that is idle. Handshakes are most of what a rare call costs. */
const keptAliveMs = 30_000;
/** Limit of one answer: once parsed it takes several times as much memory, and a process has 256 MiB. */
const maxBodyBytes = 16 * 1024 * 1024;

/** Enough for the writes of all workers together. */
const usualConnections = 20;

/**
 * Two capped pools over HTTP/1.1, of `connections` for ordinary calls: watches hold their connection for minutes and must not starve ordinary calls.
 * HTTP/2 is off on purpose (docs/adr/0003).
 */
export function createTransport(connection: Connection, connections = usualConnections): Transport {
  const agent = (most: number, bodyTimeout: number) =>
    new Agent({
      connections: most,
      pipelining: 1,
      allowH2: false,
      connect: { ...connection.tls, timeout: 10_000 },
      keepAliveTimeout: keptAliveMs,
      headersTimeout: callDeadlineMs,
      bodyTimeout,
    });
  const calls = agent(connections, callDeadlineMs);
  const watches = agent(40, 0);
  const request = async (pool: Agent, call: Call, signal: AbortSignal) => {
    try {
      const authorization = await connection.authorization();
      const { origin, pathname } = new URL(connection.server);
      return await pool.request({
        origin,
        path: `${pathname.replace(/\/$/, '')}${call.path}`,
        method: call.method,
        headers: headers(call, authorization),
        body: call.body === undefined ? null : JSON.stringify(call.body),
        signal,
      });
    } catch (error) {
      throw new TransportError(`${call.method} ${call.path}: ${messageOf(error)}`, { cause: error });
    }
  };
  return {
    async call<T>(call: Call): Promise<T> {
      return withinDeadline({ ms: call.deadlineMs ?? callDeadlineMs }, async (signal) => {
        const response = await request(calls, call, signal);
        const text = await readBody(response, call);
        if (response.statusCode >= 300)
          throw kubernetesError(response.statusCode, text, header(response, 'retry-after'));
        return parse(text, call) as T;
      });
    },
    async stream(path, signal) {
      const response = await request(watches, { method: 'GET', path }, signal);
      if (response.statusCode === 200) return response.body;
      throw kubernetesError(
        response.statusCode,
        await readBody(response, { method: 'GET', path }),
        header(response, 'retry-after'),
      );
    },
    close: async () => {
      await Promise.all([calls.destroy(), watches.destroy()]);
    },
  };
}

/** The same transport with a shorter deadline, for callers whose users wait. */
export const withDeadline = (transport: Transport, deadlineMs: number): Transport => ({
  ...transport,
  call: <T>(call: Call) => transport.call<T>({ ...call, deadlineMs }),
});

function headers(call: Call, authorization: string | null): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': 'projectdomain',
    ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
    ...(authorization === null ? {} : { authorization }),
  };
}

function header(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

async function readBody(response: Dispatcher.ResponseData, call: Call): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBodyBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new TransportError(`${call.method} ${call.path}: ${messageOf(error)}`, { cause: error });
  }
  if (size > maxBodyBytes) {
    throw new AnswerTooLongError(`${call.method} ${call.path}: the answer is longer than ${maxBodyBytes} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string, call: Call): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TransportError(`${call.method} ${call.path}: the answer is not JSON`, { cause: error });
  }
}

/** No watch event is longer than this (etcd limits objects to 1.5 MiB). */
const maxLineBytes = 16 * 1024 * 1024;

/** Splits a body into lines; an incomplete line at its end is dropped. */
export async function* responseLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of body) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    begun.push(first);
    length += first.length;
    if (length > maxLineBytes) throw new Error(`a line is longer than ${maxLineBytes} bytes`);
    for (const next of others) {
      if (length > 0) yield begun.join('');
      begun = [next];
      length = next.length;
    }
  }
}
