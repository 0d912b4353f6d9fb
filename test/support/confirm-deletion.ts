import type { Kubectl } from '../../dev/platform/kubectl.ts';

/**
 * The annotation that the admission policy wants before Accounts and account namespaces go, on all that `kubectl get`
 * finds with these arguments.
 */
export async function confirmDeletion(kubectl: Kubectl, kind: string, ...which: readonly string[]): Promise<void> {
  const names = await kubectl.run(['get', kind, ...which, '-o', 'name']);
  for (const found of names.split('\n').filter((line) => line !== '')) {
    const name = found.slice(found.indexOf('/') + 1);
    await kubectl.run(['annotate', '--overwrite', kind, name, `projectdomain.io/confirm-deletion=${name}`]);
  }
}
