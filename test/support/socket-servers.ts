import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPki } from '../../dev/platform/pki.ts';
import { createApiListener } from '../../src/api-server/api-listener.ts';
import { serveHealth } from '../../src/lib/health-server.ts';
import { serveUntil } from '../../src/lib/http-server.ts';
import { createAuthorize } from '../../src/server/authorize.ts';
import { clientAddress } from '../../src/server/client-address.ts';
import { createCallerTokens, createCheckServer } from '../../src/vantage/check-server.ts';
import type { Certificate } from '../../src/vantage/check-server.ts';
import { startAttackApi } from './attack-api.ts';
import { createInMemoryApi } from './in-memory-api.ts';
import { startTestRedirector, victim } from './redirector.ts';
import { unobserved } from './unobserved-app.ts';
import { fullCheck, rightFacts, token } from './vantage.ts';

/** A server of ours, and what an honest client asks it. */
export interface SocketServer {
  readonly port: number;
  readonly tls: boolean;
  readonly honest: AskedRequest;
  readonly status: number;
  /** where an attacker sends a body that somebody would wait for */
  readonly posted: AskedRequest;
}

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const asked = (path: string, headers: AskedRequest['headers'] = {}): AskedRequest => ({
  ...{ method: 'GET', path, body: '' },
  headers: { host: 'server', ...headers },
});
const sent = (path: string, headers: AskedRequest['headers'], body: string): AskedRequest => ({
  ...asked(path, headers),
  ...{ method: 'POST', body },
});

export const serverNames = ['api', 'authorize', 'redirector', 'vantage', 'vantage over TLS', 'health'] as const;
export type ServerName = (typeof serverNames)[number];

export interface SocketServersOptions {
  readonly redisUrl: string;
  /** fewer than are shipped; null for as many */
  readonly connections: number | null;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Starts all kinds of servers in this process, each as its program makes it. They end with the process. */
export async function startSocketServers({
  redisUrl,
  connections,
}: SocketServersOptions): Promise<Readonly<Record<ServerName, SocketServer>>> {
  const limits = connections === null ? {} : { connections };
  const api = await startAttackApi({ url: redisUrl, passwordFile: null, caFile: null }, { limits });
  api.account('honest', { requestsPerMinute: 10_000_000, requestsPerDay: 100_000_000 });
  const { key } = api.key('honest');
  const redirector = await startTestRedirector(limits);
  const [plain, secure] = await Promise.all([startVantage(limits, null), startVantage(limits, madeCertificate())]);
  const check = sent('/v1/checks', { authorization: `Bearer ${token}` }, JSON.stringify(fullCheck));
  return {
    api: {
      ...{ port: Number(new URL(api.url).port), tls: false, status: 200 },
      honest: asked('/v1/account', { authorization: `Bearer ${key}` }),
      posted: sent('/dashboard/sign-in', form, 'key=a'),
    },
    authorize: { tls: false, status: 200, ...(await startAuthorize(limits)) },
    redirector: {
      ...{ port: portOf(redirector.server), tls: false, status: 301 },
      honest: asked('/', { host: victim }),
      posted: sent('/', { host: victim }, 'a=b'),
    },
    vantage: { port: plain, tls: false, status: 200, honest: check, posted: check },
    'vantage over TLS': { port: secure, tls: true, status: 200, honest: check, posted: check },
    health: {
      port: await startHealth(),
      tls: false,
      status: 200,
      honest: asked('/livez'),
      posted: sent('/livez', {}, 'a'),
    },
  };
}

type Limits = { readonly connections?: number };

async function startAuthorize(limits: Limits): Promise<Pick<SocketServer, 'port' | 'honest' | 'posted'>> {
  const memory = createInMemoryApi();
  const key = memory.account('honest', 'enterprise');
  const address = clientAddress([], 'X-Forwarded-For');
  const options = {
    ...unobserved(memory.dependencies),
    address,
    apis: { search: { cost: 1 } },
    served: () => undefined,
  };
  const server = createApiListener(createAuthorize(options), { ...options, limits }, { trustedProxies: [] });
  await serveUntil(server, '127.0.0.1:0');
  const headers = { authorization: `Bearer ${key}` };
  return {
    port: portOf(server),
    honest: asked('/authorize/search', headers),
    posted: sent('/authorize/search', headers, 'a'),
  };
}

async function startVantage(limits: Limits, tls: Certificate | null): Promise<number> {
  const tokens = createCallerTokens();
  tokens.use(token);
  const server = createCheckServer({
    dns: { check: () => Promise.resolve(rightFacts) },
    atMost: 64,
    isAuthorized: tokens.isAuthorized,
    answered: () => undefined,
    failed: (error) => void process.stderr.write(`${String(error)}\n`),
    stopping: () => false,
    tls,
    limits,
  });
  await serveUntil(server, '127.0.0.1:0');
  return portOf(server);
}

function madeCertificate(): Certificate {
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-sockets-'));
  const { certFile, keyFile } = createPki(dir).issue('vantage', { commonName: 'vantage', san: 'DNS:localhost' });
  const certificate = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  rmSync(dir, { recursive: true, force: true });
  return certificate;
}

/** The health server tells nobody where it listens, so a port is looked for first. */
async function startHealth(): Promise<number> {
  const { createServer } = await import('node:net');
  const probe = createServer();
  const port = await new Promise<number>((done) =>
    probe.listen(0, '127.0.0.1', () => done((probe.address() as AddressInfo).port)),
  );
  await new Promise((done) => probe.close(done));
  await serveHealth(`127.0.0.1:${port}`, { notReady: () => null, metrics: () => Promise.resolve('') });
  return port;
}
