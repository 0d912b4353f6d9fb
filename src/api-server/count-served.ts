import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Store } from '../kubernetes/store.ts';
import { isServed } from '../rules/domain-state.ts';

/** Counts the served domains with every change, so that reading the count costs nothing; the store must be empty at first. */
export function countServed(domains: Pick<Store<ProjectDomain>, 'subscribe'>): () => number {
  let served = 0;
  const step = (domain: ProjectDomain | undefined, by: 1 | -1) => {
    if (domain && isServed(domain)) served += by;
  };
  domains.subscribe(({ type, object, previous }) => {
    step(previous, -1);
    step(object, type === 'deleted' ? -1 : 1);
  });
  return () => served;
}
