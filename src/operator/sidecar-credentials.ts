import { renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { readHmacKey, uidOfSecret, installationKeyName } from './installation-key.ts';
import { mintToken } from '../kubernetes/service-account-token.ts';
import type { Transport } from '../kubernetes/transport.ts';
import type { Clock } from '../lib/clock.ts';
import type { OperatorConfig } from './config.ts';
import type { Log } from '../lib/log.ts';

export interface SidecarCredentialsDependencies {
  readonly transport: Transport;
  readonly cluster: Cluster;
  readonly config: Pick<OperatorConfig, 'sidecar' | 'systemNamespace'>;
  /** folder of our own identity: its ca.crt is the API server's too */
  readonly identity: string;
  /** resolves when this operator could lead; the key is given then, so a Pod counts as begun once its operator has */
  readonly ready: Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** An operator may be away for a day, and its absence be seen and mended on the next (docs/adr/0031). */
const lifetimeSeconds = 48 * 3_600;
const renewAfterMs = 3_600_000;
/** Of a token's life, where the API server of Kubernetes gives less than was asked for. */
const renewAt = 0.8;
/** How soon tokens that somebody ended are replaced. */
const lookEveryMs = 15_000;
const retryAfterMs = 2_000;
const keyLookEveryMs = 1_000;

/** Name of the file that is handed over last. */
export const keyFile = 'hmac.key';

/**
 * Gives the API server in the same Pod what it cannot get on its own, in a folder that both containers mount: a token of
 * its own ServiceAccount (a Pod has only one, and it is ours), kept fresh, and the HMAC key, which no kubelet could
 * mount before it was made. Ends with the signal.
 */
export async function provideSidecarCredentials(
  parts: SidecarCredentialsDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { sidecar } = parts.config;
  if (sidecar === null) return;
  await Promise.all([keepToken(parts, sidecar, signal), giveKey(parts, sidecar.folder, signal)]);
}

type Sidecar = NonNullable<OperatorConfig['sidecar']>;

interface Given {
  readonly uid: string;
  readonly renewAt: number;
}

async function keepToken(parts: SidecarCredentialsDependencies, sidecar: Sidecar, signal: AbortSignal) {
  const { clock, log } = parts;
  let given: Given | null = null;
  while (!signal.aborted) {
    try {
      given = await giveToken(parts, sidecar, given);
      await sleep(clock, lookEveryMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { serviceAccount } = sidecar;
      log.warn({ err: error, serviceAccount }, 'no token for the API server; it is asked for again');
      await sleep(clock, retryAfterMs, signal);
    }
  }
}

/** A new token where there is none, where it is an hour old, and where the Secret it ends with is no longer that one. */
async function giveToken(parts: SidecarCredentialsDependencies, sidecar: Sidecar, given: Given | null): Promise<Given> {
  const { transport, cluster, config, identity, clock } = parts;
  const { folder, serviceAccount } = sidecar;
  const namespace = config.systemNamespace;
  const name = `${serviceAccount}-tokens`;
  const uid = await uidOfSecret(cluster, { namespace, name });
  if (given?.uid === uid && clock.now() < given.renewAt) return given;
  const of = { namespace, serviceAccount, lifetimeSeconds, boundTo: { name, uid } };
  const { token, expiresAt } = await mintToken(transport, of);
  put(join(folder, 'ca.crt'), await readFile(join(identity, 'ca.crt')));
  put(join(folder, 'token'), token);
  const life = Date.parse(expiresAt) - clock.now();
  return { uid, renewAt: clock.now() + Math.min(life * renewAt, renewAfterMs) };
}

async function giveKey(parts: SidecarCredentialsDependencies, folder: string, signal: AbortSignal) {
  const { cluster, config, clock, log, ready } = parts;
  await Promise.race([ready, aborted(signal)]);
  while (!signal.aborted) {
    try {
      const key = await readHmacKey(cluster, { namespace: config.systemNamespace, name: installationKeyName });
      if (key) return put(join(folder, keyFile), key);
    } catch (error) {
      log.warn({ err: error }, 'the HMAC key cannot be read; it is asked for again');
    }
    await sleep(clock, keyLookEveryMs, signal);
  }
}

/** Whoever reads sees the old or the new content and never a part. */
function put(path: string, content: string | Uint8Array): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** The end of the signal ends the sleep too; that is no fault. */
const sleep = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  clock.sleep(ms, signal).catch(() => undefined);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
