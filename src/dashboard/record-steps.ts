import type { RecordRow } from './record-rows.ts';

/** What a row of records is called: by what is to be done with it, or by its place among alternatives. */
export interface LabelledRow {
  readonly row: RecordRow;
  readonly label: 'Delete' | 'Add' | 'Need' | 'Keep' | 'Either' | 'Or' | 'And';
  /** the number of the step that begins with this row, where records are made in steps; else null */
  readonly step: number | null;
  /** how many records are the alternative that begins with this row */
  readonly together: number;
}

/** Needed, but nobody has looked for it yet. */
export const isWanted = ({ act, status }: RecordRow): boolean => act === 'Add' && status === 'Unknown';

const isChange = ({ act }: RecordRow): boolean => act === 'Delete' || act === 'Add';

/** How many steps the rows are where some are alternatives: one is made of each such group, by a record or by several. Null where none are. */
export const stepCount = (rows: readonly RecordRow[]): number | null =>
  rows.some(({ act }) => act === 'Or') ? rows.filter(isChange).length : null;

/** Rows in the order of `recordRows`, in which alternatives follow the record that they may replace. */
export function labelledRows(rows: readonly RecordRow[]): readonly LabelledRow[] {
  const inSteps = stepCount(rows) !== null;
  return rows.map((row, index): LabelledRow => {
    const rest = rows.slice(index + 1);
    const step = inSteps && isChange(row) ? rows.slice(0, index + 1).filter(isChange).length : null;
    if (row.act === 'Add' && rest[0]?.act === 'Or') return { row, label: 'Either', step, together: 1 };
    if (row.act !== 'Or') return { row, label: isWanted(row) ? 'Need' : row.act, step, together: 1 };
    const others = rest.findIndex(({ act }) => act !== 'Or');
    const together = 1 + (others === -1 ? rest.length : others);
    return { row, label: rows[index - 1]?.act === 'Or' ? 'And' : 'Or', step, together };
  });
}
