import { join } from 'node:path';
import { describe, it } from '@jest/globals';

/**
 * Several files of tests as one of jest's, each in a block that has its path for a name: they share what they import, which takes longer than most
 * tests. Nothing in src/ keeps state of its own, so one file cannot see what another one did. Files that replace modules, or that wait for
 * something before their tests are defined, run by themselves.
 */
const root = join(import.meta.dirname, '../..');
for (const file of JSON.parse(process.env.PROJECTDOMAIN_FILES ?? '[]')) {
  try {
    const { define } = await import(join(root, file));
    describe(file, define);
  } catch (error) {
    describe(file, () => {
      it('can be loaded', () => {
        throw error;
      });
    });
  }
}
