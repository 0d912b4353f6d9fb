import { describe, expect, it } from '@jest/globals';
import { replaceStoreContents } from '../../../src/kubernetes/replace-store-contents.ts';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { Store } from '../../../src/kubernetes/store.ts';
import { createStore } from '../../../src/kubernetes/store.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import type { TimeSlices } from '../../../src/lib/time-slices.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import { fc } from '../../support/property.ts';

interface Thing extends KubernetesObject {
  readonly colour: string;
}

const thing = (name: string, version: number, colour = 'red'): Thing => ({
  apiVersion: 'test.io/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'a', uid: `uid-${name}`, resourceVersion: String(version) },
  colour,
});

function watchedStore() {
  const store = createStore<Thing>({ colour: ({ colour }) => [colour] }, () => undefined);
  const events: string[] = [];
  store.subscribe(({ type, object: { metadata } }) =>
    events.push(`${type} ${metadata.name}@${metadata.resourceVersion}`),
  );
  return { store, events };
}

const slices = () => createTimeSlices(systemClock.elapsed);

/** A list in pages of two. */
async function replace(store: Store<Thing>, list: readonly Thing[], given: TimeSlices = slices()): Promise<void> {
  const replacement = replaceStoreContents(store, given);
  for (let at = 0; at < list.length; at += 2) await replacement.take(list.slice(at, at + 2));
  await replacement.finish();
}

describe('a whole list', () => {
  it.each<[string, readonly Thing[], readonly Thing[], readonly string[]]>([
    [
      'tells what changed and what came, then what vanished',
      [thing('x', 1), thing('y', 2)],
      [thing('y', 5), thing('z', 4)],
      ['modified y@5', 'added z@4', 'deleted x@1'],
    ],
    ['that is the same again tells nothing', [thing('x', 1)], [thing('x', 1)], []],
    [
      'that gives a known version to another content, as a restored etcd does, tells of both',
      [thing('x', 1, 'red')],
      [thing('x', 1, 'blue')],
      ['deleted x@1', 'added x@1'],
    ],
    ['that is empty empties the store', [thing('x', 1)], [], ['deleted x@1']],
  ])('%s', async (_, before, after, wanted) => {
    const { store, events } = watchedStore();
    await replace(store, before);
    events.length = 0;
    await replace(store, after);
    expect(events).toEqual(wanted);
  });

  it('that breaks off has dropped nothing, as what it lacks may have stood on its other pages', async () => {
    const { store } = watchedStore();
    await replace(store, [thing('x', 1), thing('y', 2)]);
    await replaceStoreContents(store, slices()).take([thing('y', 3)]);
    expect(byName(store.list())).toEqual([thing('x', 1), thing('y', 3)]);
  });

  const byName = (list: readonly Thing[]) => list.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));

  const things = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...'uvwxyz'),
      version: fc.integer({ min: 1, max: 3 }),
      colour: fc.constantFrom('red', 'blue'),
    }),
    { selector: ({ name }) => name },
  );

  it('is what the store holds then, and its indexes, whatever it held before', () =>
    fc.assert(
      fc.asyncProperty(things, things, async (before, after) => {
        const { store } = watchedStore();
        const [first, second] = [before, after].map((list) =>
          list.map(({ name, version, colour }) => thing(name, version, colour)),
        );
        await replace(store, first ?? []);
        await replace(store, second ?? []);
        expect(byName(store.list())).toEqual(byName(second ?? []));
        expect(byName(store.byIndex('colour', 'red'))).toEqual(
          byName((second ?? []).filter(({ colour }) => colour === 'red')),
        );
      }),
    ));

  it('gives way before each object, so that one of 100,000 does not keep the lease from being renewed', async () => {
    const { store } = watchedStore();
    let [given, most] = [0, 0];
    store.subscribe(() => {
      given += 1;
      most = Math.max(most, given);
    });
    const counting = { next: () => Promise.resolve(void (given = 0)) };
    const list = Array.from({ length: 50 }, (_, index) => thing(`thing-${index}`, index + 1));
    await replace(store, list, counting);
    await replace(store, [], counting);
    expect([store.size, most]).toEqual([0, 1]);
  });
});
