import type { KubeConfig } from '@kubernetes/client-node';
import type { Connection } from './connection.ts';
import { keptFor, connectInCluster } from './connection.ts';

/** An exec plugin is a process of its own each time. */
const pluginEveryMs = 60_000;

/**
 * The connection of a kubeconfig file, or of the Pod this process runs in when no file is given. The library that reads
 * kubeconfigs is loaded only for one: it costs a process 85 MB and most of a second (docs/adr/0013).
 */
export async function connect(kubeconfig: string | undefined): Promise<Connection> {
  if (kubeconfig === undefined) return connectInCluster();
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new Error(`${kubeconfig} names no cluster`);
  return connectionOf(config, cluster.server);
}

/** What the current context says of who we are. Rejects when its credentials cannot be read. */
export async function connectionOf(config: KubeConfig, server: string): Promise<Connection> {
  const ask = async () => {
    const options: Parameters<KubeConfig['applyToHTTPSOptions']>[0] = {};
    await config.applyToHTTPSOptions(options);
    return options as Connection['tls'] & { readonly headers?: Record<string, string> };
  };
  const { ca, cert, key, rejectUnauthorized, servername } = await ask();
  const tls = { ca, cert, key, rejectUnauthorized, servername };
  return Object.freeze({
    server: server.replace(/\/$/, ''),
    tls: Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined)),
    authorization: keptFor(pluginEveryMs, async () => (await ask()).headers?.Authorization ?? null),
  });
}
