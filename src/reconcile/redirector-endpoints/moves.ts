import type { Cluster, Kind, KubeObject, ObjectKey } from '../../kube/port.ts';

/** Addresses of the redirector that the slices of account namespaces may hold, as its Pods read it when they stop. */
export interface EndpointsRecord extends KubeObject {
  readonly data?: { readonly addresses?: string };
}

const ConfigMapKind: Kind<EndpointsRecord> = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

/** Beside the redirector's Service; the redirector may read this one object. */
export const recordName = 'projectdomain-redirector-endpoints';

/**
 * Follows the redirector's addresses to all namespaces. Before the first is changed the record names the old addresses
 * and the new; once all are, the new alone. An address that the record does not name is in no slice.
 */
export interface Moves {
  /** Before a namespace is given `addresses`. `namespaces` are all that will be. */
  begin(addresses: readonly string[], namespaces: () => readonly string[]): Promise<void>;
  /** A namespace has been given them. */
  arrived(namespace: string, addresses: readonly string[]): Promise<void>;
}

export function createMoves(cluster: Cluster, { namespace }: ObjectKey): Moves {
  const key = { namespace, name: recordName };
  let goal: string | null = null;
  let recorded: string | null = null;
  let left = new Set<string>();
  let writing: Promise<void> = Promise.resolve();

  const write = async (addresses: string) => {
    const { apiVersion, kind } = ConfigMapKind;
    const before = await cluster.get(ConfigMapKind, key);
    const object = { apiVersion, kind, metadata: { ...before?.metadata, ...key }, data: { addresses } };
    if (!before) await cluster.create(ConfigMapKind, object);
    else if (before.data?.addresses !== addresses) await cluster.replace(ConfigMapKind, object);
    recorded = addresses;
  };
  /** One write after the other; what an earlier one failed on is no matter of the next. */
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const done = writing.then(task);
    writing = done.catch(() => undefined);
    return done;
  };
  const known = async (): Promise<string> => recorded ?? (await cluster.get(ConfigMapKind, key))?.data?.addresses ?? '';
  const settle = async (wanted: string) => {
    if (goal === wanted && left.size === 0 && recorded !== wanted) await write(wanted);
  };

  return {
    async begin(addresses, namespaces) {
      const wanted = textOf(addresses);
      if (goal === wanted) return;
      await inTurn(async () => {
        if (goal === wanted) return;
        await write(textOf([...(await known()).split(' '), ...addresses]));
        goal = wanted;
        left = new Set(namespaces());
      });
    },
    async arrived(namespaceName, addresses) {
      const wanted = textOf(addresses);
      if (goal !== wanted) return;
      left.delete(namespaceName);
      if (left.size === 0 && recorded !== wanted) await inTurn(() => settle(wanted));
    },
  };
}

const textOf = (addresses: readonly string[]): string =>
  [...new Set(addresses)]
    .filter((address) => address !== '')
    .toSorted()
    .join(' ');
