import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPki } from '../../dev/platform/pki.ts';

/** A web server at an address of loopback, over HTTP and over HTTPS with a certificate that nobody vouches for. */
export interface EdgeServer {
  readonly address: string;
  readonly ports: { readonly http: number; readonly https: number };
  /** connections so far */
  readonly connections: () => number;
  /** request lines with their scheme and Host, in the order in which they came */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

export type EdgeListener = (scheme: 'http' | 'https', ...request: Parameters<RequestListener>) => void;

export async function startEdgeServer(listener: EdgeListener, address = '127.0.0.1'): Promise<EdgeServer> {
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-edge-'));
  const { certFile, keyFile } = createPki(dir).issue('edge', { commonName: 'edge', san: 'DNS:edge.invalid' });
  const [cert, key] = [readFileSync(certFile), readFileSync(keyFile)];
  rmSync(dir, { recursive: true });
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const noting =
    (scheme: 'http' | 'https'): RequestListener =>
    (request, response) => {
      asked.push(`${request.method} ${scheme}://${request.headers.host}${request.url}`);
      listener(scheme, request, response);
    };
  const servers: readonly Server[] = [
    createHttpServer(noting('http')),
    createHttpsServer({ cert, key }, noting('https')),
  ];
  let connections = 0;
  for (const server of servers) {
    server.on('connection', (socket: Socket) => {
      connections += 1;
      sockets.add(socket.on('error', () => undefined));
    });
    await new Promise<void>((done) => server.listen(0, address, done));
  }
  const [http = 0, https = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  return {
    address,
    ports: { http, https },
    connections: () => connections,
    asked,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}
