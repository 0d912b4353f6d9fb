import { renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { readHmacKey, uidOfSecret, installationKeyName } from './installation-key.ts';
import { mintToken } from '../kubernetes/service-account-token.ts';
import type { Transport } from '../kubernetes/transport.ts';
import { aborted } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import type { OperatorConfig } from './config.ts';
import type { Log } from '../lib/log.ts';

export interface SidecarCredentialsDependencies {
  readonly transport: Transport;
  readonly cluster: Cluster;
  readonly config: Pick<OperatorConfig, 'sidecar' | 'systemNamespace'>;
  /** folder of our own credentials; the API server gets the same ca.crt */
  readonly identity: string;
  /** resolves when this operator could lead; the key is written then, so that a Pod only starts up with its operator */
  readonly ready: Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** An operator may be down for a day, and be noticed and repaired on the next (docs/adr/0031). */
const lifetimeSeconds = 48 * 3_600;
const renewAfterMs = 3_600_000;
/** Part of a token's lifetime after which it is renewed, in case the kube-apiserver grants less than requested. */
const renewAt = 0.8;
/** How soon revoked tokens are replaced. */
const checkEveryMs = 15_000;
const retryAfterMs = 2_000;
const keyEveryMs = 1_000;

/** Name of the file that is handed over last. */
export const keyFile = 'hmac.key';

/**
 * Gives the API server in the same Pod its credentials, in a folder that both containers mount: a fresh token of its
 * own ServiceAccount (a Pod has only one, and it is the operator's), and the HMAC key, which no kubelet could mount
 * before it was created. Runs until the signal aborts.
 */
export async function provideSidecarCredentials(
  dependencies: SidecarCredentialsDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { sidecar } = dependencies.config;
  if (sidecar === null) return;
  await Promise.all([keepTokenFresh(dependencies, sidecar, signal), writeKey(dependencies, sidecar.folder, signal)]);
}

type Sidecar = NonNullable<OperatorConfig['sidecar']>;

interface WrittenToken {
  readonly uid: string;
  readonly renewAt: number;
}

async function keepTokenFresh(dependencies: SidecarCredentialsDependencies, sidecar: Sidecar, signal: AbortSignal) {
  const { clock, log } = dependencies;
  let written: WrittenToken | null = null;
  while (!signal.aborted) {
    try {
      written = await renewToken(dependencies, sidecar, written);
      await sleep(clock, checkEveryMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { serviceAccount } = sidecar;
      log.warn({ err: error, serviceAccount }, 'no token for the API server could be issued; trying again');
      await sleep(clock, retryAfterMs, signal);
    }
  }
}

/** Writes a new token when there is none, when it is an hour old, and when the Secret it is bound to was replaced. */
async function renewToken(
  dependencies: SidecarCredentialsDependencies,
  sidecar: Sidecar,
  written: WrittenToken | null,
): Promise<WrittenToken> {
  const { transport, cluster, config, identity, clock } = dependencies;
  const { folder, serviceAccount } = sidecar;
  const namespace = config.systemNamespace;
  const name = `${serviceAccount}-tokens`;
  const uid = await uidOfSecret(cluster, { namespace, name });
  if (written?.uid === uid && clock.now() < written.renewAt) return written;
  const of = { namespace, serviceAccount, lifetimeSeconds, boundTo: { name, uid } };
  const { token, expiresAt } = await mintToken(transport, of);
  writeAtomically(join(folder, 'ca.crt'), await readFile(join(identity, 'ca.crt')));
  writeAtomically(join(folder, 'token'), token);
  const life = Date.parse(expiresAt) - clock.now();
  return { uid, renewAt: clock.now() + Math.min(life * renewAt, renewAfterMs) };
}

async function writeKey(dependencies: SidecarCredentialsDependencies, folder: string, signal: AbortSignal) {
  const { cluster, config, clock, log, ready } = dependencies;
  await Promise.race([ready, aborted(signal)]);
  while (!signal.aborted) {
    try {
      const key = await readHmacKey(cluster, { namespace: config.systemNamespace, name: installationKeyName });
      if (key) return writeAtomically(join(folder, keyFile), key);
    } catch (error) {
      log.warn({ err: error }, 'the HMAC key cannot be read; trying again');
    }
    await sleep(clock, keyEveryMs, signal);
  }
}

/** Writes atomically: readers see the old or the new content, never a part. */
function writeAtomically(path: string, content: string | Uint8Array): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Resolves after `ms`, or when the signal aborts. */
const sleep = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  clock.sleep(ms, signal).catch(() => undefined);
