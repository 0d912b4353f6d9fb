/** Tests are native ES modules; Node strips the types. Groups under test/ mirror what they need from the world. */
const common = {
  testEnvironment: '<rootDir>/dev/lib/jest-environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/dev/lib/strip-types.mjs' },
};

/** What a page is held to in both browsers; a file that takes its browser from `browserNames` runs once and is not here. */
const inBothBrowsers = [
  'browser/domain-contract',
  'browser/long-hostname-contract',
  'browser/pages-contract',
  ...['add-form', 'bulk-domains', 'domain-page', 'handover-page', 'live-list', 'other-pages'].map(
    (name) => `faults/dashboard/${name}`,
  ),
];

export default {
  testSequencer: '<rootDir>/dev/lib/sequencer.mjs',
  testTimeout: 60_000,
  projects: [
    { ...common, displayName: 'tests', testMatch: ['<rootDir>/test/**/*.test.ts'] },
    {
      ...common,
      displayName: 'in Firefox',
      globals: { testBrowser: 'firefox' },
      testMatch: inBothBrowsers.map((name) => `<rootDir>/test/${name}.test.ts`),
    },
  ],
};
