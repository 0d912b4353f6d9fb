import type { Limits } from '../../rules/plan-limits.ts';
import type { Owner } from '../../resources/object-metadata.ts';
import { childLabels, ownerReference } from '../../resources/object-metadata.ts';

export const resourceQuotaName = 'projectdomain-maximum';

interface ResourceQuotaInput {
  readonly namespace: string;
  /** the Account; the quota is garbage-collected with it */
  readonly owner: Owner;
}

/** Limits what can be created in an account's namespace. Kubernetes enforces it, so it also holds for kubectl and racing writers. */
export function resourceQuota({ namespace, owner }: ResourceQuotaInput, maximum: Limits['maximum']) {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: {
      name: resourceQuotaName,
      namespace,
      labels: childLabels,
      ownerReferences: [ownerReference(owner, true)],
    },
    spec: quotaSpec(maximum),
  };
}

export const quotaSpec = ({ projects, domains }: Pick<Limits['maximum'], 'projects' | 'domains'>) => ({
  hard: {
    'count/projects.projectdomain.io': quantityOf(projects),
    'count/projectdomains.projectdomain.io': quantityOf(domains),
  },
});

/** A count as the kube-apiserver stores it, or the object would never equal the intent (apimachinery, resource.Quantity). */
function quantityOf(count: number): string {
  const [suffix, power] = suffixes.find(([, thousands]) => count !== 0 && count % thousands === 0) ?? ['', 1];
  return `${count / power}${suffix}`;
}

const suffixes = [
  ['G', 1e9],
  ['M', 1e6],
  ['k', 1e3],
] as const;
