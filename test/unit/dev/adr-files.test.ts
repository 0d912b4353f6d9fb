import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

/** Where a decision is to be seen. Fails when a file is moved or goes, and the decision neither follows nor says that it is no longer so. */
describe('a decision that still holds', () => {
  it.each(globSync('docs/adr/*.md', { cwd: root }).toSorted())('names files that are there: %s', (adr) => {
    const text = readFileSync(join(root, adr), 'utf8');
    if (text.includes('**No longer so:**')) return;
    const named = text.matchAll(/`((?:src|test|dev|charts|crds|config)\/[\w./-]+\.\w+)`/g);
    expect(
      [...new Set([...named].map(([, path = '']) => path))].filter((path) => !existsSync(join(root, path))),
    ).toEqual([]);
  });
});
