import { redirectBackend, redirectorAddresses } from '../../routes/redirect-service.ts';
import { accountOf } from '../accounts.ts';
import { carryOut } from '../apply.ts';
import { indexKey } from '../keys.ts';
import type { Outcome } from '../plan.ts';
import type { World } from '../world.ts';
import { decide } from './decide.ts';

/** The key that stands for no namespace: visited with every move, so that it ends where nothing redirects. */
export const noNamespace = '*';

/**
 * One visit to one namespace: its Service that stands for the redirector leads to the redirector's Pods, also where that
 * cannot be recorded; then the visit has failed and is repeated.
 */
export async function reconcileRedirectorEndpoints(world: World, namespace: string): Promise<Outcome> {
  const { caches, settings, moves } = world;
  const redirector = caches.slices.byIndex(
    'service',
    indexKey(settings.redirector.namespace, settings.redirector.name),
  );
  const addresses = redirectorAddresses(redirector);
  const record = await moves
    .begin(addresses, () => caches.domains.indexValues('redirects'))
    .then(
      () => null,
      (error: unknown) => ({ error }),
    );
  const seen = snapshotOf(world, namespace, redirector);
  const outcome = namespace === noNamespace ? {} : await carryOut(world, decide(seen));
  if (record !== null) throw record.error;
  await moves.arrived(namespace, addresses);
  return outcome;
}

const snapshotOf = (
  { caches, now }: World,
  namespace: string,
  redirector: Parameters<typeof decide>[0]['redirector'],
): Parameters<typeof decide>[0] =>
  Object.freeze({
    now: now(),
    namespace,
    account: accountOf(caches, namespace),
    redirects: caches.domains.byIndex('redirects', namespace).length > 0,
    redirector,
    existing: caches.slices.byIndex('service', indexKey(namespace, redirectBackend.name)),
  });
