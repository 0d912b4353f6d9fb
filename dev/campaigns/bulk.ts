import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { systemNamespace } from '../platform/chart.ts';
import type { Kubectl } from '../platform/kubectl.ts';

/** The API server of Kubernetes for very many calls: connections are kept, and so many calls run at a time. */
export interface BulkApi {
  /** Rejects on any status that is not expected: 2xx, and 409 for what is there already. */
  send(method: string, path: string, body?: object): Promise<unknown>;
  /** Sends one call for each of 0..count-1; tells how many a second there were. */
  each(count: number, call: (index: number) => readonly [method: string, path: string, body: object]): Promise<number>;
  close(): void;
}

const atATime = 32;

/** A token of a ServiceAccount of its own that may do everything; made unless it is there. */
export async function adminToken(kubectl: Kubectl): Promise<string> {
  const [name, namespace] = ['filler', systemNamespace];
  await kubectl.apply(
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  );
  return (await kubectl.run(['create', 'token', 'filler', '-n', systemNamespace, '--duration=6h'])).trim();
}

/** A patch that is forced is a server-side apply. */
function contentTypeOf(method: string, path: string): string {
  if (method !== 'PATCH') return 'application/json';
  return path.includes('force=true') ? 'application/apply-patch+yaml' : 'application/merge-patch+json';
}

/** Does something with each, so many at a time. */
export async function manyAtATime<T>(
  all: IteratorObject<T>,
  count: number,
  act: (one: T) => Promise<unknown>,
): Promise<void> {
  const work = async () => {
    for (const one of all) await act(one);
  };
  await Promise.all(Array.from({ length: count }, work));
}

export function createBulkApi(server: string, { caFile, token }: { caFile: string; token: string }): BulkApi {
  const agent = new Agent({ keepAlive: true, maxSockets: atATime, ca: readFileSync(caFile) });
  const send: BulkApi['send'] = (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': contentTypeOf(method, path) };
      const call = request(`${server}${path}`, { agent, method, headers, timeout: 60_000 }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode < 300 || statusCode === 409) resolve(JSON.parse(text));
          else reject(new Error(`${method} ${path}: ${statusCode} ${text.slice(0, 300)}`));
        });
      });
      call.on('error', reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return {
    send,
    async each(count, call) {
      const begunAt = performance.now();
      await manyAtATime(Array(count).keys(), atATime, (index) => send(...call(index)));
      return Math.round(count / ((performance.now() - begunAt) / 1_000));
    },
    close: () => agent.destroy(),
  };
}
