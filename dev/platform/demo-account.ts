import { join } from 'node:path';
import { outputOf } from '../lib/output.ts';
import type { Kubectl } from './kubectl.ts';

/** What an administrator applies for a new customer: Account, namespace, and the rights of operator and API server to its Secrets. */
export function accountObjects(name: string, plan: string): readonly object[] {
  return [
    { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Account', metadata: { name }, spec: { plan } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { 'projectdomain.io/account': name } } },
    ...['projectdomain-operator', 'projectdomain-api'].map((identity) => secretsRight(identity, name)),
  ];
}

/** The right of one of our identities to the Secrets of an account's namespace. */
export const secretsRight = (identity: string, namespace: string): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: identity, namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `${identity}-account-namespace` },
  subjects: [{ kind: 'ServiceAccount', name: identity, namespace: 'projectdomain-system' }],
});

/** An account for programs that drive the platform, and a key with every scope, made as an administrator would. */
export async function createDemoAccount(kubectl: Kubectl, kubeconfig: string): Promise<string> {
  await kubectl.apply(...accountObjects('demo', 'pro'));
  return createKey('demo', kubeconfig);
}

/** `npx projectdomain keys create`, as it is shipped. */
export async function createKey(account: string, kubeconfig: string): Promise<string> {
  const cli = join(import.meta.dirname, '../../src/cli/main.ts');
  const args = [cli, 'keys', 'create', '--account', account, '--kubeconfig', kubeconfig];
  return (await outputOf(process.execPath, args)).trim();
}
