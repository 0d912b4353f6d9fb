import type { Kind, KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { identityOf, preconditionsOf } from '../kubernetes/object-keys.ts';
import type { WriteAction } from './actions.ts';

/** Deletes the object that was read; one that has taken its name since stays. */
export function removeAction(kind: Kind, object: Pick<KubernetesObject, 'metadata'>): WriteAction {
  const { namespace = '', name } = object.metadata;
  return { verb: 'remove', kind, key: { namespace, name }, preconditions: preconditionsOf(object) };
}

/** Applies what we say of the object's status, all of it. */
export const statusAction = (kind: Kind, object: Pick<KubernetesObject, 'metadata'>, status: object): WriteAction => ({
  verb: 'applyStatus',
  kind,
  object: { apiVersion: kind.apiVersion, kind: kind.kind, metadata: identityOf(object), status },
});
