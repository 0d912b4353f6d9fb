import type { CorpusName } from '../corpus-name.ts';
import { withCaa } from './expected.ts';

/** What CAA stands where. `forbids`: the verdict where no record names our authority; `ours`: the record that does. */
export const forbids = 'no CaaForbidsAuthority';
export const ours = 'CAA 0 issue "ca.test"';

export interface CaaRow extends Partial<CorpusName> {
  readonly name: string;
  readonly why: string;
  readonly zone: readonly string[];
  readonly caa: CorpusName['caa'];
}

/** A name of a customer who did everything else right. */
export const placed = (row: CaaRow): CorpusName => ({
  host: 'www',
  ...withCaa(row.caa),
  ...row,
  name: `CAA placement: ${row.name}`,
});
