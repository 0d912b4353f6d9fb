import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Intent, Kind, KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { objectKeyOf, preconditionsOf } from '../../kubernetes/object-keys.ts';
import { ProjectDomainKind, ProjectKind } from '../../resources/kinds.ts';
import type { RequestContext, LiveCache } from '../api-dependencies.ts';
import { Problem } from '../problem.ts';
import { settled } from '../cache-wait.ts';
import { mustMatch, versionOf } from '../precondition.ts';

/** The part of a request's context that a write needs. */
export type Writing = Pick<RequestContext, 'dependencies' | 'caller' | 'signal' | 'ifMatch'>;

/**
 * Does the work when the account's turn comes; `object` as in WriteTurn. A stopping server still makes the waiting
 * changes.
 */
export function inTurn<T>(
  { dependencies, caller, signal }: Writing,
  object: string | null,
  work: () => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const end = () => {
    if (!dependencies.stopping.aborted) gone.abort();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  const turn = { account: caller.account.metadata.name, object, signal: gone.signal };
  return dependencies.writes.queue.run(turn, work).finally(() => signal.removeEventListener('abort', end));
}

const createAttempts = 5;

/**
 * POSTs an object in its turn. A conflict that is not about the object's name comes from the namespace's ResourceQuota,
 * which counts changes one at a time: the POST is retried.
 */
export function createInTurn<T extends KubernetesObject>(writing: Writing, kind: Kind<T>, draft: Intent): Promise<T> {
  return inTurn(writing, null, async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await writing.dependencies.cluster.create(kind, draft);
      } catch (error) {
        if ((error as { reason?: unknown }).reason !== 'Conflict' || attempt >= createAttempts) throw error;
      }
    }
  });
}

/** Deletes an object in its turn, but not another one that has taken its name in the meantime. Throws precondition-failed. */
export async function removeInTurn(writing: Writing, kind: Kind, object: KubernetesObject): Promise<void> {
  const { cluster } = writing.dependencies;
  const remove = () => cluster.remove(kind, objectKeyOf(object), preconditionsOf(object));
  await inTurn(writing, null, () => (writing.ifMatch ? removeMatching(writing, kind, object) : remove()));
}

/** The kube-apiserver compares no generations, so the object is deleted as it was just read. */
async function removeMatching(writing: Writing, kind: Kind, start: KubernetesObject): Promise<boolean> {
  const { cluster } = writing.dependencies;
  const key = objectKeyOf(start);
  for (let attempt = 1; ; attempt += 1) {
    const { uid = '', resourceVersion = '' } = mustMatch(writing, await cluster.get(kind, key)).metadata;
    try {
      return await cluster.remove(kind, key, { uid, resourceVersion });
    } catch (error) {
      if (statusOf(error) !== 409 || attempt >= editAttempts) throw error;
    }
  }
}

/** The name under which changes of one object are serialised. */
const nameOf = ({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string =>
  `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** The HTTP status of an error of the kube-apiserver; null for any other error. */
export const statusOf = (error: unknown): number | null => {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && !(error instanceof Problem) ? status : null;
};

const editAttempts = 4;

type Change<T> = (object: T) => T | null | Promise<T | null>;

/** A kind and the cache that its objects are read from. */
interface Editable<T extends KubernetesObject> {
  readonly kind: Kind<T>;
  readonly cache: LiveCache<T, unknown>;
}

/**
 * Reads an object, changes it and writes it back by PUT with the version that was read; retries on a conflict. `change`
 * returns null when there is nothing to write; it may do what has to come before the write. Throws not-found when the object is gone, and
 * precondition-failed when it is of another version than was asked for. Edits of one object run one
 * after another; each reads the object when its turn comes.
 */
async function edit<T extends KubernetesObject>(
  writing: Writing,
  editable: Editable<T>,
  start: T,
  change: Change<T>,
): Promise<T> {
  const { kind, cache } = editable;
  const object = nameOf({ kind: kind.kind, metadata: start.metadata });
  const written = await inTurn(writing, object, () => replace(writing, editable, start, change));
  await settled(cache, written, writing.dependencies.stopping);
  return written;
}

export const editProject = (writing: Writing, start: Project, change: Change<Project>): Promise<Project> =>
  edit(writing, { kind: ProjectKind, cache: writing.dependencies.caches.projects }, start, change);

export const editDomain = (
  writing: Writing,
  start: ProjectDomain,
  change: Change<ProjectDomain>,
): Promise<ProjectDomain> =>
  edit(writing, { kind: ProjectDomainKind, cache: writing.dependencies.caches.domains }, start, change);

async function replace<T extends KubernetesObject>(
  { dependencies: { cluster }, ifMatch }: Writing,
  { kind, cache }: Editable<T>,
  start: T,
  change: Change<T>,
): Promise<T> {
  const key = objectKeyOf(start);
  const known = cache.get(key);
  let object = ifMatch && known && !ifMatch(versionOf(known)) ? await cluster.get(kind, key) : known;
  for (let attempt = 1; object?.metadata.uid === start.metadata.uid && object !== undefined; attempt += 1) {
    if (ifMatch) mustMatch({ ifMatch }, object);
    const changed = await change(object);
    if (changed === null) return object;
    try {
      return await cluster.replace(kind, changed);
    } catch (error) {
      if (statusOf(error) !== 409 || attempt >= editAttempts) throw error;
      object = await cluster.get(kind, key);
    }
  }
  throw new Problem('not-found', `${kind.kind} ${key.name} is gone`);
}
