import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createPacking } from '../../../src/kubernetes/packed-objects.ts';
import type { Representation } from '../../../src/kubernetes/representations.ts';
import { asTheyAre, packed, packedWithHead } from '../../../src/kubernetes/representations.ts';
import type { Store, StoreEvent } from '../../../src/kubernetes/store.ts';
import { createStore } from '../../../src/kubernetes/store.ts';
import { fc } from '../../support/property.ts';

interface Thing extends KubernetesObject {
  readonly colours: readonly string[];
}

const thing = (
  name: string,
  version: number,
  { uid = `uid-${name}`, colours = [] as readonly string[] } = {},
): Thing => ({
  apiVersion: 'test.io/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'a', uid, resourceVersion: String(version) },
  colours,
});

type Kept = 'as objects' | 'packed' | 'packed but for its head';

const ways: readonly Kept[] = ['as objects', 'packed', 'packed but for its head'];

const headOf = ({ apiVersion, kind, metadata, colours }: Thing): Thing => ({ apiVersion, kind, metadata, colours });

function representationOf(kept: Kept): Representation<Thing, Thing> {
  if (kept === 'as objects') return asTheyAre<Thing>();
  return kept === 'packed' ? packed(createPacking<Thing>()) : packedWithHead(createPacking<Thing>(), headOf);
}

const told = ({ type, object, previous }: StoreEvent<Thing>) =>
  [type, `${object.metadata.name}@${object.metadata.resourceVersion}`, previous?.metadata.resourceVersion]
    .join(' ')
    .trim();

let store: Store<Thing>;
let events: string[];
let faults: unknown[];

function begin(kept: Kept): void {
  faults = [];
  events = [];
  store = createStore<Thing>(
    { colour: ({ colours }) => colours },
    (error) => faults.push(error),
    representationOf(kept),
  );
  store.subscribe((event) => events.push(told(event)));
}

const named = (objects: readonly Thing[]) => objects.map(({ metadata }) => metadata.name).toSorted();

describe.each(ways)('what subscribers are told of a kind kept %s', (kept) => {
  beforeEach(() => begin(kept));

  it.each<[string, () => void, readonly string[]]>([
    ['a first sight is an addition', () => store.put(thing('x', 1)), ['added x@1']],
    [
      'a new version is a modification, told with what stood there before',
      () => [1, 2].forEach((version) => store.put(thing('x', version))),
      ['added x@1', 'modified x@2 1'],
    ],
    [
      'the same version again is nothing',
      () => [1, 1].forEach((version) => store.put(thing('x', version))),
      ['added x@1'],
    ],
    [
      'another uid is a deletion of the old one and an addition',
      () => ['old', 'new'].forEach((uid, version) => store.put(thing('x', version, { uid }))),
      ['added x@0', 'deleted x@0', 'added x@1'],
    ],
    ['a deletion of what is not there is nothing', () => store.drop(thing('x', 1)), []],
    [
      'a deletion is told with the object as it was last seen',
      () => [store.put(thing('x', 1)), store.drop(thing('x', 9))],
      ['added x@1', 'deleted x@1'],
    ],
  ])('%s', (_, act, wanted) => {
    act();
    expect(events).toEqual(wanted);
  });

  it('a listener already finds the new state in the store and in its indexes', () => {
    const found: string[][] = [];
    store.subscribe(() => found.push(named(store.byIndex('colour', 'red'))));
    store.put(thing('x', 1, { colours: ['red'] }));
    store.put(thing('x', 2, { colours: ['blue'] }));
    expect(found).toEqual([['x'], []]);
  });

  it('a listener that throws is reported and keeps nobody else from hearing', () => {
    const heard: string[] = [];
    store.subscribe(() => {
      throw new Error('mine');
    });
    store.subscribe((event) => heard.push(told(event)));
    store.put(thing('x', 1));
    expect(heard).toEqual(['added x@1']);
    expect(faults).toEqual([new Error('mine')]);
  });
});

describe.each(ways)('reading a kind kept %s', (kept) => {
  beforeEach(() => begin(kept));

  it('objects of the same name in two namespaces are two', () => {
    const there = thing('x', 1);
    store.put(there);
    store.put({ ...there, metadata: { ...there.metadata, namespace: 'b', uid: 'other' } });
    expect(store.size).toBe(2);
    expect(store.get({ namespace: 'b', name: 'x' })?.metadata.uid).toBe('other');
  });

  it('cluster-scoped objects are found under the empty namespace', () => {
    store.put({ ...thing('x', 1), metadata: { name: 'x', resourceVersion: '1' } });
    expect(store.get({ namespace: '', name: 'x' })).toBeDefined();
  });

  it('an object is found under every value of its index, and no longer under those it lost', () => {
    store.put(thing('x', 1, { colours: ['red', 'blue'] }));
    store.put(thing('y', 2, { colours: ['red'] }));
    expect(named(store.byIndex('colour', 'red'))).toEqual(['x', 'y']);
    store.put(thing('x', 3, { colours: ['green'] }));
    expect(named(store.byIndex('colour', 'red'))).toEqual(['y']);
    expect(store.byIndex('colour', 'blue')).toEqual([]);
    store.drop(thing('x', 4));
    expect(store.byIndex('colour', 'green')).toEqual([]);
  });

  it('keys and numbers say the same as the objects', () => {
    store.put(thing('x', 1, { colours: ['red'] }));
    store.put(thing('y', 2, { colours: ['red'] }));
    store.put(thing('z', 3));
    expect(store.keysByIndex('colour', 'red')).toEqual(['x', 'y'].map((name) => ({ namespace: 'a', name })));
    expect(['red', 'blue'].map((colour) => store.countByIndex('colour', colour))).toEqual([2, 0]);
    expect([...store.keys()].map(({ name }) => name)).toEqual(['x', 'y', 'z']);
    expect([...store.values()]).toEqual(store.list());
    expect(store.headOf({ namespace: 'a', name: 'x' })?.colours).toEqual(['red']);
    expect(store.headOf({ namespace: 'a', name: 'w' })).toBeUndefined();
  });

  it.each([1, 2, 3, 31, 32, 33, 40])('%i objects of one value come and go, and stay in order', (many) => {
    const names = Array.from({ length: many }, (_, at) => `n${String(at).padStart(2, '0')}`);
    const found = () => [named(store.byIndex('colour', 'red')), store.countByIndex('colour', 'red')];
    names.forEach((name, at) => store.put(thing(name, at + 1, { colours: ['red', 'red'] })));
    expect(found()).toEqual([names, many]);
    const left = names.filter((_, at) => at % 3 !== 1);
    names.forEach((name, at) => {
      if (at % 3 === 1) store.drop(thing(name, 100 + at));
    });
    expect(found()).toEqual([left, left.length]);
    left.forEach((name, at) => store.put(thing(name, 200 + at, { colours: ['blue'] })));
    expect(found()).toEqual([[], 0]);
    expect(store.indexValues('colour')).toEqual(['blue']);
  });

  it('holds what was put last, by every field', () => {
    store.put(thing('x', 1, { colours: ['red'] }));
    const held = [thing('x', 1, { colours: ['red'] }), thing('x', 1, { colours: ['blue'] }), thing('y', 1)];
    expect(held.map((object) => store.holds(object))).toEqual([true, false, false]);
  });

  it('an index that was never declared is a mistake of the program', () => {
    expect(() => store.byIndex('size', 'big')).toThrow(/size/);
  });

  it('objects are frozen to the bottom', () => {
    store.put(thing('x', 1, { colours: ['red'] }));
    const colours = store.get({ namespace: 'a', name: 'x' })?.colours as string[];
    expect(() => colours.push('blue')).toThrow(TypeError);
  });
});

const step = fc.record({
  verb: fc.constantFrom('put', 'drop'),
  name: fc.constantFrom('x', 'y', 'z'),
  uid: fc.constantFrom('1', '2'),
  colours: fc.subarray(['red', 'blue']),
});

it.each(ways)(
  'events replayed give the store, and indexes agree with a scan, whatever the order of writes: kept %s',
  (kept) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const index = { colour: ({ colours }: Thing) => colours };
        const any = createStore<Thing>(index, () => undefined, representationOf(kept));
        const replayed = new Map<string, Thing>();
        any.subscribe(({ type, object, previous }) => {
          const { name, uid } = object.metadata;
          const before = replayed.get(name);
          expect(before === undefined).toBe(type === 'added');
          if (before) expect(uid).toBe(before.metadata.uid);
          expect(previous).toEqual(type === 'modified' ? before : undefined);
          if (type === 'deleted') replayed.delete(name);
          else replayed.set(name, object);
        });
        steps.forEach(({ verb, name, ...rest }, version) => {
          any[verb](thing(name, version, rest));
          expect([...replayed.values()].toSorted(byName)).toEqual([...any.list()].toSorted(byName));
          for (const colour of ['red', 'blue'])
            expect(named(any.byIndex('colour', colour))).toEqual(
              named(any.list().filter(({ colours }) => colours.includes(colour))),
            );
        });
      }),
    );
  },
);

const byName = (a: Thing, b: Thing) => a.metadata.name.localeCompare(b.metadata.name);
