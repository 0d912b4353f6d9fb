import TestSequencer from '@jest/test-sequencer';

/** Minutes each, as platforms are, or most of a minute of one processor. */
const long = /\/test\/e2e\/|\/simulated-year\.test\.ts$/;

/**
 * Jest's own order, with what takes long first: these are short files, which jest, where it has never measured, would
 * begin last and end with one at work.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => long.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
