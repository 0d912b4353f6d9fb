import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keptFor } from './connection.ts';
import type { Connection } from './connection.ts';

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
