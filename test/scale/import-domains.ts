import type { BulkApi } from '../../dev/campaigns/bulk.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import type { OurPart } from '../../dev/platform/ours.ts';
import type { ClusterSize } from './made-names.ts';
import { accountName, accountOf, hostnameOf, projectOf, registeredDomain } from './made-names.ts';
import type { MadeObjects } from './made-objects.ts';
import { untilNothingIsWritten } from './quiet.ts';
import type { ScaleCluster } from './scale-cluster.ts';
import { domainObject, projectObject } from './seed-cluster.ts';
import { checksOf } from './steady.ts';

export interface Import {
  readonly cluster: ScaleCluster;
  readonly made: Pick<MadeObjects, 'targetOf'>;
  readonly api: BulkApi;
  readonly size: ClusterSize;
  /** the number of the first one that is added */
  readonly first: number;
  readonly count: number;
}

const path = '/apis/projectdomain.io/v1alpha1/namespaces';
/** A kube-apiserver on one processor makes a hundred writes a second, and a domain is some 25. */
const withinMs = 3_600_000;

/** Publishes the records of domains that are about to be added, and makes their projects, which the operator deploys. */
export async function prepareImport(
  operator: OurPart,
  { cluster, made, api, size, first, count }: Import,
): Promise<void> {
  publishImported({ cluster, made, first, count });
  await api.each(count, (at) => {
    const namespace = accountName(accountOf(first + at, size));
    return ['POST', `${path}/${namespace}/projects`, projectObject(namespace, projectOf(first + at))];
  });
  await untilNothingIsWritten(operator);
}

/** Publishes the records of domains that are, or were, imported. */
export function publishImported({ cluster, made, first, count }: Pick<Import, 'cluster' | 'made' | 'first' | 'count'>) {
  for (let number = first; number < first + count; number += 1)
    cluster.dns.putZone(registeredDomain(number), `www CNAME ${made.targetOf(number)}.`);
}

/** The call that adds the domain with this number. */
export function additionOf(
  number: number,
  size: ClusterSize,
): readonly ['POST', string, ReturnType<typeof domainObject>] {
  const namespace = accountName(accountOf(number, size));
  const object = domainObject({ namespace, project: projectOf(number), hostname: hostnameOf(number) });
  return ['POST', `${path}/${namespace}/projectdomains`, object];
}

/** Adds the domains, one to each account in turn, and waits until all are Live. */
export async function importDomains(operator: OurPart, { api, size, first, count }: Import): Promise<void> {
  const { live: before } = await checksOf(operator);
  await api.each(count, (at) => additionOf(first + at, size));
  await eventually(`${count} more are Live`, withinMs, async () => {
    const { live } = await checksOf(operator);
    expectThat(live - before >= count, `${live - before} of ${count} are`);
  });
}
