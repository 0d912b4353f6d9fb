import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Issuer } from '../issuing/issuer-account-uri.ts';
import { accountUriOf, issuerKindOf } from '../issuing/issuer-account-uri.ts';
import type { IssuerRef } from '../issuing/issuer-ref.ts';

export interface IssuerAccountOptions {
  readonly cluster: Pick<Cluster, 'get'>;
  readonly issuer: IssuerRef;
  readonly clock: Clock;
  readonly log: Log;
}

const rereadAfterMs = 60_000;
const patienceMs = 1_000;

/**
 * The ACME account of the issuer, as its status shows it: read when it is needed, once a minute at most. Null until it
 * could be read; the last one known while it cannot. Never rejects, and settles within a second.
 */
export function createIssuerAccount({
  cluster,
  issuer,
  clock,
  log,
}: IssuerAccountOptions): () => Promise<string | null> {
  let known: string | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const read = async () => {
    try {
      known = accountUriOf(await cluster.get<Issuer>(issuerKindOf(issuer), { namespace: '', name: issuer.name }));
    } catch (error) {
      log.warn(
        { err: error, issuer },
        'the issuer cannot be read: lookups cannot tell whether CAA records name its account',
      );
    }
    readAt = clock.elapsed();
    reading = null;
  };
  return async () => {
    if (clock.elapsed() - readAt < rereadAfterMs) return known;
    reading ??= read();
    const patience = new AbortController();
    await Promise.race([reading, clock.sleep(patienceMs, patience.signal).catch(() => undefined)]);
    patience.abort();
    return known;
  };
}
