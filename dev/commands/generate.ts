import { join } from 'node:path';
import { driftBetween, settle } from '../generate/drift.ts';
import { openApiIsCurrent, writeOpenApi } from '../generate/openapi.ts';

/**
 * Writes src/generated from crds/ and docs/openapi.json from the API's routes; with --check it only says what differs, and
 * its status says so too.
 */
const root = join(import.meta.dirname, '../..');
const generated = join(root, 'src/generated');
const drift = await driftBetween(join(root, 'crds'), generated);
if (process.argv.includes('--check')) {
  const files = [
    ...drift.map(({ file }) => `src/generated/${file}`),
    ...(openApiIsCurrent() ? [] : ['docs/openapi.json']),
  ];
  if (files.length > 0) {
    console.error(`not as the code makes it: ${files.join(', ')}; run: npm run generate`);
    process.exitCode = 1;
  }
} else {
  settle(drift, generated);
  writeOpenApi();
}
