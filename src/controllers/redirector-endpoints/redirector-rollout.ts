import type { Cluster, ObjectKey } from '../../kubernetes/kubernetes-port.ts';
import { ConfigMapKind } from '../../resources/kinds.ts';
import { recordedAddresses, redirectorRecord, redirectorRecordName } from '../../routing/redirect-service.ts';

/**
 * Follows the redirector's addresses to all namespaces. Before the first is changed the record names the old addresses
 * and the new; once all are, the new alone. An address that the record does not name is in no slice, and the Pod that
 * has it may end.
 */
export interface RedirectorRollout {
  /** Before a namespace is given `addresses`. `namespaces` are all that will be. */
  begin(addresses: readonly string[], namespaces: () => readonly string[]): Promise<void>;
  /** A namespace has been given them. */
  arrived(namespace: string, addresses: readonly string[]): Promise<void>;
}

export function createRedirectorRollout(cluster: Cluster, { namespace }: ObjectKey): RedirectorRollout {
  const key = { namespace, name: redirectorRecordName };
  let goal: string | null = null;
  let recorded: string | null = null;
  let left = new Set<string>();
  let writing: Promise<void> = Promise.resolve();

  const record = async (choose: (before: readonly string[]) => readonly string[]) => {
    const before = await cluster.get(ConfigMapKind, key);
    const addresses = sorted(choose(recordedAddresses(before)));
    const object = redirectorRecord(namespace, addresses, before);
    if (!before) await cluster.create(ConfigMapKind, { ...object });
    else if (before.data?.addresses !== object.data.addresses) await cluster.replace(ConfigMapKind, object);
    recorded = textOf(addresses);
  };
  /** One write after the other; what an earlier one failed on is no matter of the next. */
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const done = writing.then(task);
    writing = done.catch(() => undefined);
    return done;
  };

  return {
    async begin(addresses, namespaces) {
      const wanted = textOf(addresses);
      if (goal === wanted) return;
      await inTurn(async () => {
        if (goal === wanted) return;
        await record((before) => [...before, ...addresses]);
        goal = wanted;
        left = new Set(namespaces());
      });
    },
    async arrived(name, addresses) {
      const wanted = textOf(addresses);
      if (goal !== wanted) return;
      left.delete(name);
      if (left.size > 0 || recorded === wanted) return;
      await inTurn(async () => {
        if (goal === wanted && left.size === 0 && recorded !== wanted) await record(() => addresses);
      });
    },
  };
}

const sorted = (addresses: readonly string[]): readonly string[] => [...new Set(addresses)].toSorted();

const textOf = (addresses: readonly string[]): string => sorted(addresses).join(' ');
