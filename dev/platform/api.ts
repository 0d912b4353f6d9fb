import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';

/** Reading the API server from a helper process: JSON by path, as the kubeconfig's user. Rejects on any fault. */
export type ReadApi = <T>(path: string) => Promise<T>;

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
  ];
  readonly users: readonly [
    { readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } },
  ];
}

/** For kubeconfigs written by this platform (JSON, everything inline). */
export function readApi(kubeconfig: string): ReadApi {
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const decode = (text: string) => Buffer.from(text, 'base64');
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 2,
    ca: decode(clusters[0].cluster['certificate-authority-data']),
    cert: decode(users[0].user['client-certificate-data']),
    key: decode(users[0].user['client-key-data']),
  });
  return (path) =>
    new Promise((resolve, reject) => {
      const ask = request(clusters[0].cluster.server + path, { agent, timeout: 5_000 }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          if (response.statusCode === 200) resolve(JSON.parse(text) as never);
          else reject(new Error(`${path}: ${response.statusCode}`));
        });
      });
      ask.on('timeout', () => ask.destroy(new Error('timeout')));
      ask.on('error', reject);
      ask.end();
    });
}
