import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Server } from 'node:http';
import type { RedirectSnapshot } from '../../src/redirector/redirects/decide-redirect.ts';
import { decideRedirect } from '../../src/redirector/redirects/decide-redirect.ts';
import type { SocketLimits } from '../../src/lib/bounded-server.ts';
import { createRedirectServer } from '../../src/redirector/redirects/redirect-server.ts';
import { serveUntil } from '../../src/lib/http-server.ts';
import { claim, domain, platformClaim, project } from './snapshot.ts';

/** The redirector's own server on a real socket. `victim.example` redirects to the project's platform hostname. */
export interface TestRedirector {
  readonly server: Server;
  /** Connects, from the address that is given or any. */
  readonly open: (localAddress?: string) => Socket;
  /** Sends bytes of latin1, ends, and reads until the connection does. */
  readonly raw: (bytes: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export const victim = 'victim.example';
export const destination = 'shop.apps.example.net';

const seen: RedirectSnapshot = {
  claimOf: (hostname) => ({ [victim]: claim(), [destination]: platformClaim() })[hostname],
  domain: () => domain({ spec: { hostname: victim, role: 'Redirect', redirect: { to: destination } } }),
  project: () => project,
  withNonce: () => [],
  recent: () => null,
  wasPrimary: () => false,
  wasServed: () => false,
};

export async function startTestRedirector(limits: Partial<SocketLimits> = {}): Promise<TestRedirector> {
  const server = createRedirectServer({
    answer: (asked) => decideRedirect(asked, seen),
    served: () => undefined,
    stopping: () => false,
    limits,
  });
  const stopServing = await serveUntil(server, '127.0.0.1:0');
  const { port } = server.address() as AddressInfo;
  const open = (localAddress?: string) =>
    connect({ port, host: '127.0.0.1', ...(localAddress === undefined ? {} : { localAddress }) }).on(
      'error',
      () => undefined,
    );
  return {
    server,
    open,
    raw: (bytes) =>
      new Promise((resolve) => {
        const socket = open();
        let text = '';
        socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
        socket.on('close', () => resolve(text));
        socket.end(Buffer.from(bytes, 'latin1'));
      }),
    async stop() {
      server.closeAllConnections();
      await stopServing();
    },
  };
}

/** Answers one after another, each with its status and its header lines. */
export const answersIn = (text: string): readonly { readonly status: number; readonly head: readonly string[] }[] =>
  text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part.startsWith('HTTP/1.1 '))
    .map((part) => ({
      status: Number(part.slice(9, 12)),
      head: (part.split('\r\n\r\n', 1)[0] ?? '').split('\r\n').slice(1),
    }));

export const locationsIn = (text: string): readonly string[] =>
  answersIn(text).flatMap(({ head }) =>
    head.filter((line) => /^location:/i.test(line)).map((line) => line.slice('location:'.length).trim()),
  );
