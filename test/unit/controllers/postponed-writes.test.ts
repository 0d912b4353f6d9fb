import { expect, it } from '@jest/globals';
import type { ApplyOptions, Cluster, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { WriteAction } from '../../../src/controller-runtime/actions.ts';
import { applyActions } from '../../../src/controllers/apply-actions.ts';
import { IngressKind, ResourceQuotaKind } from '../../../src/resources/kinds.ts';

const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x' } };
const write: WriteAction = { verb: 'apply', kind: IngressKind, object };
const now = 1_000;

it.each<[sentence: string, postponed: readonly number[], requeueAt: number | null, requeueAfterMs: number | undefined]>(
  [
    ['nothing that was postponed brings no key back', [0, 0], null, undefined],
    ['a postponed write brings its key back when it may be sent', [0, 250], null, 250],
    ['the first of several does', [900, 250], null, 250],
    ['a key that comes back earlier anyway does so', [250], now + 100, 100],
    ['a key that comes back later anyway comes back for the write', [250], now + 9_000, 250],
  ],
)('%s', async (_, postponed, requeueAt, requeueAfterMs) => {
  const left = [...postponed];
  const apply = (_kind: unknown, intent: KubernetesObject, { postpone }: ApplyOptions) => {
    const retryAfterMs = left.shift() ?? 0;
    if (retryAfterMs > 0) postpone?.(retryAfterMs);
    return Promise.resolve(intent);
  };
  const dependencies = { cluster: { apply } as unknown as Cluster, now: () => now, recordEvent: () => undefined };
  const writes = postponed.map(() => write);
  expect((await applyActions(dependencies, { writes, events: [], requeueAt })).requeueAfterMs).toBe(requeueAfterMs);
});

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
