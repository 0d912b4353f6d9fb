import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { AccountOfIssuer, Issuer, IssuerRef } from '../issuing/issuer-ref.ts';
import { accountsOfIssuer, issuerKindOf } from '../issuing/issuer-ref.ts';

export interface IssuerAccountsOptions {
  readonly cluster: Pick<Cluster, 'get'>;
  readonly issuer: IssuerRef;
  readonly clock: Clock;
  readonly log: Log;
}

const rereadAfterMs = 60_000;
const patienceMs = 1_000;

/**
 * The ACME accounts of the issuer in order of preference, as it shows them: read when they are needed, once a minute at most. One that is not
 * known until they could be read; the last ones known while they cannot. Never rejects, and settles within a second.
 */
export function createIssuerAccounts({
  cluster,
  issuer,
  clock,
  log,
}: IssuerAccountsOptions): () => Promise<readonly AccountOfIssuer[]> {
  let known = accountsOfIssuer(undefined);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const read = async () => {
    try {
      known = accountsOfIssuer(await cluster.get<Issuer>(issuerKindOf(issuer), { namespace: '', name: issuer.name }));
    } catch (error) {
      log.warn(
        { err: error, issuer },
        'the issuer cannot be read: lookups cannot tell whether CAA records name its accounts',
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
