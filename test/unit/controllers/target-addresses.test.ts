import { expect, it } from '@jest/globals';
import { createTargetAddresses } from '../../../src/controllers/needs.ts';

const hour = 3_600_000;
const configured = '203.0.113.10';

/** A flattened record may still show what a target led to within the day: beyond that it proves nothing. */
it.each<[string, readonly (readonly [hours: number, addresses: readonly string[]])[], readonly string[]]>([
  ['of a target that was never looked up nothing is known', [], []],
  ['the configured addresses are not kept, as they count anyway', [[0, [configured]]], []],
  ['any other is', [[0, [configured, '203.0.113.11']]], ['203.0.113.11']],
  [
    'the addresses of several checks are known together',
    [
      [0, ['203.0.113.11']],
      [1, ['203.0.113.12']],
    ],
    ['203.0.113.11', '203.0.113.12'],
  ],
  [
    'one is known for a day after it was last seen',
    [
      [0, ['203.0.113.11']],
      [24, []],
    ],
    ['203.0.113.11'],
  ],
  [
    'and no longer',
    [
      [0, ['203.0.113.11']],
      [25, []],
    ],
    [],
  ],
  [
    'unless it was seen again',
    [
      [0, ['203.0.113.11']],
      [20, ['203.0.113.11']],
      [43, []],
    ],
    ['203.0.113.11'],
  ],
])('%s', (_, checks, expected) => {
  let now = 0;
  const targets = createTargetAddresses(() => now, [configured]);
  for (const [hours, addresses] of checks) {
    now = hours * hour;
    targets.saw('p-x.cname.apps.example.net', addresses);
  }
  expect(targets.of('p-x.cname.apps.example.net')).toEqual(expected);
});
