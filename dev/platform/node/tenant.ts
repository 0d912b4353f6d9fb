import type { Kubectl } from '../kubectl.ts';
import type { Tenant } from '../tenant.ts';
import { imageOf } from './workloads.ts';

/** A customer's web server as a Deployment; it has no Pod until it is told to become ready. */
export async function deployTenant(kubectl: Kubectl, namespace: string, name: string): Promise<Tenant> {
  const metadata = { name, namespace };
  const labels = { app: name };
  const container = {
    name: 'web',
    image: imageOf('tenant'),
    env: [{ name: 'TENANT', value: name }],
    ports: [{ containerPort: 8080 }],
    readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1, timeoutSeconds: 30 },
  };
  await kubectl.apply(
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ name: 'http', port: 8080 }] } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container], automountServiceAccountToken: false } },
      },
    },
  );
  const scale = async (replicas: number) => {
    await kubectl.run(['scale', `deployment/${name}`, '-n', namespace, `--replicas=${replicas}`]);
  };
  return { becomeReady: () => scale(1), stop: () => Promise.resolve() };
}
