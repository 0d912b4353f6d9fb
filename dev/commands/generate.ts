import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typesOf } from '../generate/types.ts';

/** Writes src/generated from crds/; with --check only says what differs. */
const root = join(import.meta.dirname, '../..');
const check = process.argv.includes('--check');
const stale: string[] = [];
for (const [file, text] of await typesOf(join(root, 'crds'))) {
  const path = join(root, 'src/generated', file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  stale.push(file);
  if (!check) writeFileSync(path, text);
}
if (check && stale.length > 0) {
  console.error(`src/generated differs from crds/: ${stale.join(', ')}; run: npm run generate`);
  process.exitCode = 1;
}
