import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

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

/** The header is made anew as soon as the one that was made is older than `keptMs`: credentials are renewed under us. */
export function keptFor(keptMs: number, make: () => Promise<string | null>): () => Promise<string | null> {
  let kept: { readonly at: number; readonly header: string | null } | null = null;
  return async () => {
    if (kept && performance.now() - kept.at < keptMs) return kept.header;
    kept = { at: performance.now(), header: await make() };
    return kept.header;
  };
}

/** Where a Pod finds who it is: token, ca.crt and namespace (Kubernetes, "Accessing the API from a Pod"). */
export const identityFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The file that is still missing before this Pod can speak to the API server; null when all are there. */
export const missingIdentity = (folder = identityFolder): string | null =>
  ['ca.crt', 'token'].map((file) => join(folder, file)).find((path) => !existsSync(path)) ?? null;

const fileEveryMs = 10_000;

/**
 * The connection of the Pod this process runs in. The token is renewed under us, so its file is read again every
 * ten seconds. Rejects when this is no Pod or its identity is not there.
 */
export async function connectInCluster(
  env: Readonly<Record<string, string | undefined>> = process.env,
  folder = identityFolder,
): Promise<Connection> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) throw new Error('this is no Pod: KUBERNETES_SERVICE_HOST is not set; give a kubeconfig');
  const ca = await readFile(join(folder, 'ca.crt'));
  return Object.freeze({
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tls: { ca },
    authorization: keptFor(fileEveryMs, async () => `Bearer ${(await readFile(join(folder, 'token'), 'utf8')).trim()}`),
  });
}
