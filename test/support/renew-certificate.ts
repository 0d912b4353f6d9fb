import type { Kubectl } from '../../dev/platform/kubectl.ts';
import { childName } from '../../src/rules/dns-target.ts';

/** Has a hostname's certificate renewed, as cmctl does. */
export async function renewCertificate(kubectl: Kubectl, namespace: string, hostname: string): Promise<void> {
  const issuing = {
    type: 'Issuing',
    status: 'True',
    reason: 'ManuallyTriggered',
    message: 'a test renews it',
    lastTransitionTime: new Date().toISOString(),
  };
  const patch = JSON.stringify([{ op: 'add', path: '/status/conditions/-', value: issuing }]);
  const target = ['certificate', childName(hostname), '-n', namespace];
  await kubectl.run(['patch', ...target, '--subresource=status', '--type=json', '-p', patch]);
}
