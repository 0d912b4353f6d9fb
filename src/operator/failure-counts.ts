import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Store } from '../kubernetes/store.ts';
import type { FailureCounts } from '../rules/domain-state.ts';

const isServed = ({ status }: ProjectDomain): boolean => status?.state === 'Live' || status?.state === 'Degraded';

/** DNS has said no at the last look that said anything. */
const isFailing = (domain: ProjectDomain): boolean => isServed(domain) && (domain.status?.check?.failures ?? 0) > 0;

/** Counts what is served and what of it fails, change by change from an empty store on. */
export function maintainFailureCounts(store: Pick<Store<ProjectDomain>, 'subscribe'>): () => FailureCounts {
  const served = createSpread();
  const failing = createSpread();
  store.subscribe(({ type, object, previous }) => {
    const before = type === 'deleted' ? object : previous;
    const after = type === 'deleted' ? undefined : object;
    for (const [spread, holds] of [[served, isServed] as const, [failing, isFailing] as const]) {
      if (before && holds(before)) spread.step(before.metadata.namespace ?? '', -1);
      if (after && holds(after)) spread.step(after.metadata.namespace ?? '', 1);
    }
  });
  return () => ({
    served: served.size,
    failing: failing.size,
    namespaces: served.namespaces,
    failingNamespaces: failing.namespaces,
  });
}

function createSpread() {
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
