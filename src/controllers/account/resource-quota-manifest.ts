import type { Limits } from '../../rules/plan-limits.ts';
import type { Owner } from '../../resources/object-metadata.ts';
import { managedBy, ownerReference } from '../../resources/object-metadata.ts';

export const resourceQuotaName = 'projectdomain-maximum';

interface ResourceQuotaInput {
  readonly namespace: string;
  /** the Account: the quota goes with it */
  readonly owner: Owner;
}

/** What an account can make in its namespace, counted by Kubernetes itself: kubectl and racing writers are held to it too. */
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
