/**
 * Anybody may create a domain with the hostname that a stranger's project declares. A project's reconcile must read its own
 * account's and none of theirs: this fails if the domains with a hostname are gone through whosever they are.
 */
import { expect, it } from '@jest/globals';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import { createCrowd } from '../../support/crowd.ts';
import { settings } from '../../support/snapshot.ts';
import { countReads } from '../../support/store-reads.ts';

const competitors = 300;
const primary = 'wanted.test';

function readsOf(stores: object, action: () => void): number {
  const counted = countReads(stores);
  action();
  return counted.end();
}

it('costs no more with three hundred strangers that want the primary of the project', () => {
  const crowd = createCrowd({ accounts: competitors, domainsEach: 1 });
  const { stores } = crowd;
  const declaring = stores.projects.get({ namespace: 'a0', name: 'shop' });
  if (!declaring) throw new Error('there is no project');
  crowd.change(stores.projects, declaring, { spec: { domains: { primary } } });
  const project = stores.projects.get({ namespace: 'a0', name: 'shop' }) ?? declaring;
  const gather = () => gatherProject(stores, settings, project, Date.UTC(2026, 1, 1));
  crowd.change(stores.domains, crowd.domain(0, 0), { spec: { hostname: primary } });
  const readAlone = readsOf(stores, gather);
  for (let account = 1; account < competitors; account += 1)
    crowd.change(stores.domains, crowd.domain(account, 0), { spec: { hostname: primary } });
  expect(gather().sameHostname.map(({ metadata }) => metadata.namespace)).toEqual(['a0']);
  expect(readsOf(stores, gather)).toBeLessThanOrEqual(readAlone);
  crowd.close();
});
