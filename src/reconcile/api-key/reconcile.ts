import { randomInt } from 'node:crypto';
import { drawKey } from '../../model/api-key.ts';
import { namespaceOf } from '../accounts.ts';
import { carryOut } from '../apply.ts';
import type { Outcome } from '../plan.ts';
import type { World } from '../world.ts';
import { parseKey } from '../keys.ts';
import { decide } from './decide.ts';

/** One visit to one ApiKey. */
export async function reconcileApiKey(world: World, key: string): Promise<Outcome> {
  const apiKey = world.caches.apiKeys.get(parseKey(key));
  if (!apiKey || apiKey.metadata.deletionTimestamp) return {};
  const { account: name } = apiKey.spec;
  const snapshot = Object.freeze({
    now: world.now(),
    apiKey,
    account: world.caches.accounts.get({ namespace: '', name }),
    namespace: namespaceOf(world.caches, name),
    newKey: drawKey(randomInt),
  });
  return carryOut(world, decide(snapshot));
}
