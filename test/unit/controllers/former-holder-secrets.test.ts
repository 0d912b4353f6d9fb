import { describe, expect, it } from '@jest/globals';
import { kubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Cluster, Kind, ObjectKey } from '../../../src/kubernetes/kubernetes-port.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import {
  soonerResult,
  deleteFormerHolderSecrets,
} from '../../../src/controllers/hostname-claim/hostname-claim-reconciler.ts';
import { claim } from '../../support/snapshot.ts';

const hour = 3_600_000;

/** A cluster that allows deletion in these namespaces, and answers it with this status. */
function cluster(allowed: readonly string[], status = 200) {
  const removed: string[] = [];
  const create = (_: Kind, { spec }: { readonly spec?: unknown }) => {
    const { resourceAttributes } = spec as { resourceAttributes: { namespace: string; verb: string } };
    return Promise.resolve({ status: { allowed: allowed.includes(resourceAttributes.namespace) } });
  };
  const remove = (kind: Kind, { namespace, name }: ObjectKey) => {
    removed.push(`${kind.kind} ${namespace}/${name}`);
    return status < 400 ? Promise.resolve(true) : Promise.reject(kubernetesError(status, '', undefined));
  };
  const others = { now: () => 0, recordEvent: () => undefined };
  return { removed, applyDependencies: { cluster: { create, remove } as unknown as Cluster, ...others } };
}

const secretOf = (namespace: string) => `Secret ${namespace}/${childName('www.example.com')}`;

describe('a TLS Secret that came back where its hostname was held before', () => {
  it('is deleted by its name, in every namespace that is remembered, and looked for again in an hour', async () => {
    const { removed, applyDependencies } = cluster(['acme', 'beta', 'gamma']);
    expect(await deleteFormerHolderSecrets(applyDependencies, claim({ formerHolders: ['beta', 'gamma'] }))).toEqual({
      requeueAfterMs: hour,
    });
    expect(removed).toEqual([secretOf('beta'), secretOf('gamma')]);
  });

  it('is never the one of the present holder', async () => {
    const { removed, applyDependencies } = cluster(['acme', 'beta', 'gamma']);
    expect(await deleteFormerHolderSecrets(applyDependencies, claim({ formerHolders: ['acme'] }))).toEqual({});
    expect(removed).toEqual([]);
  });

  it('is not asked for where the operator has no right any longer', async () => {
    const { removed, applyDependencies } = cluster(['gamma']);
    expect(await deleteFormerHolderSecrets(applyDependencies, claim({ formerHolders: ['beta', 'gamma'] }))).toEqual({
      requeueAfterMs: hour,
    });
    expect(removed).toEqual([secretOf('gamma')]);
  });

  it('is tried again when the API server is away', async () => {
    await expect(
      deleteFormerHolderSecrets(cluster(['beta'], 503).applyDependencies, claim({ formerHolders: ['beta'] })),
    ).rejects.toThrow(/503/);
  });

  it('costs nothing where the hostname never moved', async () => {
    const { removed, applyDependencies } = cluster(['acme', 'beta', 'gamma']);
    expect(await deleteFormerHolderSecrets(applyDependencies, claim())).toEqual({});
    expect(removed).toEqual([]);
  });
});

it.each([
  ['of two visits the earlier holds', { requeueAfterMs: 5 }, { requeueAfterMs: 3 }, { requeueAfterMs: 3 }],
  ['of one visit that one', {}, { requeueAfterMs: 3 }, { requeueAfterMs: 3 }],
  ['and the other way round', { requeueAfterMs: 5 }, {}, { requeueAfterMs: 5 }],
  ['of none none', {}, {}, {}],
])('%s', (_, one, other, expected) => {
  expect(soonerResult(one, other)).toEqual(expected);
});
