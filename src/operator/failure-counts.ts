import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Store } from '../kubernetes/store.ts';
import type { FailureCounts } from '../rules/domain-state.ts';
import { isServed } from '../rules/domain-state.ts';

/** The last conclusive DNS check said no. */
const isFailing = (domain: ProjectDomain): boolean => isServed(domain) && (domain.status?.check?.failures ?? 0) > 0;

/** Counts served domains, and those of them that fail, with every change; the store must be empty at first. */
export function maintainFailureCounts(store: Pick<Store<ProjectDomain>, 'subscribe'>): () => FailureCounts {
  const served = countByNamespace();
  const failing = countByNamespace();
  store.subscribe(({ type, object, previous }) => {
    const before = type === 'deleted' ? object : previous;
    const after = type === 'deleted' ? undefined : object;
    for (const [counts, holds] of [[served, isServed] as const, [failing, isFailing] as const]) {
      if (before && holds(before)) counts.step(before.metadata.namespace ?? '', -1);
      if (after && holds(after)) counts.step(after.metadata.namespace ?? '', 1);
    }
  });
  return () => ({
    served: served.size,
    failing: failing.size,
    namespaces: served.namespaces,
    failingNamespaces: failing.namespaces,
  });
}

function countByNamespace() {
  const counts = new Map<string, number>();
  let size = 0;
  return {
    step(namespace: string, by: 1 | -1): void {
      size += by;
      const now = (counts.get(namespace) ?? 0) + by;
      if (now === 0) counts.delete(namespace);
      else counts.set(namespace, now);
    },
    get size() {
      return size;
    },
    get namespaces() {
      return counts.size;
    },
  };
}
