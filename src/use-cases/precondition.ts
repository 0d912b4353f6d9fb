import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { Problem } from './problem.ts';

/**
 * The version of what a client can change of an object: each change of its spec has another generation, and another object of the same name another
 * uid (Kubernetes API conventions, metadata). What is found out about it changes neither.
 */
export const versionOf = ({ metadata: { uid = '', generation = 0 } }: Pick<KubernetesObject, 'metadata'>): string =>
  `${uid}.${generation}`;

/** Whether a change may be made of an object of this version. */
export type IfMatch = (version: string) => boolean;

/** What a client has asked for beside the change itself; absent: nothing. */
interface Conditional {
  readonly ifMatch?: IfMatch;
}

/** The object; throws precondition-failed for one of another version than its client has seen, and for one that is gone. */
export function mustMatch<T extends Pick<KubernetesObject, 'metadata'>>(
  { ifMatch }: Conditional,
  object: T | undefined,
): T {
  if (object && (!ifMatch || ifMatch(versionOf(object)))) return object;
  throw preconditionFailed();
}

export const preconditionFailed = (): Problem =>
  new Problem(
    'precondition-failed',
    'it is no longer what If-Match names; nothing was changed: read it again, and decide by what it is now',
  );
