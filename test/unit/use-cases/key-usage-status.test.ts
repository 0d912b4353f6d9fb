import { expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import type { ApiKey } from '../../../src/generated/api-key.ts';
import type { NotedDecision } from '../../../src/use-cases/key-usage-status.ts';
import { createKeyStatus } from '../../../src/use-cases/key-usage-status.ts';
import type { Caller } from '../../../src/use-cases/api-dependencies.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const minutes = 60_000;
type Status = NonNullable<ApiKey['status']>;

const allowed: NotedDecision = { kind: 'allowed', binding: 'minute', ban: null, degraded: false };
const limited: NotedDecision = { ...allowed, kind: 'limited', binding: 'day' };
const banAt = (at: number, step: number): NotedDecision => ({
  kind: 'banned',
  binding: 'minute',
  ban: { until: at / 1_000 + 60, seconds: 60, strikes: 18, step },
  degraded: false,
});

/** What is written of a key, in order, while decisions come at times; the cache sees nothing of it. */
async function written(status: Status, decisions: readonly (readonly [number, NotedDecision])[]): Promise<Status[]> {
  const memory = createInMemoryApi();
  const { caller } = memory.as(memory.account('acme', 'pro'));
  const seen: Status[] = [];
  let now = noon;
  const cluster = {
    ...memory.dependencies.cluster,
    applyStatus: <T>(_: unknown, intent: object) => {
      seen.push((intent as { readonly status: Status }).status);
      return Promise.resolve(intent as T);
    },
  };
  const note = createKeyStatus({ cluster, now: () => now }, { warn: () => undefined });
  const known: Caller = { ...caller, apiKey: { ...caller.apiKey, status } };
  for (const [at, decision] of decisions) {
    now = at;
    note(known, decision);
    await turn();
  }
  return seen;
}

const at = timestamp;

it('its first use is written, and the next after five minutes', async () => {
  const uses = [noon, noon + 1 * minutes, noon + 5 * minutes].map((time) => [time, allowed] as const);
  expect(await written({}, uses)).toEqual([{ lastUsedAt: at(noon) }, { lastUsedAt: at(noon + 5 * minutes) }]);
});

// Would fail if `kubectl get apikeys` told of a limit five minutes late, or if each refusal were a write.
it('a refusal by a limit is written at once, its window too, and the next after five minutes', async () => {
  const first = { lastUsedAt: at(noon + 1_000), limited: { at: at(noon + 1_000), window: 'day' } };
  const writes = await written({}, [
    [noon, allowed],
    [noon + 1_000, limited],
    [noon + 2_000, limited],
    [noon + 6 * minutes, allowed],
  ]);
  expect(writes).toEqual([{ lastUsedAt: at(noon) }, first, { ...first, lastUsedAt: at(noon + 6 * minutes) }]);
});

it('a ban is written at once, before those that the key had, five at most', async () => {
  const earlier = [1, 2, 3, 4, 5].map((step) => ({
    from: at(noon - step * 86_400_000),
    until: at(noon - step * 86_400_000 + minutes),
    step: 1,
  }));
  const writes = await written({ lastUsedAt: at(noon), bans: earlier }, [
    [noon + 1_000, banAt(noon, 2)],
    [noon + 2_000, banAt(noon, 2)],
  ]);
  const begun = { from: at(noon), until: at(noon + minutes), step: 2 };
  expect(writes).toEqual([
    { lastUsedAt: at(noon + 1_000), bannedUntil: at(noon + minutes), bans: [begun, ...earlier.slice(0, 4)] },
  ]);
});

it('what another API server wrote since is kept', async () => {
  const status: Status = {
    lastUsedAt: at(noon - 10 * minutes),
    limited: { at: at(noon - 10 * minutes), window: 'minute' },
  };
  expect(await written(status, [[noon, allowed]])).toEqual([{ ...status, lastUsedAt: at(noon) }]);
});

// Would fail if `projectdomain quota` went on to say that a key is banned whose ban an administrator has lifted.
it('the end of a ban that was lifted is written at once, by whom Redis admitted', async () => {
  const banned: Status = { lastUsedAt: at(noon), bannedUntil: at(noon + 10 * minutes) };
  const decisions = [
    [noon + 1_000, { ...allowed, degraded: true }],
    [noon + 2_000, limited],
    [noon + 3_000, allowed],
  ] as const;
  expect(await written(banned, decisions)).toEqual([
    { lastUsedAt: at(noon + 2_000), limited: { at: at(noon + 2_000), window: 'day' } },
  ]);
  expect(await written(banned, decisions.toSpliced(1, 1))).toEqual([{ lastUsedAt: at(noon + 3_000) }]);
});

// Would fail if the write of a refusal, made late, took the ban away that came right after it.
it('there is one write at a time, and the last one has everything', async () => {
  const memory = createInMemoryApi();
  const { caller } = memory.as(memory.account('acme', 'pro'));
  const seen: Status[] = [];
  const held: (() => void)[] = [];
  const applyStatus = <T>(_: unknown, intent: object) => {
    seen.push((intent as { readonly status: Status }).status);
    return new Promise<T>((done) => held.push(() => done(intent as T)));
  };
  const cluster = { ...memory.dependencies.cluster, applyStatus };
  const note = createKeyStatus({ cluster, now: () => noon }, { warn: () => undefined });
  for (const decision of [limited, banAt(noon, 1)]) note(caller, decision);
  await turn();
  expect(seen).toHaveLength(1);
  held[0]?.();
  await turn();
  expect(seen).toHaveLength(2);
  expect(seen[1]).toMatchObject({ limited: { window: 'day' }, bans: [{ step: 1 }] });
});
