import { expect, it } from '@jest/globals';
import { countServed } from '../../../src/api-server/run-api-server.ts';
import { createApiStores } from '../../../src/api-server/api-stores.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { domain } from '../../support/snapshot.ts';

type State = NonNullable<NonNullable<ProjectDomain['status']>['state']>;

/** The same object under a name, in a state. */
function named(name: string, version: string, state: State): ProjectDomain {
  const one = domain({ status: { state } });
  return { ...one, metadata: { ...one.metadata, name, uid: name, resourceVersion: version } };
}

it('counts who is served through every change: would fail if a domain that changed or left counted twice or for ever', () => {
  const { domains } = createApiStores((error) => {
    throw error;
  });
  const served = countServed(domains);
  const counts: number[] = [];
  const put = (one: ProjectDomain) => {
    domains.put(one);
    counts.push(served());
  };
  put(named('a', '1', 'Live'));
  put(named('b', '2', 'Verified'));
  put(named('b', '3', 'Live'));
  put(named('a', '4', 'Degraded'));
  put(named('b', '5', 'Suspended'));
  domains.drop(named('a', '6', 'Degraded'));
  expect([...counts, served()]).toEqual([1, 1, 2, 2, 1, 0]);
});
