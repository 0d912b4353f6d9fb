import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { createServer } from 'node:tls';
import { createPki } from '../../dev/platform/pki.ts';
import type { Probe } from '../../src/routing/https-probe.ts';
import { createHttpsProbe } from '../../src/routing/https-probe.ts';

/** What an ingress does with a connection: in TLS, or before it. */
export type Behaviour =
  | { readonly secure: (socket: TLSSocket) => void; readonly name?: string }
  | { readonly plain: (socket: Socket) => void };

export interface TestIngress {
  readonly probe: Probe;
  /** end of life of its certificate, RFC 3339 */
  readonly notAfter: string;
  /** connections so far */
  readonly connections: () => number;
  readonly stop: () => Promise<void>;
}

export interface Authority {
  /** `late` aborts when the probe has waited too long; its own deadline where it is absent */
  ingress(behaviour: Behaviour, at?: { readonly host?: string; readonly late?: AbortSignal }): Promise<TestIngress>;
  remove(): void;
}

export const hostname = 'www.example.com';

/** Ingresses on real sockets whose certificates one authority signs, each as badly behaved as it is told to be. */
export function createAuthority(): Authority {
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-ingress-'));
  const pki = createPki(dir);
  const ca = readFileSync(pki.caFile, 'utf8');
  return {
    async ingress(behaviour, { host = '127.0.0.1', late } = {}) {
      const name = 'name' in behaviour && behaviour.name !== undefined ? behaviour.name : hostname;
      const issued = pki.issue(name, { commonName: name, san: `DNS:${name}` });
      const cert = readFileSync(issued.certFile);
      const sockets = new Set<Socket>();
      let connections = 0;
      const server =
        'plain' in behaviour
          ? createTcpServer(behaviour.plain)
          : createServer({ cert, key: readFileSync(issued.keyFile) }, (socket) => {
              socket.on('error', () => undefined);
              behaviour.secure(socket);
            });
      server.on('connection', (socket: Socket) => {
        connections += 1;
        sockets.add(socket.on('error', () => undefined));
      });
      await new Promise<void>((done) => server.listen(0, host, done));
      const { port } = server.address() as AddressInfo;
      return {
        probe: createHttpsProbe({ address: host, port, ca }, late && (() => late)),
        notAfter: new Date(new X509Certificate(cert).validTo).toISOString(),
        connections: () => connections,
        stop: () =>
          new Promise<void>((done) => {
            for (const socket of sockets) socket.destroy();
            server.close(() => done());
          }),
      };
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Says this to the first bytes that come. */
export const answering =
  (text: string) =>
  (socket: TLSSocket): void => {
    socket.once('data', () => socket.write(text));
  };
