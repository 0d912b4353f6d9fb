/**
 * Files of tests whose subject is real time, each with why. The list only gets shorter: test/unit/dev/clocks.test.ts holds its length, and that each
 * file still needs its place.
 */
export const clockExceptions = [
  [
    'test/corpus/cache-clock.test.ts',
    'it compares the time that we tell with the clock by which a real resolver forgets its answers',
  ],
  [
    'test/conformance/slow-answer.test.ts',
    'it is about edges that end an answer after fifteen seconds of their own clock',
  ],
];
