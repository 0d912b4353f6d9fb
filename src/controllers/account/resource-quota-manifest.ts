import type { Limits } from '../../rules/plan-limits.ts';
import type { Owner } from '../../resources/object-metadata.ts';
import { managedBy, ownerReference } from '../../resources/object-metadata.ts';

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
      labels: managedBy,
      ownerReferences: [ownerReference(owner, true)],
    },
    spec: quotaSpec(maximum),
  };
}

export const quotaSpec = ({ projects, domains }: Pick<Limits['maximum'], 'projects' | 'domains'>) => ({
  hard: {
    'count/projects.projectdomain.io': String(projects),
    'count/projectdomains.projectdomain.io': String(domains),
  },
});
