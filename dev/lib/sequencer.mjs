import TestSequencer from '@jest/test-sequencer';

/** The order in which files were given: who runs several in one process has chosen it (dev/lanes/tasks.ts). */
export default class AsGiven extends TestSequencer {
  sort(tests) {
    return [...tests];
  }
}
