/** The command could not do what was requested; the message is one sentence that says what to do. */
export class CommandFailure extends Error {
  override readonly name = 'Failure';
}

/** The command line is wrong; the message says how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const shown = 3;

/** Up to three names that resemble the given one, the closest first. */
export function closestWord(meant: string, names: readonly string[]): readonly string[] {
  const tolerated = Math.max(2, Math.floor(meant.length / 3));
  const isPart = (name: string) =>
    name.length > 3 && meant.length > 3 && (name.includes(meant) || meant.includes(name));
  return [...new Set(names)]
    .map((name) => ({ name, distance: editDistance(meant, name) }))
    .filter(({ name, distance }) => distance <= tolerated || isPart(name))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, shown)
    .map(({ name }) => name);
}

/** ` Did you mean a or b?`, or ''. */
export function didYouMean(meant: string, names: readonly string[]): string {
  const near = closestWord(meant, names);
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
}

/** Levenshtein distance: the number of characters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = row;
  }
  return before[b.length] ?? 0;
}
