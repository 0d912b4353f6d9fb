import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { UnknownCause } from '../dns-facts.ts';
import type { Endpoint } from './dns-endpoint.ts';
import type { Query, Question, Response } from './dns-message.ts';
import { decodeResponse, encodeQuestion, hasSameSpelling, withRandomCase } from './dns-message.ts';
import { createFrame, framed } from './stream-frame.ts';

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

function overTcp({ server, question, query, allowance, ...attempt }: Attempt): Promise<Response | UnknownCause> {
  const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(streamTimeoutMs)]);
  return new Promise((resolve) => {
    const socket = connect({ host: server.address, port: server.port, signal });
    const message = createFrame((length) => {
      allowance.answered();
      return allowance.bytes(length);
    });
    const end = (outcome: Response | UnknownCause) => {
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      resolve(outcome);
    };
    socket.on('error', () => end(signal.aborted ? 'timeout' : 'unreachable'));
    socket.on('close', () => end(signal.aborted ? 'timeout' : 'malformed'));
    socket.on('connect', () => socket.write(framed(query.bytes)));
    socket.on('data', (chunk: Buffer) => {
      const whole = message.take(chunk);
      if (whole === 'too-long') return end('bounds-exceeded');
      if (whole) end(entire(decodeResponse(whole, query.id, question)));
    });
  });
}

/** Over TCP nothing may be cut (RFC 7766 section 8): what is, cannot be read. */
const entire = (response: ReturnType<typeof decodeResponse>): Response | UnknownCause =>
  response === null || (typeof response !== 'string' && response.truncated) ? 'malformed' : response;
