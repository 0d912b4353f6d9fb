import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { collectionPath } from '../../../src/kubernetes/object-keys.ts';
import type { Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';

interface WatchedKubeApi {
  readonly server: string;
  readonly caFile: string;
  readonly token: string;
}

interface WatchEvent {
  readonly type: string;
  readonly object: KubernetesObject & { readonly status?: { readonly state?: string } };
}

/**
 * Tells of every change of a kind from now on, in all namespaces, of the objects that are there too. Resolves once it is connected. A watch that
 * ends before it is closed goes to `onEnd`.
 */
export function watchObjects(
  { server, caFile, token }: WatchedKubeApi,
  kind: Kind,
  { tell, onEnd }: { readonly tell: (event: WatchEvent) => void; readonly onEnd: (error: Error) => void },
): Promise<() => void> {
  return new Promise((resolve, reject) => {
    let isClosed = false;
    const ask = request(
      `${server}${collectionPath(kind)}?watch=true`,
      { ca: readFileSync(caFile), headers: { authorization: `Bearer ${token}` }, agent: false },
      (response) => {
        const { statusCode } = response;
        if (statusCode !== 200) return reject(new Error(`watch of ${kind.plural}: ${statusCode}`));
        createInterface({ input: response })
          .on('line', (line) => tell(JSON.parse(line) as WatchEvent))
          .on('error', (error) => isClosed || onEnd(error))
          .on('close', () => isClosed || onEnd(new Error(`the watch of ${kind.plural} ended`)));
        resolve(() => {
          isClosed = true;
          ask.destroy();
        });
      },
    );
    ask.on('error', (error) => isClosed || reject(error));
    ask.end();
  });
}
