/** So many strings are known at a time; then all are forgotten, as neighbours in a list have most in common. */
const stringsAtMost = 4_096;

/**
 * Gives equal strings of many small objects as one: `JSON.parse` makes a new string for each value, and what hundreds of
 * objects have in common, such as their namespace, would be in memory hundreds of times.
 */
export function createSharedStrings(): <T>(value: T) => T {
  const known = new Map<string, string>();

  const one = (text: string): string => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size === stringsAtMost) known.clear();
    known.set(text, text);
    return text;
  };
  const shared = (value: unknown): unknown => {
    if (typeof value === 'string') return one(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(shared);
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, shared(inner)]));
  };
  return <T>(value: T) => shared(value) as T;
}
