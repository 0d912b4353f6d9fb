import { describe, expect, it } from '@jest/globals';
import { chooseMutations, mutated, mutationsOf } from '../../../dev/mutants/mutations.ts';

const mutants = (text: string) => mutationsOf('a.ts', text).map((mutation) => mutated(text, mutation));

/** Fails when a kind of mistake is tried no more, or something that nobody can notice is. */
describe('mutations of a program', () => {
  it.each<[sentence: string, text: string, mutants: readonly string[]]>([
    ['are a condition that always holds, or never', 'if (a) b = c;', ['if (true) b = c;', 'if (false) b = c;']],
    ['are a choice that always falls the same way', 'x = a ? b : c;', ['x = true ? b : c;', 'x = false ? b : c;']],
    ['are a comparison at its edge', 'x = a < b;', ['x = a <= b;']],
    ['are a comparison turned around', 'x = a === b;', ['x = a !== b;']],
    ['are and for or', 'x = a && b;', ['x = a || b;']],
    ['are a call that is left out', 'put(a);', [';']],
    ['are a call left out that somebody waits for', 'await put(a);', [';']],
    ['are a number one larger, however it is written', 'x = 1_000;', ['x = 1001;']],
    ['are nothing of a type', 'type A = 1 | 2;', []],
    ['are nothing of what is logged', "log.info({ a }, 'b');", []],
  ])('%s', (_, text, expected) => {
    expect(mutants(text)).toEqual(expected);
  });

  it('are chosen from each room in turn, the same ones for the same seed', () => {
    const of = (path: string) => ({ path, text: 'put(1); put(2); put(3);' });
    const rooms = { one: [of('one/a.ts'), of('one/b.ts')], two: [of('two/a.ts')] };
    const chosen = chooseMutations(rooms, { seed: 7, count: 4 });
    expect(chosen.map(({ path }) => path.slice(0, 3))).toEqual(['one', 'two', 'one', 'two']);
    expect(chooseMutations(rooms, { seed: 7, count: 4 })).toEqual(chosen);
    expect(chooseMutations(rooms, { seed: 8, count: 4 })).not.toEqual(chosen);
  });
});
