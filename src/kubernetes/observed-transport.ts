import { KubernetesError } from './kubernetes-errors.ts';
import type { Call, Transport } from './transport.ts';

/** One request to the API server, as figures count it: no name, no namespace, so there are few of them. */
export interface ObservedRequest {
  readonly verb: string;
  /** plural name, with its subresource: `projectdomains/status` */
  readonly resource: string;
  /** `2xx` to `5xx`, or `none` where there was no answer */
  readonly code: string;
  /** until the answer, of a watch until it began */
  readonly ms: number;
}

/** The same transport; each request is told once it was answered. `elapsed` gives milliseconds that are never set back. */
export function observed(
  transport: Transport,
  observe: (request: ObservedRequest) => void,
  elapsed: () => number,
): Transport {
  const told = async <T>(verb: string, path: string, request: Promise<T>): Promise<T> => {
    const startedAt = elapsed();
    const tell = (code: string) => observe({ verb, resource: resourceOf(path), code, ms: elapsed() - startedAt });
    try {
      const answer = await request;
      tell('2xx');
      return answer;
    } catch (error) {
      tell(error instanceof KubernetesError ? `${Math.floor(error.status / 100)}xx` : 'none');
      throw error;
    }
  };
  return {
    ...transport,
    call: <T>(call: Call) => told(verbOf(call), call.path, transport.call<T>(call)),
    stream: (path, signal) => told('watch', path, transport.stream(path, signal)),
  };
}

const verbs = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** Kubernetes' own words for what is done (Kubernetes API concepts, "API verbs"). */
function verbOf({ method, path }: Call): string {
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
