import type { Kind, KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { objectKeyOf } from '../../kubernetes/object-keys.ts';
import { mustMatch, versionOf } from '../precondition.ts';
import type { Writing } from './write-turn.ts';
import { inTurn } from './write-turn.ts';

/**
 * The object as the client has seen it; rejects with precondition-failed before anything else is judged. Where the cache has another version, the
 * kube-apiserver is asked in the account's turn: another API server may have told the client of one that is not here yet. What is written is looked at
 * once more.
 */
export async function checkVersion<T extends KubernetesObject>(writing: Writing, kind: Kind<T>, object: T): Promise<T> {
  if (!writing.ifMatch || writing.ifMatch(versionOf(object))) return object;
  const { cluster } = writing.dependencies;
  return mustMatch(writing, await inTurn(writing, null, () => cluster.get(kind, objectKeyOf(object))));
}
