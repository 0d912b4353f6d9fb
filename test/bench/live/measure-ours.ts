import type { BulkApi } from '../../../dev/campaigns/bulk.ts';
import { objectPath } from '../../../src/kubernetes/object-keys.ts';
import { ProjectDomainKind } from '../../../src/resources/kinds.ts';
import type { Customer } from '../../support/customers.ts';
import type { Site } from './until-served.ts';
import { untilServed, untilTrue } from './until-served.ts';

interface Domain {
  readonly status?: { readonly state?: string };
}

/** Milliseconds from Add over REST until the domain is Live; its DNS is right already. Rejects where it is not served then. */
export async function measureOurs(api: BulkApi, { account, add, remove }: Customer, site: Site): Promise<number> {
  const begunAt = performance.now();
  const { status, body } = await add(site.hostname);
  if (status !== 201) throw new Error(`Add of ${site.hostname}: ${status} ${JSON.stringify(body)}`);
  const path = objectPath(ProjectDomainKind, { namespace: account, name: site.hostname });
  await untilTrue(site.hostname, async () => ((await api.send('GET', path)) as Domain).status?.state === 'Live');
  const ms = performance.now() - begunAt;
  await untilServed(site);
  // A project has one primary domain.
  await remove(site.hostname);
  return ms;
}
