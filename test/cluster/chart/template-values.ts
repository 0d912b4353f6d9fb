import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const action = /\{\{-?\s*(\/\*[\s\S]*?\*\/|[\s\S]*?)\s*-?\}\}/g;
const absolute = /\.Values((?:\.\w+)+)/g;
const relative = /(?:^|[\s(])((?:\.\w+)+)/g;

/** Where `.` points to within a block: a path of values, or null where it is something else. */
type Context = string | null;

/** Every path of values that templates read: `.Values.a.b`, and `.b` within `with .Values.a`. */
export function valuesReadBy(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(yaml|tpl|txt)$/.test(file),
  );
  return new Set(files.flatMap((file) => [...readIn(readFileSync(join(folder, file), 'utf8'))]));
}

function* readIn(text: string): Generator<string> {
  const blocks: Context[] = [];
  for (const [, code = ''] of text.matchAll(action)) {
    if (code.startsWith('/*')) continue;
    const context = blocks.at(-1) ?? null;
    const found = [...pathsOf(code, context)];
    const [word = ''] = code.split(/\s/, 1);
    if (word === 'end') blocks.pop();
    if (opening.has(word)) blocks.push(within(word, { context, found }));
    // Whoever only opens a block on a map reads nothing of it yet.
    if (word !== 'with') yield* found;
  }
}

const opening: ReadonlySet<string> = new Set(['with', 'range', 'define', 'block', 'if']);

/** Where `.` points to within a block that opens. */
function within(word: string, { context, found }: { context: Context; found: readonly string[] }): Context {
  if (word === 'if') return context;
  return word === 'with' ? (found.at(-1) ?? null) : null;
}

function* pathsOf(code: string, context: Context): Generator<string> {
  for (const [, path = ''] of code.matchAll(absolute)) yield path.slice(1);
  if (context === null) return;
  for (const [, path = ''] of code.matchAll(relative)) if (!path.startsWith('.Values')) yield `${context}${path}`;
  if (/(^|[\s(])\.(?=[\s)]|$)/.test(code)) yield context;
}
