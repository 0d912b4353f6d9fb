import type { KubeConfig } from '@kubernetes/client-node';
import type { Connection } from './connection.ts';
import { cachedFor, connectInCluster } from './connection.ts';

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
