import type { BulkApi } from '../../dev/campaigns/bulk.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { systemNamespace } from '../../dev/platform/chart.ts';
import { collectionPath, objectPath } from '../../src/kubernetes/object-keys.ts';
import { IngressKind, PlanKind } from '../../src/resources/kinds.ts';
import { childName } from '../../src/rules/dns-target.ts';
import type { ClusterSize } from './made-names.ts';
import { accountName, accountOf, hostnameOf } from './made-names.ts';

const withinMs = 300_000;
const leasePath = `/apis/coordination.k8s.io/v1/namespaces/${systemNamespace}/leases/projectdomain-operator`;

interface Lease {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly renewTime: string };
}

interface Ingress {
  readonly spec: { readonly ingressClassName?: string };
}

/** Resolves once the leader has written a checkpoint that no change so far is after. */
export async function untilCheckpoint(api: BulkApi): Promise<void> {
  const { metadata } = (await api.send('GET', collectionPath(PlanKind))) as { metadata: { resourceVersion: string } };
  const wanted = Number(metadata.resourceVersion);
  await eventually(`a checkpoint of ${wanted}`, withinMs, async () => {
    const lease = (await api.send('GET', leasePath)) as Lease;
    const reached = Number(lease.metadata.annotations?.['projectdomain.io/checkpoint'] ?? 0);
    expectThat(reached >= wanted, `it is ${reached}`);
  });
}

/** When the leader renewed its lease last: how far time has passed for it, Unix ms. */
export async function leaderTime(api: BulkApi): Promise<number> {
  const { spec } = (await api.send('GET', leasePath)) as Lease;
  return Date.parse(spec.renewTime);
}

/**
 * Edits the routes of the first domains as somebody else would, and removes every second one. Resolves to a function that
 * resolves once all of them are as before.
 */
export async function changeRoutes(api: BulkApi, size: ClusterSize, count: number): Promise<() => Promise<void>> {
  const changed = new Map<string, string | undefined>();
  for (let domain = 0; domain < count; domain += 1) {
    const namespace = accountName(accountOf(domain, size));
    const path = objectPath(IngressKind, { namespace, name: childName(hostnameOf(domain)) });
    const { spec } = (await api.send('GET', path)) as Ingress;
    changed.set(path, spec.ingressClassName);
    if (domain % 2 === 0) await api.send('PATCH', path, { spec: { ingressClassName: 'of-somebody-else' } });
    else await api.send('DELETE', path);
  }
  return () =>
    eventually(`${count} routes are as before`, withinMs, async () => {
      for (const [path, before] of changed) {
        const { spec } = (await api.send('GET', path)) as Ingress;
        expectThat(spec.ingressClassName === before, `${path} has class ${spec.ingressClassName}`);
        changed.delete(path);
      }
    });
}
