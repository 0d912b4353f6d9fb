import TestSequencer from '@jest/test-sequencer';

/**
 * Jest's own order, with whole platforms first: they take minutes each and are short files, which jest, where it has never
 * measured, would begin last and end with one at work.
 */
export default class PlatformsFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isPlatform = ({ path }) => path.includes('/test/e2e/');
    return [...sorted.filter(isPlatform), ...sorted.filter((test) => !isPlatform(test))];
  }
}
