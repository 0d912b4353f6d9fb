import { randomInt } from 'node:crypto';
import { drawKey } from '../../model/api-key.ts';
import { namespaceOf } from '../accounts.ts';
import { applyActions } from '../apply.ts';
import type { ReconcileResult } from '../plan.ts';
import type { ReconcilerDependencies } from '../world.ts';
import { parseKey } from '../keys.ts';
import { decideApiKey } from './decide.ts';

/** One visit to one ApiKey. */
export async function reconcileApiKey(dependencies: ReconcilerDependencies, key: string): Promise<ReconcileResult> {
  const apiKey = dependencies.caches.apiKeys.get(parseKey(key));
  if (!apiKey || apiKey.metadata.deletionTimestamp) return {};
  const { account: name } = apiKey.spec;
  const snapshot = Object.freeze({
    now: dependencies.now(),
    apiKey,
    account: dependencies.caches.accounts.get({ namespace: '', name }),
    namespace: namespaceOf(dependencies.caches, name),
    newKey: drawKey(randomInt),
  });
  return applyActions(dependencies, decideApiKey(snapshot));
}
