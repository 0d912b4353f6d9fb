import { describe, expect, it } from '@jest/globals';
import type { Phase } from '../../../src/operator/operator-readiness.ts';
import { untilListed, notReady, watchCertManager } from '../../../src/operator/operator-readiness.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';

/** Readiness speaks of what the operator cannot do without; a neighbour's absence is the neighbour's. */

const never = new Promise<void>(() => undefined);
const known = Promise.resolve();
const hours = 3_600_000;

interface Seen {
  readonly synced?: Promise<void>;
  readonly silentMs?: number;
}

const kinds = ['domains', 'claims', 'certificates', 'certificateRequests', 'issuers'] as const;

const reflectors = (seen: Readonly<Partial<Record<(typeof kinds)[number], Seen>>>) =>
  new Map(
    kinds.map((kind) => {
      const { synced = known, silentMs = 0 } = seen[kind] ?? {};
      return [kind, { synced, staleness: () => silentMs }] as const;
    }),
  );

const absent: Seen = { synced: never, silentMs: 5 * hours };
const away: Seen = { silentMs: 5 * hours };
const without = (how: Seen) => reflectors({ certificates: how, certificateRequests: how, issuers: how });

describe('an operator', () => {
  it.each<[string, ReturnType<typeof reflectors>, Phase, string | null]>([
    ['that leads is ready', reflectors({}), 'leading', null],
    ['that stands by is ready', reflectors({}), 'standby', null],
    ['that has not listed yet is not', reflectors({}), 'syncing', 'syncing'],
    ['is ready where cert-manager was never installed', without(absent), 'leading', null],
    ['is ready while cert-manager is away for hours', without(away), 'leading', null],
    [
      'is not where nobody speaks of domains',
      reflectors({ domains: away }),
      'leading',
      'the kube-apiserver has sent nothing about: domains',
    ],
  ])('%s', (_, seen, phase, wanted) => {
    expect(notReady(seen, phase)).toBe(wanted);
  });

  it.each<[string, ReturnType<typeof reflectors>, boolean]>([
    ['does not wait for kinds of cert-manager', without(absent), true],
    ['waits for its own', reflectors({ claims: absent }), false],
  ])('%s before it leads', async (_, seen, wanted) => {
    // What is listed already is waited for in no turn of the event loop but this one.
    const soon = turnsOfLoop(5).then(() => false);
    expect(await Promise.race([untilListed(seen).then(() => true), soon])).toBe(wanted);
  });
});

describe('cert-manager', () => {
  it.each<[string, ReturnType<typeof reflectors>, boolean]>([
    ['is there once all of its kinds were listed', reflectors({}), false],
    ['is away while one of them was not', reflectors({ issuers: absent }), true],
    ['is away while nobody speaks of one of them', reflectors({ certificateRequests: away }), true],
    ['is there while only ours are silent', reflectors({ domains: away }), false],
  ])('%s', async (_, seen, wanted) => {
    const watch = watchCertManager(seen);
    await turnsOfLoop(1);
    expect(watch.isUnavailable()).toBe(wanted);
  });
});
