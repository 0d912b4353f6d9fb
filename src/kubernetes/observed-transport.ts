import { KubernetesError } from './kubernetes-errors.ts';
import type { Tracer } from '../lib/tracer.ts';
import type { Call, Transport } from './transport.ts';

/** One request to the kube-apiserver as metrics count it: without name and namespace, to keep cardinality low. */
export interface ObservedRequest {
  readonly verb: string;
  /** plural name, with its subresource: `projectdomains/status` */
  readonly resource: string;
  /** `2xx` to `5xx`, or `none` without an answer */
  readonly code: string;
  /** until the answer; for a watch, until it began */
  readonly ms: number;
}

/** The same transport, which reports each request when it ends. `elapsed`: monotonic milliseconds. */
export function observed(
  transport: Transport,
  observe: (request: ObservedRequest) => void,
  elapsed: () => number,
): Transport {
  const reported = async <T>(verb: string, path: string, request: Promise<T>): Promise<T> => {
    const startedAt = elapsed();
    const report = (code: string) => observe({ verb, resource: resourceOf(path), code, ms: elapsed() - startedAt });
    try {
      const answer = await request;
      report('2xx');
      return answer;
    } catch (error) {
      report(error instanceof KubernetesError ? `${Math.floor(error.status / 100)}xx` : 'none');
      throw error;
    }
  };
  return {
    ...transport,
    call: <T>(call: Call) => reported(verbOf(call), call.path, transport.call<T>(call)),
    stream: (path, signal) => reported('watch', path, transport.stream(path, signal)),
  };
}

/** The same transport, which makes each call a span of the reconcile or request that it is made for. */
export const traced = (transport: Transport, tracer: Tracer): Transport => ({
  ...transport,
  call<T>(call: Call) {
    const [verb, resource] = [verbOf(call), resourceOf(call.path)];
    const attributes = { 'http.request.method': call.method, 'projectdomain.resource': resource };
    return tracer.span(`${verb} ${resource}`, attributes, () => transport.call<T>(call));
  },
});

const verbs = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** The verb as Kubernetes names it (Kubernetes API concepts, "API verbs"); `dry-run` for what writes nothing. */
function verbOf({ method, path }: Call): string {
  if (path.includes('dryRun=')) return 'dry-run';
  if (method !== 'GET') return verbs[method];
  return partsOf(path).length === 1 ? 'list' : 'get';
}

function resourceOf(path: string): string {
  const [plural = 'none', , subresource] = partsOf(path);
  return subresource === undefined ? plural : `${plural}/${subresource}`;
}

/** Plural, name and subresource of a path below /api/VERSION or /apis/GROUP/VERSION, with or without a namespace. */
function partsOf(path: string): readonly string[] {
  const [root, ...rest] = path.split('?', 1)[0]?.split('/').slice(1) ?? [];
  const below = rest.slice(root === 'apis' ? 2 : 1);
  return below[0] === 'namespaces' && below.length > 2 ? below.slice(2) : below;
}
