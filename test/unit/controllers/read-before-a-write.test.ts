import { expect, it } from '@jest/globals';
import type { ApplyOptions, Cluster, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { WriteAction } from '../../../src/controller-runtime/actions.ts';
import { applyActions } from '../../../src/controllers/apply-actions.ts';
import { IngressKind, ResourceQuotaKind } from '../../../src/resources/kinds.ts';

const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x' } };
const write: WriteAction = { verb: 'apply', kind: IngressKind, object };
const now = 1_000;

it.each([null, object])('what was read for a decision is not read again for its write: %j', async (live) => {
  const given: unknown[] = [];
  const apply = (_kind: unknown, intent: KubernetesObject, options: ApplyOptions) => {
    given.push(options.live);
    return Promise.resolve(intent);
  };
  const dependencies = { cluster: { apply } as unknown as Cluster, now: () => now, recordEvent: () => undefined };
  const writes: readonly WriteAction[] = [{ ...write, kind: ResourceQuotaKind, live }, write];
  await applyActions(dependencies, { writes, events: [], requeueAt: null });
  expect(given).toEqual([live, undefined]);
});
