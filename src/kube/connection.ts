import type { KubeConfig } from '@kubernetes/client-node';
import { connectInCluster } from './in-cluster.ts';

/** How to reach the API server and as whom. */
export interface Connection {
  /** origin, without a path at its end */
  readonly server: string;
  readonly tls: {
    readonly ca?: string | Buffer;
    readonly cert?: string | Buffer;
    readonly key?: string | Buffer;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
  /** the Authorization header for a call made now; null where the client certificate speaks */
  authorization(): Promise<string | null>;
}

const tokenKeptMs = 60_000;

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
  const options: Parameters<KubeConfig['applyToHTTPSOptions']>[0] = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, rejectUnauthorized, servername } = options as Connection['tls'];
  const tls = { ca, cert, key, rejectUnauthorized, servername };
  const given = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
  return Object.freeze({ server: cluster.server.replace(/\/$/, ''), tls: given, authorization: authorizer(config) });
}

/** Tokens of files and exec plugins are renewed under us, so they are asked for again every minute. */
function authorizer(config: KubeConfig): () => Promise<string | null> {
  const user = config.getCurrentUser();
  const certificateOnly = !user?.token && !user?.exec && !user?.authProvider && !user?.username;
  if (certificateOnly) return () => Promise.resolve(null);
  let kept: { at: number; header: string | null } | null = null;
  return async () => {
    if (kept && Date.now() - kept.at < tokenKeptMs) return kept.header;
    const options: { headers?: Record<string, string> } = {};
    await config.applyToHTTPSOptions(options);
    kept = { at: Date.now(), header: options.headers?.Authorization ?? null };
    return kept.header;
  };
}
