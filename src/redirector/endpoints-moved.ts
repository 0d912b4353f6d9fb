import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { ConfigMapKind } from '../resources/kinds.ts';
import { recordedAddresses, redirectorRecordName } from '../routing/redirect-service.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

export interface EndpointsMovedDependencies {
  readonly cluster: Pick<Cluster, 'get'>;
  readonly systemNamespace: string;
  /** this Pod's own, as EndpointSlices name them */
  readonly addresses: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

const askEveryMs = 500;

/**
 * Resolves once no account namespace leads to this Pod any more, as the operator recorded, at the latest after
 * `atMostMs`. Not to know is no reason to go: the operator may be on its way.
 */
export async function untilEndpointsMoved(parts: EndpointsMovedDependencies, atMostMs: number): Promise<void> {
  const { clock, log } = parts;
  const end = clock.elapsed() + atMostMs;
  while (clock.elapsed() < end) {
    if (await isMoved(parts)) return;
    await clock.sleep(Math.min(askEveryMs, Math.max(0, end - clock.elapsed())));
  }
  log.warn({ addresses: parts.addresses, atMostMs }, 'account namespaces may still lead here; ending all the same');
}

async function isMoved({ cluster, systemNamespace, addresses, log }: EndpointsMovedDependencies): Promise<boolean> {
  try {
    const record = await cluster.get(ConfigMapKind, { namespace: systemNamespace, name: redirectorRecordName });
    const named = recordedAddresses(record);
    return record !== undefined && !addresses.some((address) => named.includes(address));
  } catch (error) {
    log.warn({ err: error }, 'where namespaces lead cannot be read; it is asked again');
    return false;
  }
}
