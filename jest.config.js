/** One file that stands for several, where whoever runs jest names them (dev/lib/files-together.mjs). */
const areTogether = process.env.PROJECTDOMAIN_FILES !== undefined;

/** Tests are native ES modules; Node strips the types. Groups under test/ mirror what they need from the world (dev/lanes/lanes.ts). */
export default {
  testEnvironment: '<rootDir>/dev/lib/jest-environment.mjs',
  testMatch: [areTogether ? '<rootDir>/dev/lib/files-together.mjs' : '<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/dev/lib/strip-types.mjs' },
  testSequencer: '<rootDir>/dev/lib/sequencer.mjs',
  testTimeout: 60_000,
};
