import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, parse, stringify } from 'yaml';
import { findDebian } from '../../dev/platform/debian.ts';
import { findEnvoy } from '../../dev/platform/envoy.ts';
import type { Part } from '../../dev/platform/process.ts';
import { startPart } from '../../dev/platform/process.ts';
import { findTool } from '../../dev/platform/tools.ts';
import { freePort } from './redis.ts';

/** The proxies of config/authorize, each with the file as it is there, but for addresses. */

interface ProxyOptions {
  /** `host:port` of the authorize endpoint */
  readonly authorize: string;
  /** `host:port` of the API behind the proxy */
  readonly api: string;
  /** a folder of the proxy's own */
  readonly dir: string;
  /** false for the same proxy that asks nobody, to compare with */
  readonly asks?: boolean;
}

export interface TestProxy {
  readonly port: number;
  stop(): Promise<void>;
}

export type StartProxy = (options: ProxyOptions) => Promise<TestProxy>;

const authorizeHost = 'projectdomain-authorize.projectdomain-system.svc.cluster.local';
const apiHost = 'uploads.default.svc.cluster.local';
const tell = (line: string) => void process.stderr.write(`${line}\n`);

const sample = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../config/authorize', name), 'utf8');

interface Started {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly dir: string;
  readonly port: number;
}

/** A proxy may listen before it has read its routes. */
async function startProxy({ port, ...part }: Started): Promise<TestProxy> {
  const ready = async () =>
    (await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1_000) })).status !== 404;
  const started: Part = await startPart({ ...part, ready });
  return { port, stop: () => started.stop() };
}

interface Middleware {
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

/** Traefik with the Middlewares' specs in a file of its own, as there is no Kubernetes here. */
export const startTraefikProxy: StartProxy = async ({ authorize, api, dir, asks = true }) => {
  const [program, port] = [await findTool('traefik', tell), await freePort()];
  const text = sample('traefik.yaml').replace(authorizeHost, authorize);
  const found = parseAllDocuments(text).map((document) => document.toJS() as Middleware);
  const middlewares = Object.fromEntries(found.map(({ metadata, spec }) => [metadata.name, spec]));
  const file = join(dir, 'dynamic.yaml');
  const http = {
    middlewares,
    routers: {
      uploads: { rule: 'PathPrefix(`/`)', middlewares: asks ? Object.keys(middlewares) : [], service: 'uploads' },
    },
    services: { uploads: { loadBalancer: { servers: [{ url: `http://${api}` }] } } },
  };
  writeFileSync(file, stringify({ http }));
  const args = [
    '--global.checknewversion=false',
    '--global.sendanonymoususage=false',
    `--entrypoints.web.address=127.0.0.1:${port}`,
    `--providers.file.filename=${file}`,
    '--log.level=ERROR',
  ];
  return startProxy({ name: 'traefik', program, args, dir, port });
};

export const startNginxProxy: StartProxy = async ({ authorize, api, dir, asks = true }) => {
  const [[program = ''], port] = [await findDebian([{ file: 'nginx', package: 'nginx' }], tell), await freePort()];
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(dir, name), { recursive: true });
    return `${name}_temp_path ${join(dir, name)};`;
  });
  const server = sample('nginx.conf')
    .replace(`${authorizeHost}:80`, authorize)
    .replace(apiHost, api)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('auth_request /_authorize;', asks ? 'auth_request /_authorize;' : '');
  const lines = [
    'user root;',
    'daemon off;',
    'worker_processes 1;',
    'error_log stderr warn;',
    `pid ${join(dir, 'nginx.pid')};`,
    'events { worker_connections 512; }',
    `http { access_log off; ${temporary.join(' ')} ${server} }`,
  ];
  const file = join(dir, 'nginx.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return startProxy({ name: 'nginx', program, args: ['-c', file, '-p', dir], dir, port });
};

interface Socket {
  address: string;
  port_value: number;
}

/** Every address of the file that is one of `moved` is where that is. */
function moveSockets(value: unknown, moved: Readonly<Record<string, string>>): void {
  if (typeof value !== 'object' || value === null) return;
  const { socket_address: socket } = value as { readonly socket_address?: Socket };
  const to = socket && moved[socket.address];
  if (socket && to !== undefined) {
    const [address = '', port] = to.split(':');
    Object.assign(socket, { address, port_value: Number(port) });
  }
  for (const below of Object.values(value)) moveSockets(below, moved);
}

const withoutAuthorization = (_: unknown, value: unknown): unknown =>
  Array.isArray(value) ? value.filter((item: { readonly name?: string }) => !item.name?.endsWith('ext_authz')) : value;

export const startEnvoyProxy: StartProxy = async ({ authorize, api, dir, asks = true }) => {
  const [program, port] = [await findEnvoy(tell), await freePort()];
  const text = sample('envoy.yaml');
  const config = (asks ? parse(text) : parse(text, withoutAuthorization)) as object;
  moveSockets(config, { '0.0.0.0': `127.0.0.1:${port}`, [authorizeHost]: authorize, [apiHost]: api });
  const file = join(dir, 'envoy.yaml');
  writeFileSync(file, stringify(config));
  const args = ['-c', file, '--concurrency', '1', '--disable-hot-restart', '--log-level', 'error'];
  return startProxy({ name: 'envoy', program, args, dir, port });
};
