import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';

/** How to reach the kube-apiserver, and with which credentials. */
export interface Connection {
  /** URL without a trailing slash; with a path when a proxy serves several clusters, as Rancher does */
  readonly server: string;
  readonly tls: {
    readonly ca?: string | Buffer;
    readonly cert?: string | Buffer;
    readonly key?: string | Buffer;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
  /** the current Authorization header; null when only a client certificate authenticates */
  authorization(): Promise<string | null>;
}

/**
 * Caches the header for `maxAgeMs` and then makes it again: credentials are rotated while we run. Callers that come
 * while it is made share it.
 */
export function cachedFor(maxAgeMs: number, make: () => Promise<string | null>): () => Promise<string | null> {
  let cached: { readonly at: number; readonly header: string | null } | null = null;
  let pending: Promise<string | null> | null = null;
  const renew = async () => {
    const at = performance.now();
    try {
      cached = { at, header: await make() };
      return cached.header;
    } finally {
      pending = null;
    }
  };
  return async () => {
    if (cached && performance.now() - cached.at < maxAgeMs) return cached.header;
    pending ??= renew();
    return pending;
  };
}

/** Where a Pod's credentials are mounted: token, ca.crt and namespace (Kubernetes, "Accessing the API from a Pod"). */
export const identityFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The first credential file of this Pod that does not exist yet; null when all exist. */
export const missingIdentity = (folder = identityFolder): string | null =>
  ['ca.crt', 'token'].map((file) => join(folder, file)).find((path) => !existsSync(path)) ?? null;

const tokenReuseMs = 10_000;

/**
 * The connection of the Pod this process runs in. The token is rotated while we run, so its file is read again every
 * ten seconds. Rejects outside of a Pod, or when the credentials cannot be read.
 */
export async function connectInCluster(
  env: Readonly<Record<string, string | undefined>> = process.env,
  folder = identityFolder,
): Promise<Connection> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) throw new Error('not running in a Pod: KUBERNETES_SERVICE_HOST is not set; set a kubeconfig');
  const ca = await readFile(join(folder, 'ca.crt'));
  return Object.freeze({
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tls: { ca },
    authorization: cachedFor(
      tokenReuseMs,
      async () => `Bearer ${(await readFile(join(folder, 'token'), 'utf8')).trim()}`,
    ),
  });
}

/** How long a header is reused: an exec plugin starts a process each time. */
const reuseMs = 60_000;

/**
 * The connection that a kubeconfig file describes, or the in-cluster connection when no file is given. The library that
 * reads kubeconfigs is imported only when needed: it costs 85 MB and most of a second (docs/adr/0013).
 */
export async function connect(kubeconfig: string | undefined): Promise<Connection> {
  if (kubeconfig === undefined) return connectInCluster();
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new Error(`${kubeconfig}: the current context has no cluster`);
  return connectionOf(config, cluster.server);
}

/** A connection to `server` with the current context's credentials. Rejects when they cannot be read. */
export async function connectionOf(config: KubeConfig, server: string): Promise<Connection> {
  const readOptions = async () => {
    const options: Parameters<KubeConfig['applyToHTTPSOptions']>[0] = {};
    await config.applyToHTTPSOptions(options);
    return options as Connection['tls'] & { readonly headers?: Record<string, string> };
  };
  const { ca, cert, key, rejectUnauthorized, servername } = await readOptions();
  const tls = { ca, cert, key, rejectUnauthorized, servername };
  return Object.freeze({
    server: server.replace(/\/$/, ''),
    tls: Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined)),
    authorization: cachedFor(reuseMs, async () => (await readOptions()).headers?.Authorization ?? null),
  });
}
