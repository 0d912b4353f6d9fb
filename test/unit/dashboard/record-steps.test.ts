import { describe, expect, it } from '@jest/globals';
import type { RecordRow } from '../../../src/dashboard/record-rows.ts';
import { labelledRows, stepCount } from '../../../src/dashboard/record-rows.ts';

const row = (act: RecordRow['act'], status: RecordRow['status'] = 'Missing'): RecordRow => ({
  ...{ act, type: 'A', name: 'www', fqdn: 'www.example.com', value: '192.0.2.1', ttl: 3600 },
  ...{ status, found: [] },
});

describe('the rows of records', () => {
  it.each<[string, readonly RecordRow[], readonly string[], number | null]>([
    ['without alternatives have no numbers', [row('Delete'), row('Add'), row('Keep')], ['Delete', 'Add', 'Keep'], null],
    ['that nobody has looked for are needed', [row('Add', 'Unknown')], ['Need'], null],
    ['with one alternative', [row('Add'), row('Or'), row('Add')], ['1 Either', 'Or', '2 Add'], 2],
    [
      'with an alternative of several, and one to delete first',
      [row('Delete'), row('Add'), row('Or'), row('Or'), row('Or'), row('Add'), row('Keep')],
      ['1 Delete', '2 Either', 'Or these 3', 'And', 'And', '3 Add', 'Keep'],
      3,
    ],
    ['alone, one of which is made', [row('Add'), row('Or')], ['1 Either', 'Or'], 1],
    ['that are none', [], [], null],
  ])('%s', (_, rows, expected, steps) => {
    const told = labelledRows(rows).map(({ label, step, together }) =>
      [step, label, together > 1 && label === 'Or' ? `these ${together}` : null]
        .filter((one) => one !== null)
        .join(' '),
    );
    expect(told).toEqual(expected);
    expect(stepCount(rows)).toBe(steps);
  });
});
