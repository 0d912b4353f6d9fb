import { expect, it } from '@jest/globals';
import { upstreamCounts } from '../../support/upstream-counts.ts';

const whole = (result: string) => `--- ${result}: GatewayAPI (90.12s)`;
const test = (result: string, name: string) => `    --- ${result}: GatewayAPI/${name} (1.02s)`;
const part = (result: string, name: string) => `        --- ${result}: GatewayAPI/${name} (0.02s)`;

/** [sentence, lines that are printed, what is counted]. Fails where a run that failed would be taken for one that passed. */
const table: readonly (readonly [string, readonly string[], object])[] = [
  [
    'a test counts once, whatever parts it has',
    ['=== RUN   GatewayAPI/A', whole('PASS'), test('PASS', 'A'), part('PASS', 'A/one'), test('SKIP', 'B'), 'PASS'],
    { passed: 1, failed: 0, skipped: 1, failures: [] },
  ],
  [
    'a test that fails is named, one that is expected to fail is not',
    [whole('FAIL'), test('FAIL', 'A'), part('FAIL', 'A/one'), test('FAIL', 'Expected'), test('PASS', 'C'), 'FAIL'],
    { passed: 1, failed: 1, skipped: 1, failures: ['A'] },
  ],
  ['what fails before any test is a failure', [whole('FAIL'), 'FAIL'], { failed: 1, failures: ['the run as a whole'] }],
  ['a run without a test is a failure', [whole('PASS'), 'PASS'], { failed: 1, failures: ['the run as a whole'] }],
  [
    'a run that is cut off is a failure',
    ['panic: test timed out after 1h0m0s'],
    { passed: 0, failed: 1, failures: ['the run as a whole'] },
  ],
];

it.each(table)('%s', (_, lines, counted) => {
  expect(upstreamCounts(lines.join('\n'), { Expected: 'as it says' })).toMatchObject(counted);
});
