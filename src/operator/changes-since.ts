import { isEarlier } from '../kubernetes/kubernetes-errors.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { keyOf } from '../kubernetes/store.ts';
import type { WatchedStores } from './operator-stores.ts';

/** An object that came, changed or went. */
export interface ChangedObject {
  /** name of its store */
  readonly store: string;
  /** namespace/name */
  readonly key: string;
  /** as it was when it went; it may have come again. Whoever asks reads what is there from the store */
  readonly deleted: KubernetesObject | undefined;
}

/** What changed after the checkpoint of whoever leads, as far as this process has seen it. */
export interface ChangesSince {
  /** The caches are complete, and later changes are seen from this version on. */
  filled(version: string | null): void;
  /** Whoever leads has reached this checkpoint; null: none that this process could go on from. */
  moveTo(checkpoint: string | null): void;
  /** Ends the memory, and gives what is in it; null when any object may have changed. */
  take(): readonly ChangedObject[] | null;
}

interface Remembered {
  readonly store: string;
  readonly key: string;
  /** as JSON: the first one that went, as later ones of the same name may be of another hostname */
  readonly deleted: string | null;
  /** of the latest change; null of one that went, where nobody told when */
  readonly version: string | null;
}

/** They bound the memory of a standby. One that sees more than this between two checkpoints waits for the next. */
const changesAtMost = 20_000;
const charactersAtMost = 16 * 1024 ** 2;

const later = (one: string | null, other: string | null): string | null =>
  one === null || isEarlier(one, other) ? other : one;

const isReached = (version: string | null, checkpoint: string | null): boolean =>
  checkpoint !== null && version !== null && !isEarlier(checkpoint, version);

/**
 * Remembers what changes, from before the caches are filled until this process leads. `checkpoint`: where a predecessor stopped;
 * null without one, when what changes is remembered once the caches are full. The stores must be empty.
 */
export function rememberChanges(stores: WatchedStores, checkpoint: string | null): ChangesSince {
  let reached = checkpoint;
  /** every change after this version is remembered; null while that is true of none */
  let since = checkpoint;
  let latest = checkpoint;
  const remembered = new Map<string, Remembered>();

  /** of everything that went */
  let characters = 0;

  const drop = (id: string) => {
    characters -= remembered.get(id)?.deleted?.length ?? 0;
    remembered.delete(id);
  };
  const remember = (change: Remembered) => {
    const id = `${change.store} ${change.key}`;
    const deleted = remembered.get(id)?.deleted ?? change.deleted;
    drop(id);
    remembered.set(id, { ...change, deleted });
    characters += deleted?.length ?? 0;
    if (remembered.size <= changesAtMost && characters <= charactersAtMost) return;
    [...remembered.keys()].forEach(drop);
    since = latest;
  };
  const unsubscribe = Object.entries(stores).map(([name, store]) =>
    store.subscribe(({ type, object, deletedAt }) => {
      const version = type === 'deleted' ? deletedAt : object.metadata.resourceVersion;
      latest = later(latest, version ?? null);
      if (since === null || (version !== undefined && !isEarlier(since, version))) return;
      const deleted = type === 'deleted' ? JSON.stringify(object) : null;
      remember({ store: name, key: keyOf(object.metadata), deleted, version: version ?? null });
    }),
  );
  const forget = () => {
    reached = null;
    since = null;
    [...remembered.keys()].forEach(drop);
  };

  return {
    filled(version) {
      if (isEarlier(version, since)) return forget();
      since ??= version;
    },
    moveTo(next) {
      if (next === reached) return;
      // An earlier one is of another history: etcd was restored.
      if (isEarlier(next, reached)) return forget();
      reached = next;
      for (const [id, { version }] of remembered) if (isReached(version, next)) drop(id);
    },
    take() {
      for (const end of unsubscribe) end();
      const isKnown = reached !== null && since !== null && !isEarlier(reached, since);
      const changes = isKnown ? [...remembered.values()].map(changedObject) : null;
      forget();
      return changes;
    },
  };
}

const changedObject = ({ store, key, deleted }: Remembered): ChangedObject => ({
  store,
  key,
  deleted: deleted === null ? undefined : (JSON.parse(deleted) as KubernetesObject),
});
