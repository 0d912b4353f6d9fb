/** Without a prototype, so that it takes any name: the fields of such an object are looked up in a table, as `Map`'s are. */
const names = Object.create(null) as Record<string, 0>;

/**
 * The same text as the one string that this process has of it. V8 keeps the name of every field in a table of its own, each
 * once and only while somebody refers to it, so a text that was a field's name for a moment is found there. For strings
 * that are kept for each of very many objects: `JSON.parse` and `join` make a new one each time. Takes about a microsecond.
 */
export function sharedString(text: string): string {
  names[text] = 0;
  const [shared = text] = Object.keys(names);
  delete names[text];
  return shared;
}

/** A copy of plain JSON with shared strings, for small objects that are kept. */
export function withSharedStrings<T>(value: T): T {
  return share(JSON.parse(JSON.stringify(value))) as T;
}

/** In place, as V8 leaves room for more fields in an object that is made field by field, and none in what it parsed. */
function share(value: unknown): unknown {
  if (typeof value === 'string') return sharedString(value);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const field of Object.keys(fields)) fields[field] = share(fields[field]);
  return fields;
}
