import { describe, expect, it } from '@jest/globals';
import type { Actions, WriteAction } from '../../../src/controller-runtime/actions.ts';
import { applyActions } from '../../../src/controllers/apply-actions.ts';
import { kubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import { CertificateRequestKind, IngressKind } from '../../../src/resources/kinds.ts';

/** cert-manager deletes requests while they are decided on: fails where that is a fault, or where another fault is none any more. */

const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x' } };
const status: WriteAction = { verb: 'applyStatus', kind: CertificateRequestKind, object };
const route: WriteAction = { verb: 'apply', kind: IngressKind, object };

async function applied(writes: readonly WriteAction[], failing: keyof Cluster, code: number) {
  const done: string[] = [];
  const write = (verb: string) => () => {
    if (verb === failing) return Promise.reject(kubernetesError(code, '', undefined));
    done.push(verb);
    return Promise.resolve(object);
  };
  const cluster = { apply: write('apply'), applyStatus: write('applyStatus') } as unknown as Cluster;
  const actions: Actions = { writes, events: [], requeueAt: null };
  await applyActions({ cluster, now: () => 0, recordEvent: () => undefined }, actions);
  return done;
}

describe('a write', () => {
  it('of the status of what is gone is left out, and the others are done', async () => {
    expect(await applied([status, route], 'applyStatus', 404)).toEqual(['apply']);
  });

  it.each<[string, keyof Cluster, number]>([
    ['of a status that is refused', 'applyStatus', 403],
    ['of a status that meets a conflict', 'applyStatus', 409],
    ['of an object in a namespace that is gone', 'apply', 404],
  ])('%s fails', async (_, failing, code) => {
    await expect(applied([status, route], failing, code)).rejects.toMatchObject({ status: code });
  });
});
