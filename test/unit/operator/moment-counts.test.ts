import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createStore } from '../../../src/kubernetes/store.ts';
import type { Moment } from '../../../src/operator/moment-counts.ts';
import { maintainMomentCounts } from '../../../src/operator/moment-counts.ts';
import { fc } from '../../support/property.ts';

interface Timed extends KubernetesObject {
  readonly moments: readonly Moment[];
}

const accuracy = 1_000;
const roundDown = (at: number) => Math.floor(at / accuracy) * accuracy;

/** What a look at every object would count. */
function scanned(objects: readonly Timed[], from: number, to: number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, at } of objects.flatMap(({ moments }) => moments))
    if (roundDown(at) > roundDown(from) && roundDown(at) <= roundDown(to)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const at = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.constant(Number.NaN));
const moments = fc.array(fc.record({ name: fc.constantFrom('x', 'y'), at }), { maxLength: 3 });
const change = fc.record({
  verb: fc.constantFrom('put', 'put', 'recreate', 'drop'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  moments,
});
const end = fc.oneof(
  fc.integer({ min: -1_000, max: 21_000 }),
  fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
);

describe('moments that are counted change by change', () => {
  it('are those that a look at every object finds, whatever was put, made anew and dropped, and between any two times', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), end, end, (changes, from, to) => {
        const store = createStore<Timed>({}, (error) => {
          throw error;
        });
        const counts = maintainMomentCounts(store, ({ moments: own }) => own, accuracy);
        changes.forEach(({ verb, name, moments: own }, index) => {
          const uid = verb === 'recreate' ? `${name}-${index}` : name;
          const metadata = { name, uid, resourceVersion: `${index}` };
          const object: Timed = { apiVersion: 'v1', kind: 'Timed', metadata, moments: own };
          if (verb === 'drop') store.drop(object);
          else store.put(object);
        });
        expect(Object.fromEntries(counts.between(from, to))).toEqual(scanned(store.list(), from, to));
      }),
    );
  });
});
