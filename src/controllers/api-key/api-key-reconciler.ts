import { randomInt } from 'node:crypto';
import { drawKey } from '../../rules/api-key-format.ts';
import { namespaceOf } from '../account-lookup.ts';
import { applyActions } from '../apply-actions.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import type { ReconcilerDependencies } from '../reconciler-dependencies.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';
import { decideApiKey } from './decide-api-key.ts';

/** One reconcile of one ApiKey. */
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
