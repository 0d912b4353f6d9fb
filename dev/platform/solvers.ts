import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { Api } from './api.ts';

interface Labelled {
  readonly metadata: {
    readonly uid: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

interface Pod extends Labelled {
  readonly spec: { readonly containers: readonly { readonly args?: readonly string[] }[] };
}

interface Service extends Labelled {
  readonly spec: {
    readonly clusterIP?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports: readonly { readonly port: number }[];
  };
}

interface Solver {
  /** cert-manager may replace the Service of a Pod that goes on: another address */
  readonly id: string;
  readonly pod: Pod;
  readonly service: Service;
}

const selector = encodeURIComponent('acme.cert-manager.io/http01-solver=true');

/**
 * Plays cert-manager's HTTP-01 solver Pods of one namespace, or of all (null), on the cluster IPs of their Services. Each
 * call of what is returned looks once at what there is, starts those that are new and stops those that are gone.
 */
export function createSolvers(api: Pick<Api, 'get'>, namespace: string | null): () => Promise<void> {
  const playing = new Map<string, Server>();
  const root = namespace === null ? '/api/v1' : `/api/v1/namespaces/${namespace}`;
  return async () => {
    const [pods, services] = await Promise.all([
      api.get<{ items: readonly Pod[] }>(`${root}/pods?labelSelector=${selector}`),
      api.get<{ items: readonly Service[] }>(`${root}/services?labelSelector=${selector}`),
    ]);
    const wanted = pods.items.flatMap((pod) =>
      services.items
        .filter((service) => selects(service, pod))
        .map((service) => ({ id: `${pod.metadata.uid} ${service.metadata.uid}`, pod, service })),
    );
    for (const [id, server] of playing) {
      if (wanted.some((solver) => solver.id === id)) continue;
      playing.delete(id);
      server.closeAllConnections();
      server.close();
    }
    for (const solver of wanted) if (!playing.has(solver.id)) play(playing, solver);
  };
}

function selects({ metadata, spec }: Service, pod: Pod): boolean {
  const wanted = Object.entries(spec.selector ?? {});
  return (
    metadata.namespace === pod.metadata.namespace &&
    wanted.length > 0 &&
    wanted.every(([name, value]) => pod.metadata.labels?.[name] === value)
  );
}

function play(playing: Map<string, Server>, { id, pod, service }: Solver): void {
  const value = (option: string) =>
    pod.spec.containers[0]?.args?.find((text) => text.startsWith(`--${option}=`))?.slice(option.length + 3) ?? '';
  const path = `/.well-known/acme-challenge/${value('token')}`;
  const server = createServer((request, response) => {
    const found = request.url === path && (request.headers.host ?? '').split(':')[0] === value('domain');
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/plain' }).end(found ? value('key') : '');
  });
  server.on('error', (error) => {
    console.error(String(error));
    playing.delete(id);
  });
  server.listen(service.spec.ports[0]?.port ?? 8089, service.spec.clusterIP);
  playing.set(id, server);
}
