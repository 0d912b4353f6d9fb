import { systemNamespace } from '../../dev/platform/chart.ts';
import type { Stage } from '../../dev/story/stage.ts';

/** A Secret for the key of an account beside the usual one. */
export const secondSecret = 'projectdomain-acme-second';

/** Lets the operator read it, as `issuer.accountSecrets` of the chart does. */
export async function permitSecondSecret({ kubectl }: Pick<Stage, 'kubectl'>): Promise<void> {
  const secrets = { apiGroups: [''], resources: ['secrets'], resourceNames: [secondSecret], verbs: ['get'] };
  const metadata = { name: 'second-account', namespace: systemNamespace };
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  await kubectl.apply(
    { apiVersion, kind: 'Role', metadata, rules: [secrets] },
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'projectdomain-operator', namespace: systemNamespace }],
    },
  );
}
