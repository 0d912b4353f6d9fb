import type { ProjectDomain } from '../generated/project-domain.ts';
import { maintainClassCounts } from '../kubernetes/class-counts.ts';
import type { Store } from '../kubernetes/store.ts';
import { isServed } from '../rules/domain-state.ts';

/** Counts the served domains with every change, so that reading the count costs nothing; the store must be empty at first. */
export function countServed(domains: Pick<Store<ProjectDomain>, 'subscribe'>): () => number {
  const counts = maintainClassCounts(domains, (domain) => (isServed(domain) ? ['served'] : []), ['served']);
  return () => counts().get('served') ?? 0;
}
