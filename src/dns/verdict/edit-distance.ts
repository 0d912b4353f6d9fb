/**
 * Do the texts differ by no more than so many letters: missing, added, changed, or two that changed places? The cost grows with the length times
 * `most`, so it is bounded by what a record can hold.
 */
export function isWithinEdits(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let [before, last] = [[] as readonly number[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const next = edits({ a, b, row, most }, before, last);
    if (next.every((count) => count > most)) return false;
    [before, last] = [last, next];
  }
  return (last[b.length] ?? Number.POSITIVE_INFINITY) <= most;
}

interface Row {
  readonly a: string;
  readonly b: string;
  readonly row: number;
  readonly most: number;
}

/** The row of the table of edits; cells further from its middle than `most` are never needed. */
function edits({ a, b, row, most }: Row, before: readonly number[], last: readonly number[]): number[] {
  const next = Array.from({ length: b.length + 1 }, () => Number.POSITIVE_INFINITY);
  next[0] = row;
  const at = (cells: readonly number[], column: number) => cells[column] ?? Number.POSITIVE_INFINITY;
  for (let column = Math.max(1, row - most); column <= Math.min(b.length, row + most); column += 1) {
    const isSame = a[row - 1] === b[column - 1];
    const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    next[column] = Math.min(
      at(last, column) + 1,
      at(next, column - 1) + 1,
      at(last, column - 1) + (isSame ? 0 : 1),
      isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
    );
  }
  return next;
}
