import { expect, it } from '@jest/globals';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import { areSecretsGone } from '../../../src/controllers/tls-secrets.ts';

/** What becomes of the right to delete Secrets, which stands in each account's own namespace. */

it.each([
  ['of a namespace that is there they are not, whatever rights are missing', true, false, { isGone: false, asked: 0 }],
  [
    'of one that is no account’s any more they are not while the right is there',
    false,
    true,
    { isGone: false, asked: 1 },
  ],
  ['of one that is gone they are, and the right with them', false, false, { isGone: true, asked: 1 }],
])('%s', async (_title, isThere, allowed, expected) => {
  let asked = 0;
  const create = (_: unknown, { spec }: { readonly spec?: unknown }) => {
    asked += 1;
    expect(spec).toEqual({ resourceAttributes: { namespace: 'acme', verb: 'delete', resource: 'secrets' } });
    return Promise.resolve({ status: { allowed } });
  };
  const caches = { namespaces: { has: ({ name }: { readonly name: string }) => isThere && name === 'acme' } };
  const cluster = { create } as unknown as Cluster;
  expect({ isGone: await areSecretsGone({ cluster, caches }, 'acme'), asked }).toEqual(expected);
});
