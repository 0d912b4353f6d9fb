/** Tests are native ES modules; Node strips the types. Groups under test/ mirror what they need from the world. */
export default {
  testEnvironment: '<rootDir>/dev/lib/jest-environment.mjs',
  testSequencer: '<rootDir>/dev/lib/sequencer.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/dev/lib/strip-types.mjs' },
  testTimeout: 60_000,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
};
