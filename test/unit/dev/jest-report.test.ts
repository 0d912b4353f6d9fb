import { describe, expect, it } from '@jest/globals';
import { readReport } from '../../../dev/lib/jest-report.ts';

const root = '/project';
const suite = (name: string, more: object) => ({ name: `${root}/${name}`, status: 'failed', message: '', ...more });
const stack = '    at Object.<anonymous> (file.ts:1:1)';

/** [sentence, the report's text, the exit status of jest, what is read] */
const table: readonly (readonly [string, string, number | null, object])[] = [
  [
    'names each test that failed, and why without the stack',
    JSON.stringify({
      numPassedTests: 2,
      numFailedTests: 1,
      numPendingTests: 1,
      testResults: [
        suite('test/a.test.ts', {
          assertionResults: [
            { status: 'passed', fullName: 'x holds', failureMessages: [] },
            { status: 'failed', fullName: 'y holds', failureMessages: [`\u001B[31mError: no\u001B[39m\n\n${stack}`] },
          ],
        }),
      ],
    }),
    1,
    { passed: 2, failed: 1, skipped: 1, failures: ['test/a.test.ts › y holds\n    Error: no'] },
  ],
  [
    'counts a file that could not be loaded as a failure',
    JSON.stringify({
      numRuntimeErrorTestSuites: 1,
      testResults: [suite('test/b.test.ts', { message: `SyntaxError: x\n${stack}`, assertionResults: [] })],
    }),
    1,
    { passed: 0, failed: 1, skipped: 0, failures: ['test/b.test.ts\n    SyntaxError: x'] },
  ],
  [
    'believes the exit status where the report names no failure',
    JSON.stringify({ numPassedTests: 1 }),
    1,
    { passed: 1, failed: 1, skipped: 0, failures: ['jest ended with 1'] },
  ],
  [
    'counts half a report as a failure',
    '{"numPassedTests": 1',
    null,
    { passed: 0, failed: 1, failures: ['jest ended with null and left no report'] },
  ],
];

describe("jest's report", () => {
  it.each(table)('%s', (_sentence, text, status, expected) => {
    expect(readReport(text, status, root)).toMatchObject(expected);
  });
});
