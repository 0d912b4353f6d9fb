import type { BulkApi } from '../../dev/campaigns/bulk.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { systemNamespace } from '../../dev/platform/chart.ts';
import { objectPath } from '../../src/kubernetes/object-keys.ts';
import { IngressKind } from '../../src/resources/kinds.ts';
import { childName } from '../../src/rules/dns-target.ts';
import type { ClusterSize } from './made-names.ts';
import { accountName, accountOf, hostnameOf } from './made-names.ts';

const withinMs = 300_000;
const leasePath = `/apis/coordination.k8s.io/v1/namespaces/${systemNamespace}/leases/projectdomain-operator`;

interface Lease {
  readonly spec: { readonly renewTime: string };
}

interface Ingress {
  readonly spec: { readonly ingressClassName?: string };
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
