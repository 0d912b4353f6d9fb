import { join } from 'node:path';
import { driftBetween, settle } from '../generate/drift.ts';

/** Writes src/generated from crds/; with --check it only says what differs, and its status says so too. */
const root = join(import.meta.dirname, '../..');
const generated = join(root, 'src/generated');
const drift = await driftBetween(join(root, 'crds'), generated);
if (!process.argv.includes('--check')) settle(drift, generated);
else if (drift.length > 0) {
  const files = drift.map(({ file }) => file).join(', ');
  console.error(`src/generated differs from crds/: ${files}; run: npm run generate`);
  process.exitCode = 1;
}
