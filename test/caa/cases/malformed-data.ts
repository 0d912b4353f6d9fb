import type { CaaCase, CaaRecord } from '../caa-case.ts';
import { hostname, issuer } from '../caa-case.ts';

type Row = readonly [sentence: string, set: readonly CaaRecord[], itself: 'yes' | 'no' | 'unknown'];

const ours: CaaRecord = [0, 'issue', issuer];

/**
 * Data that violate RFC 8659 section 4.1 make the answer unusable here, whichever the profile. Boulder's own parser
 * does the same for a tag that reaches past its record, but takes an empty tag for an unknown property.
 */
const rows: readonly Row[] = [
  ['a tag that reaches past the record', ['0009697373'], 'unknown'],
  ['a tag that reaches past the record by one byte', ['00066973737565'], 'unknown'],
  ['a tag of 255 bytes that are not there', ['00ff'], 'unknown'],
  ['a tag that reaches past the record, beside ours', [ours, '0009697373'], 'unknown'],
  ['a tag that reaches past the record, before ours', ['0009697373', ours], 'unknown'],
  ['a critical tag that reaches past the record', ['8009697373'], 'unknown'],
  ['an empty tag', ['0000'], 'yes'],
  ['an empty tag with a value', ['0000636174657374'], 'yes'],
  ['an empty tag beside ours', ['000061', ours], 'yes'],
  ['an empty tag beside another', ['000061', [0, 'issue', 'ca.test']], 'no'],
  ['an empty tag that is critical', ['800061'], 'no'],
  ['an empty tag that is critical by the flag 1', ['010061', ours], 'no'],
  ['flags alone', ['00'], 'yes'],
  ['flags alone, critical', ['80'], 'no'],
  ['no data at all', [''], 'yes'],
  ['no data at all beside ours', ['', ours], 'yes'],
];

export const malformedData: readonly CaaCase[] = rows.map(([sentence, set, itself]) => ({
  sentence,
  hostname,
  method: 'http-01',
  names: { 'example.com': set },
  boulder: 'unknown',
  strict: 'unknown',
  itself,
}));
