import { describe, expect, it } from '@jest/globals';
import { KubernetesError, TransportError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { ObservedRequest } from '../../../src/kubernetes/observed-transport.ts';
import { observed } from '../../../src/kubernetes/observed-transport.ts';
import type { Call, Transport } from '../../../src/kubernetes/transport.ts';

/** Requests as figures see them: few, whatever the names. */

function seenOf(fault: Error | null = null): { readonly transport: Transport; readonly seen: ObservedRequest[] } {
  const seen: ObservedRequest[] = [];
  const answer = () => (fault === null ? Promise.resolve({}) : Promise.reject(fault));
  let now = 0;
  const transport = observed(
    {
      call: answer as Transport['call'],
      stream: answer as unknown as Transport['stream'],
      close: () => Promise.resolve(),
    },
    (request) => seen.push(request),
    () => (now += 7),
  );
  return { transport, seen };
}

const named = (status: number) => new KubernetesError({ status, reason: 'Scripted', message: '', retryAfterMs: null });

describe('a request to the API server', () => {
  it.each<[Call['method'], string, string, string]>([
    ['GET', '/apis/projectdomain.io/v1alpha1/projectdomains?limit=500', 'list', 'projectdomains'],
    ['GET', '/apis/projectdomain.io/v1alpha1/namespaces/acme/projects', 'list', 'projects'],
    ['GET', '/apis/projectdomain.io/v1alpha1/namespaces/acme/projects/shop', 'get', 'projects'],
    ['GET', '/api/v1/namespaces', 'list', 'namespaces'],
    ['GET', '/api/v1/namespaces/acme', 'get', 'namespaces'],
    ['PATCH', '/apis/projectdomain.io/v1alpha1/namespaces/a/projects/b/status?force=true', 'patch', 'projects/status'],
    ['POST', '/api/v1/namespaces/system/serviceaccounts/api/token', 'create', 'serviceaccounts/token'],
    ['POST', '/api/v1/namespaces/acme/secrets?fieldManager=x&dryRun=All', 'dry-run', 'secrets'],
    ['PUT', '/apis/coordination.k8s.io/v1/namespaces/system/leases/x', 'update', 'leases'],
    ['DELETE', '/api/v1/namespaces/acme/secrets/pd-x', 'delete', 'secrets'],
  ])('%s %s is %s of %s', async (method, path, verb, resource) => {
    const { transport, seen } = seenOf();
    await transport.call({ method, path });
    expect(seen).toEqual([{ verb, resource, code: '2xx', ms: 7 }]);
  });

  it('that watches is told when it begins', async () => {
    const { transport, seen } = seenOf();
    await transport.stream('/apis/projectdomain.io/v1alpha1/projects?watch=true', new AbortController().signal);
    expect(seen).toEqual([{ verb: 'watch', resource: 'projects', code: '2xx', ms: 7 }]);
  });

  it.each<[Error, string]>([
    [named(409), '4xx'],
    [named(503), '5xx'],
    [new TransportError('refused'), 'none'],
  ])('that fails with %s counts as %s, and fails', async (fault, code) => {
    const { transport, seen } = seenOf(fault);
    await expect(transport.call({ method: 'GET', path: '/api/v1/namespaces' })).rejects.toBe(fault);
    expect(seen.map((request) => request.code)).toEqual([code]);
  });
});
