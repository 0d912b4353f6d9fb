import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { AskedRequest, ServerName, SocketServer } from './socket-servers.ts';

/** Ways to hold sockets of an HTTP server, and the honest client beside them. */

export const attackNames = ['silence', 'half a head', 'half a body', 'not reading', 'pipelining', 'trickling'] as const;
export type AttackName = (typeof attackNames)[number];

const headOf = ({ method, path, headers, body }: AskedRequest, length = Buffer.byteLength(body)): string => {
  const fields = Object.entries({ ...headers, ...(method === 'POST' ? { 'content-length': String(length) } : {}) });
  return [`${method} ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
};

const pipelined = (request: AskedRequest): string => {
  const one = `${headOf(request)}\r\n\r\n${request.body}`;
  return one.repeat(Math.ceil(16_384 / one.length));
};

/** What an attacker sends at once. */
const openings: Readonly<Record<AttackName, (server: SocketServer) => string>> = {
  silence: () => '',
  'half a head': ({ honest }) => headOf(honest),
  'half a body': ({ posted }) => `${headOf(posted, 200)}\r\n\r\n${posted.body.slice(0, 1)}`,
  'not reading': ({ honest }) => pipelined(honest),
  pipelining: ({ posted }) => pipelined({ ...posted, method: 'GET', body: '' }),
  trickling: ({ honest }) => `${headOf(honest)}\r\nX: `,
};

export interface Attack {
  /** Opens so many sockets, one after the other; those from before send another byte where they trickle. */
  readonly open: (count: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

const attackers = '127.0.9.1';

export function startAttack(name: AttackName, server: SocketServer): Attack {
  const sockets = new Set<Socket>();
  const opening = openings[name](server);
  const openOne = () => {
    const tcp = connect({ port: server.port, host: '127.0.0.1', localAddress: attackers });
    const socket = server.tls && opening !== '' ? connectTls({ socket: tcp, rejectUnauthorized: false }) : tcp;
    sockets.add(socket);
    for (const each of [tcp, socket]) each.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.write(opening);
    if (name === 'not reading') socket.pause();
    else socket.resume();
    return new Promise<void>((done) => {
      for (const event of ['connect', 'close']) tcp.once(event, () => done());
    });
  };
  return {
    async open(count) {
      if (name === 'trickling') for (const socket of sockets) if (socket.writable) socket.write('x');
      await Promise.all(Array.from({ length: count }, openOne));
    },
    async end() {
      const all = [...sockets];
      for (const socket of all) socket.destroy();
      await Promise.all(all.filter(({ closed }) => !closed).map((socket) => once(socket, 'close')));
    },
  };
}

/** A client with connections of its own. */
export interface HonestClient {
  /** Asks on a new connection, and resolves to the status; 0 where the connection ended without one. */
  readonly askAnew: () => Promise<number>;
  /** Asks on the connection that it keeps. */
  readonly askAgain: () => Promise<number>;
  readonly end: () => void;
}

const honest = '127.0.9.2';

export function startHonestClient(server: SocketServer): HonestClient {
  const open = () => {
    const tcp = connect({ port: server.port, host: '127.0.0.1', localAddress: honest }).on('error', () => undefined);
    return server.tls ? connectTls({ socket: tcp, rejectUnauthorized: false }).on('error', () => undefined) : tcp;
  };
  const request = `${headOf(server.honest)}\r\n\r\n${server.honest.body}`;
  const kept = open();
  const askOn = (socket: Socket): Promise<number> =>
    new Promise((done) => {
      let text = '';
      const end = (status: number) => {
        socket.off('data', hear).off('close', gone);
        done(status);
      };
      const gone = () => end(0);
      const hear = (chunk: Buffer) => {
        text += chunk.toString('latin1');
        if (isWhole(text)) end(Number(text.slice(9, 12)));
      };
      if (socket.destroyed) return done(0);
      socket.on('data', hear).on('close', gone);
      socket.write(request);
    });
  return {
    async askAnew() {
      const socket = open();
      const status = await askOn(socket);
      socket.destroy();
      return status;
    },
    askAgain: () => askOn(kept),
    end: () => void kept.destroy(),
  };
}

function isWhole(text: string): boolean {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (!text.includes('\r\n\r\n')) return false;
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return body.endsWith('0\r\n\r\n');
  return Buffer.byteLength(body, 'latin1') >= Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
}

/** The servers in a process of their own. */
export interface ServersApart {
  readonly servers: Readonly<Record<ServerName, SocketServer>>;
  /** resident memory of their process, bytes */
  readonly rss: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

export async function startServersApart(redisUrl: string, connections: number | null): Promise<ServersApart> {
  const child: ChildProcess = fork(
    join(import.meta.dirname, 'socket-servers-main.ts'),
    [redisUrl, ...(connections === null ? [] : [String(connections)])],
    { execArgv: ['--disable-warning=ExperimentalWarning'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const told = async () => {
    const heard = new AbortController();
    const { signal } = heard;
    const ended = once(child, 'exit', { signal }).then(([status]) =>
      Promise.reject(new Error(`servers ended: ${status}`)),
    );
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [unknown];
    heard.abort();
    await ended.catch(() => undefined);
    return message;
  };
  const { servers } = (await told()) as Pick<ServersApart, 'servers'>;
  return {
    servers,
    async rss() {
      child.send('memory');
      return ((await told()) as { rss: number }).rss;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
