import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { UnknownCause } from '../dns-facts.ts';
import type { Endpoint } from './dns-endpoint.ts';
import type { Query, Question, Response } from './dns-message.ts';
import { decodeResponse, encodeQuestion, hasSameSpelling, withRandomCase, words } from './dns-message.ts';

/** What one query may use. `packet` and `bytes` return false once the check's budget is used up. */
export interface Allowance {
  /** takes one packet */
  packet(): boolean;
  /** counts the size of a message from the server before it is parsed, whether it answers the question or not */
  bytes(count: number): boolean;
  /** notes that a message has answered the question */
  answered(): void;
}

/** How one query is sent, and what it may use of the check's budget. */
interface ExchangeOptions {
  readonly signal: AbortSignal;
  readonly allowance: Allowance;
  /** with an OPT record (RFC 6891) */
  readonly edns: boolean;
  /** how long to wait for an answer over UDP */
  readonly timeoutMs: number;
}

/** Sends one question to one server. Resolves to the response or to the cause of having none; never rejects. */
export type Exchange = (
  server: Endpoint,
  question: Question,
  options: ExchangeOptions,
) => Promise<Response | UnknownCause>;

const streamTimeoutMs = 2_000;
/** packets that do not answer the question, after which the socket is closed */
const maxStrays = 100;

/**
 * Queries over UDP, each time from a new socket (thus a random source port) and with random case in the name. If the
 * server does not preserve the case, it is queried once more with another id and from another port, ignoring the case:
 * a forger would have to guess id and port twice. Truncated answers are repeated over TCP (RFC 7766). Every further
 * packet is counted.
 */
export const exchange: Exchange = async (server, question, options) => {
  const attempt = { ...options, server, question };
  const query = encodeQuestion(question, options.edns);
  const first = await overUdp({ ...attempt, query: withRandomCase(query), exactly: true });
  if (first !== 'other-spelling') return completed({ ...attempt, query }, first);
  if (!options.allowance.packet()) return 'bounds-exceeded';
  const again = await overUdp({ ...attempt, query: encodeQuestion(question, options.edns), exactly: false });
  return again === 'other-spelling' ? 'malformed' : completed({ ...attempt, query }, again);
};

interface Attempt extends ExchangeOptions {
  readonly server: Endpoint;
  readonly question: Question;
  readonly query: Query;
}

async function completed(attempt: Attempt, response: Response | UnknownCause): Promise<Response | UnknownCause> {
  if (typeof response === 'string' || !response.truncated) return response;
  return attempt.allowance.packet() ? overTcp(attempt) : 'bounds-exceeded';
}

interface Datagram extends Attempt {
  /** the name must come back in exactly the case in which it was sent */
  readonly exactly: boolean;
}

function overUdp(attempt: Datagram): Promise<Response | UnknownCause | 'other-spelling'> {
  const { server, question, query, allowance, exactly, signal } = attempt;
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
    let strays = 0;
    let timer: NodeJS.Timeout | undefined;
    let lastTurn: NodeJS.Immediate | undefined;
    const end = (outcome: Response | UnknownCause | 'other-spelling') => {
      clearTimeout(timer);
      clearImmediate(lastTurn);
      signal.removeEventListener('abort', onAbort);
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .close();
      resolve(outcome);
    };
    const onAbort = () => end('timeout');
    // Timers come before what has arrived: where this process was busy meanwhile, the answer may be there.
    const onTimeout = () => {
      lastTurn = setImmediate(onAbort);
    };
    if (signal.aborted) return end('timeout');
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('error', () => end('unreachable'));
    socket.on('message', (message) => {
      if (!allowance.bytes(message.length)) return end('bounds-exceeded');
      const response = decodeResponse(message, query.id, question);
      strays += 1;
      if (response === null) return strays > maxStrays ? end('malformed') : undefined;
      allowance.answered();
      end(exactly && !hasSameSpelling(message, query) ? 'other-spelling' : response);
    });
    socket.connect(server.port, server.address, () => {
      socket.send(query.bytes);
      timer = setTimeout(onTimeout, Math.ceil(attempt.timeoutMs));
    });
  });
}

async function overTcp({ server, question, query, allowance, ...attempt }: Attempt): Promise<Response | UnknownCause> {
  const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(streamTimeoutMs)]);
  const admits = (length: number): boolean => {
    allowance.answered();
    return allowance.bytes(length);
  };
  const received = await overStream(server, query.bytes, { admits, signal });
  if (Buffer.isBuffer(received)) return entire(decodeResponse(received, query.id, question));
  if (received === 'too-long') return 'bounds-exceeded';
  if (signal.aborted) return 'timeout';
  return received === 'closed' ? 'malformed' : 'unreachable';
}

/** Over TCP nothing may be cut (RFC 7766 section 8): what is, cannot be read. */
const entire = (response: ReturnType<typeof decodeResponse>): Response | UnknownCause =>
  response === null || (typeof response !== 'string' && response.truncated) ? 'malformed' : response;

interface StreamOptions {
  /** called with the announced length of the answer; false ends the exchange */
  readonly admits: (length: number) => boolean;
  readonly signal: AbortSignal;
}

/** Sends one message over TCP, and resolves to the first one that comes back or to why none does; never rejects. */
export function overStream(
  { address, port }: Endpoint,
  message: Buffer,
  { admits, signal }: StreamOptions,
): Promise<Buffer | 'too-long' | 'closed' | Error> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, signal });
    const frame = createFrame(admits);
    const end = (outcome: Buffer | 'too-long' | 'closed' | Error) => {
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      resolve(outcome);
    };
    socket.on('error', end);
    socket.on('close', () => end('closed'));
    socket.on('connect', () => socket.write(Buffer.concat([words(message.length), message])));
    socket.on('data', (chunk: Buffer) => {
      const received = frame.take(chunk);
      if (received !== null) end(received);
    });
  });
}

/** Assembles a DNS message from a TCP stream (RFC 1035 section 4.2.2), in one buffer of the announced length. */
function createFrame(admits: (length: number) => boolean) {
  const prefix: number[] = [];
  let body: Buffer | null = null;
  let filled = 0;
  return {
    /** Adds a chunk. Returns the message once it is complete, null before. */
    take(chunk: Buffer): Buffer | 'too-long' | null {
      const missing = Math.min(2 - prefix.length, chunk.length);
      prefix.push(...chunk.subarray(0, missing));
      const [high, low] = prefix;
      if (high === undefined || low === undefined) return null;
      if (body === null && !admits((high << 8) | low)) return 'too-long';
      body ??= Buffer.alloc((high << 8) | low);
      filled += chunk.copy(body, filled, missing);
      return filled === body.length ? body : null;
    },
  };
}
