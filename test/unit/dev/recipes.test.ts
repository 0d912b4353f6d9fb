import { describe, expect, it } from '@jest/globals';
import { crampedFolders } from '../../../dev/platform/preflight.ts';
import { lanes, nodeRecipes, platformRecipes, remaining } from '../../../dev/platform/recipes.ts';

const all = [...platformRecipes, ...nodeRecipes];

/** Fails when two builds side by side would compile the same packages twice, or one would be left out. */
describe('the order of builds', () => {
  it.each([
    ['of a platform', platformRecipes],
    ['of a node', nodeRecipes],
  ])('%s has everything once, and what shares packages in one lane', (_, recipes) => {
    const made = lanes(recipes);
    expect(made.flat().toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(
      recipes.toSorted((a, b) => a.name.localeCompare(b.name)),
    );
    expect(made.filter((lane) => lane.some(({ shared }) => shared))).toHaveLength(1);
  });

  it('of nothing has no lanes', () => {
    expect(lanes([])).toEqual([]);
  });
});

/** Fails when a build would not say what is left of it. */
describe('what is left of a build', () => {
  it.each<[string, readonly string[], string]>([
    ['everything', [], '0 of 18 built, about 13 min left on two processors'],
    [
      'all but the smallest',
      all.map(({ name }) => name).filter((name) => name !== 'pause'),
      '17 of 18 built, about 1 min',
    ],
  ])('%s', (_, names, expected) => {
    const built = new Set(all.map(({ name }) => name).filter((name) => names.includes(name)));
    expect(remaining(all, built)).toContain(expected);
  });
});

/** Fails when a build would begin that the disk cannot hold. */
describe('room for a build', () => {
  const room = (folder: string) => (folder === '/small' ? 1.5e9 : 80e9);

  it('is not spoken of where there is enough', () => {
    expect(crampedFolders(['/large', '/also-large'], 4e9, room)).toEqual([]);
  });

  it('is named with what is free and what is needed where there is not', () => {
    expect(crampedFolders(['/large', '/small'], 4e9, room)).toEqual([
      '1.5 GB are free for /small, and about 4.0 GB are needed',
    ]);
  });

  it('is looked up for a folder that is not there yet', () => {
    expect(crampedFolders(['/tmp/not/there/yet'], 1)).toEqual([]);
  });
});
