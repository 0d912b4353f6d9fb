import { renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from '../kube/port.ts';
import { readKey } from '../kube/secret.ts';
import { mintToken } from '../kube/token.ts';
import type { Transport } from '../kube/transport.ts';
import type { Clock } from '../runtime/clock.ts';
import type { OperatorConfig } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import { errorOf } from '../runtime/log.ts';
import { installationKeyName } from './secret.ts';

export interface HandOver {
  readonly transport: Transport;
  readonly cluster: Cluster;
  readonly config: Pick<OperatorConfig, 'sidecar' | 'systemNamespace'>;
  /** folder of our own identity: its ca.crt is the API server's too */
  readonly identity: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Bound to nothing but time: Kubernetes ties a token to a Pod only where the Pod runs as that ServiceAccount. */
const lifetimeSeconds = 1_800;
/** Of a token's life; the kubelet renews its own at the same age. */
const renewAt = 0.8;
/** Whatever the two clocks say of each other. */
const keptAtLeastMs = 60_000;
const retryAfterMs = 2_000;
const keyLookEveryMs = 1_000;

/**
 * Gives the API server in the same Pod what it cannot get by itself, in a folder that both containers mount: a token of
 * its own ServiceAccount (a Pod has only one, and it is ours), kept fresh, and the HMAC key, which no kubelet could
 * mount before it was made. Ends with the signal.
 */
export async function handOver(parts: HandOver, signal: AbortSignal): Promise<void> {
  const { sidecar } = parts.config;
  if (sidecar === null) return;
  await Promise.all([keepToken(parts, sidecar, signal), giveKey(parts, sidecar.folder, signal)]);
}

type Sidecar = NonNullable<OperatorConfig['sidecar']>;

async function keepToken({ transport, config, identity, clock, log }: HandOver, sidecar: Sidecar, signal: AbortSignal) {
  const { folder, serviceAccount } = sidecar;
  const of = { namespace: config.systemNamespace, serviceAccount, lifetimeSeconds };
  while (!signal.aborted) {
    try {
      const { token, expiresAt } = await mintToken(transport, of);
      put(join(folder, 'ca.crt'), await readFile(join(identity, 'ca.crt')));
      put(join(folder, 'token'), token);
      await sleep(clock, Math.max((Date.parse(expiresAt) - clock.now()) * renewAt, keptAtLeastMs), signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ error: errorOf(error), serviceAccount }, 'no token for the API server; it is asked for again');
      await sleep(clock, retryAfterMs, signal);
    }
  }
}

async function giveKey({ cluster, config, clock, log }: HandOver, folder: string, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      const key = await readKey(cluster, { namespace: config.systemNamespace, name: installationKeyName });
      if (key) return put(join(folder, 'hmac.key'), key);
    } catch (error) {
      log.warn({ error: errorOf(error) }, 'the HMAC key cannot be read; it is asked for again');
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
