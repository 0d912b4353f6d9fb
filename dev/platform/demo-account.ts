import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Kubectl } from './kubectl.ts';

/** What an administrator applies for a new customer: Account, namespace, and the operator's right to its Secrets. */
export function accountObjects(name: string, plan: string): readonly object[] {
  return [
    { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Account', metadata: { name }, spec: { plan } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { 'projectdomain.io/account': name } } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'projectdomain-operator', namespace: name },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'projectdomain-operator-account-namespace',
      },
      subjects: [{ kind: 'ServiceAccount', name: 'projectdomain-operator', namespace: 'projectdomain-system' }],
    },
  ];
}

/** An account for programs that drive the platform, and a key with every scope, made as an administrator would. */
export async function createDemoAccount(kubectl: Kubectl, kubeconfig: string): Promise<string> {
  await kubectl.apply(...accountObjects('demo', 'pro'));
  return createKey('demo', kubeconfig);
}

/** `npx projectdomain keys create`, as it is shipped. */
export function createKey(account: string, kubeconfig: string): Promise<string> {
  const cli = join(import.meta.dirname, '../../src/cli.ts');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, 'keys', 'create', '--account', account, '--kubeconfig', kubeconfig]);
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('error', reject);
    child.on('close', (status) => (status === 0 ? resolve(out.trim()) : reject(new Error(err.trim()))));
  });
}
