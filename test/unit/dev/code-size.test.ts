import { describe, expect, it } from '@jest/globals';
import { linesOf, sizeOf } from '../../../dev/lib/code-size.ts';

/** What counts as a line of code: whoever says that src is smaller now counts by it. */
describe('lines', () => {
  it.each<[string, string, number, number]>([
    ['of code', 'const a = 1;\nconst b = 2;\n', 2, 0],
    ['that are empty are none', '\n  \nconst a = 1;\n\n', 1, 0],
    ['with a comment behind code are code', 'const a = 1; // why', 1, 0],
    ['that are a comment are no code', '// why\n  // and how\nconst a = 1;', 1, 2],
    ['in a comment of several lines are no code', '/**\n * What it is.\n\n * More.\n */\nconst a = 1;', 1, 4],
    ['behind a comment of one line are code', '/* what */\nconst a = 1;', 1, 1],
    ['of Lua', '-- why\nlocal a = 1\n', 1, 1],
  ])('%s', (_, text, code, comments) => {
    expect(linesOf(text)).toEqual({ code, comments });
  });

  it('are summed over files, of which those of less than forty lines are small', () => {
    const line = 'const a = 1;\n';
    expect(sizeOf([line.repeat(39), line.repeat(40), `// why\n${line}`])).toEqual({
      ...{ lines: 80, comments: 1, files: 3, small: 2 },
    });
  });
});
