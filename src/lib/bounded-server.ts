import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { createNewcomerBound, peerNetwork } from './newcomer-bound.ts';
import {
  hold,
  waitInLine,
  createSeat,
  largestUnread,
  noteWhole,
  observe,
  phaseOf,
  unreadBytes,
  overdue,
} from './socket-seat.ts';
import type { RefusedRequest } from './refused-request.ts';
import { bareAnswer, reasonOf } from './refused-request.ts';
import type { SocketDeadlines, Seat } from './socket-seat.ts';
import { createSocketPlaces } from './socket-places.ts';

/** What all sockets of a server may cost. */
export interface SocketLimits extends SocketDeadlines {
  readonly connections: number;
  /** of them, for one address; `isExempt` knows whose are not counted */
  readonly perAddress: number;
  /** of one request */
  readonly headBytes: number;
  /** of all requests that are not whole, together */
  readonly unreadBytes: number;
}

/**
 * An idle connection costs about 14 kB, so 5,000 are 70 MB; what is read of requests that are not whole adds 32 MiB, looked at four times a second. Browsers send
 * cookies of up to 4 KB each, and load balancers pass on up to 64 KiB of head.
 */
export const socketLimits: SocketLimits = Object.freeze({
  connections: 5_000,
  perAddress: 5_000,
  headBytes: 64 * 1_024,
  unreadBytes: 32 * 1_024 * 1_024,
  bodyMs: 5_000,
  stalledMs: 10_000,
  answerMs: 60_000,
  lingerMs: 1_000,
});

/**
 * In milliseconds. Proxies keep idle connections for up to ten minutes (Google's load balancer 600 s, Traefik 90 s), and lose a request
 * that they send as we close one: ours stay open for longer.
 */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 620_000,
} as const;

const sweepEveryMs = 250;

export interface BoundedServerOptions {
  /** also of requests without a Host, and with an expectation */
  readonly handle: RequestListener;
  /** null for plain HTTP */
  readonly tls?: { readonly cert: string; readonly key: string } | null;
  /** the answer to what is no request, as it goes over the wire; without it one that has no body */
  readonly refuse?: (refused: RefusedRequest) => string | Promise<string>;
  /** whose sockets count for themselves alone: trusted proxies, which have many clients */
  readonly isExempt?: (peer: string | undefined) => boolean;
  readonly limits?: Partial<SocketLimits>;
  readonly clock?: Pick<Clock, 'elapsed'>;
}

/** A server, and its look at all sockets, four times a second while it listens. */
export interface BoundedServer {
  readonly server: Server | TlsServer;
  readonly sweep: () => void;
}

/** The server of `createSweptServer`. */
export const createBoundedServer = (options: BoundedServerOptions): Server | TlsServer =>
  createSweptServer(options).server;

/**
 * An HTTP server whose clients cannot hold what all share. Each socket may lose its place whenever it is its client that is waited for: until
 * the request is read whole, between two requests, and while the answer is not read; who goes, `createSocketPlaces` says. Head, body and
 * answer have deadlines. One request of a socket is answered at a time, and nothing is read behind a second one. A body is invited (100
 * Continue) when somebody begins to read it. What is no request is answered as well.
 */
export function createSweptServer(options: BoundedServerOptions): BoundedServer {
  const { handle, tls = null, refuse = bareAnswer, isExempt = () => false, clock = systemClock } = options;
  const limits = { ...socketLimits, ...options.limits };
  const settings = { ...timeouts, maxHeaderSize: limits.headBytes, requireHostHeader: false };
  const server =
    tls === null
      ? createServer(settings)
      : createTlsServer({ ...settings, ...tls, handshakeTimeout: timeouts.headersTimeout });
  const seats = new WeakMap<Duplex, Seat>();
  const handshakes = new Map<string, Seat>();
  const end = (seat: Seat): void => {
    places.leave(seat);
    seat.queue.length = 0;
    seat.socket.destroy();
  };
  const places = createSocketPlaces<Seat>(
    { connections: limits.connections, perGroup: limits.perAddress },
    { isWorking: (seat) => phaseOf(seat) === 'working', evict: end },
  );

  const blockList = createNewcomerBound({
    networkOf: (address) => (isExempt(address) ? null : peerNetwork(address)),
    holdsUnusuallyMany: places.holdsUnusuallyMany,
    elapsed: clock.elapsed,
  });
  // node:net reads it from the server; node:http does not hand the option on.
  Object.assign(server, { blockList });

  const sit = (seat: Seat, socket: Socket): void => {
    seat.socket = socket;
    seats.set(socket, seat);
    noteBegin(seat, socket);
    closeInStages(seat, socket);
    socket.once('close', () => places.leave(seat));
    // Node.js itself resumes at the end of each message, and when somebody reads a body.
    socket.on('resume', () => hold(seat));
  };
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: peer } = socket;
    const ends = endsOf(socket);
    const seat = createSeat(socket, isExempt(peer) ? ends : peerNetwork(peer), clock.elapsed());
    if (!places.take(seat)) return void socket.destroy();
    sit(seat, socket);
    if (tls === null) return;
    handshakes.set(ends, seat);
    socket.once('close', () => handshakes.delete(ends));
  });
  server.on('secureConnection', (socket: Socket) => {
    const seat = handshakes.get(endsOf(socket));
    if (seat) sit(seat, socket);
    else socket.destroy();
  });

  // RFC 9112 section 9.6: after the last answer the rest of a body is read for a while, as its client may lose the answer otherwise.
  const closeInStages = (seat: Seat, socket: Socket): void => {
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (seat.body === null || seat.body.request.complete || seat.isRefused) return destroySoon();
      seat.isRefused = true;
      seat.refusedAt = clock.elapsed();
      seat.queue.length = 0;
      socket.end();
      socket.resume();
    };
  };
  const next = (seat: Seat): void => {
    // RFC 9112 section 9.6: nothing behind the last answer of a connection is done.
    if (!seat.socket.writable) {
      seat.queue.length = 0;
      return places.enter(seat, 'unfinished');
    }
    const task = seat.queue.shift();
    if (task) return task();
    noteWhole(seat);
    places.enter(seat, seat.hasBegun ? 'unfinished' : 'idle');
    if (seat.socket.isPaused()) seat.socket.resume();
  };
  const begin = (seat: Seat, request: IncomingMessage, response: ServerResponse): void => {
    seat.response = response;
    seat.endedAt = null;
    seat.body = carriesBody(request) ? { request, since: clock.elapsed() } : null;
    places.enter(seat, phaseOf(seat) ?? 'working');
    if (seat.body) {
      request.once('end', () => {
        if (seat.body?.request !== request) return;
        seat.body = null;
        if (seat.response !== null) places.enter(seat, phaseOf(seat) ?? 'working');
        else if (seat.refusedAt === null) next(seat);
      });
    }
    response.once('close', () => {
      seat.response = null;
      seat.endedAt = null;
      if (seat.socket.destroyed || seat.refusedAt !== null) return;
      if (seat.body?.request.complete === false) return places.enter(seat, 'unfinished');
      seat.body = null;
      next(seat);
    });
    handle(request, response);
  };
  const enqueue = (seat: Seat, task: () => void): void => {
    if (!waitInLine(seat, task)) end(seat);
  };
  const arrive = (request: IncomingMessage, response: ServerResponse): void => {
    const seat = seats.get(request.socket);
    if (seat) seat.hasBegun = false;
    if (!seat || seat.isRefused || !request.socket.writable) return;
    if (seat.response === null) begin(seat, request, response);
    else enqueue(seat, () => begin(seat, request, response));
  };
  server.on('request', arrive).on('checkExpectation', arrive);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    arrive(request, response);
  });

  const say = async (seat: Seat, refused: RefusedRequest): Promise<void> => {
    seat.refusedAt = clock.elapsed();
    // A body that is too late stays unread: whoever reads it must not get the rest of it while its client is told.
    if (refused.reason === 'late' && seat.body !== null) seat.isHeld = true;
    hold(seat);
    places.enter(seat, 'unfinished');
    const text = await refuse(refused);
    if (seat.response?.headersSent || !seat.socket.writable) return end(seat);
    seat.refusedAt = clock.elapsed();
    if (!seat.isHeld) seat.socket.resume();
    seat.socket.end(text);
  };
  const turnAway = (seat: Seat, reason: RefusedRequest['reason'], request: IncomingMessage | null): void => {
    if (seat.isRefused) return;
    seat.isRefused = true;
    const tell = () => void say(seat, { reason, request, peer: seat.peer }).catch(() => end(seat));
    // What broke came behind a request that is being answered: that answer comes first.
    if (seat.response !== null && seat.body?.request.complete !== false) return enqueue(seat, tell);
    tell();
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const reason = reasonOf(error);
    const seat = seats.get(socket);
    if (!seat || reason === null) return void socket.destroy();
    turnAway(seat, reason, seat.body?.request ?? null);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const seat = seats.get(socket);
    socket.on('error', () => undefined);
    if (seat) turnAway(seat, 'tunnel', request);
    else socket.destroy();
  });

  const sweep = (): void => {
    const now = clock.elapsed();
    let unread = 0;
    for (const seat of places.all()) {
      const due = overdue(observe(seat, now), limits, now);
      if (due === 'close') end(seat);
      else if (due === 'refuse') turnAway(seat, 'late', seat.body?.request ?? null);
      places.enter(seat, phaseOf(seat) ?? seat.phase);
      if (seat.phase === 'unfinished') unread += unreadBytes(seat);
    }
    for (const seat of largestUnread(places.all(), unread - limits.unreadBytes)) end(seat);
  };
  let timer: NodeJS.Timeout | undefined;
  server.on('listening', () => (timer = setInterval(sweep, sweepEveryMs).unref()));
  server.on('close', () => clearInterval(timer));
  return { server, sweep };
}

/** A connection by its two ends: what carries TLS and what it carries are two sockets. */
const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

const carriesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** kOnMessageBegin, as Node.js' own parser numbers what it calls. */
const onMessageBegin = 0;

/**
 * Notes when something of a request has come whose head is not read whole. Nothing public tells: a socket counts bytes, whichever request they
 * are of, and an event comes with a whole head. Where the parser has no such place, what comes with a whole request counts as part of it.
 */
function noteBegin(seat: Seat, socket: Socket): void {
  const { parser } = socket as { parser?: Record<number, (() => void) | null> | null };
  if (parser) parser[onMessageBegin] = () => void (seat.hasBegun = true);
}
