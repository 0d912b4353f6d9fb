import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { ConfigMapKind } from '../resources/kinds.ts';
import { recordedAddresses, redirectorRecordName } from '../routing/redirect-service.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

export interface EndpointsMovedDependencies {
  readonly cluster: Pick<Cluster, 'get'>;
  readonly systemNamespace: string;
  /** this Pod's own, in the form of EndpointSlices */
  readonly addresses: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

const pollEveryMs = 500;

/**
 * Resolves once no account namespace routes to this Pod any more by the operator's record, at the latest after
 * `atMostMs`. It also waits while the record is missing or cannot be read: the operator may still update namespaces.
 */
export async function untilEndpointsMoved(dependencies: EndpointsMovedDependencies, atMostMs: number): Promise<void> {
  const { clock, log } = dependencies;
  const end = clock.elapsed() + atMostMs;
  while (clock.elapsed() < end) {
    if (await isMoved(dependencies)) return;
    await clock.sleep(Math.min(pollEveryMs, Math.max(0, end - clock.elapsed())));
  }
  log.warn({ addresses: dependencies.addresses, atMostMs }, 'account namespaces may still route here; stopping anyway');
}

async function isMoved({ cluster, systemNamespace, addresses, log }: EndpointsMovedDependencies): Promise<boolean> {
  try {
    const record = await cluster.get(ConfigMapKind, { namespace: systemNamespace, name: redirectorRecordName });
    const named = recordedAddresses(record);
    return record !== undefined && !addresses.some((address) => named.includes(address));
  } catch (error) {
    log.warn({ err: error }, 'the record of redirector addresses cannot be read; trying again');
    return false;
  }
}
