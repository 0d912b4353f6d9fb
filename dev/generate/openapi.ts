import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'docs/openapi.json');

/** The REST API's description as the code makes it: what `projectdomain openapi` prints. */
function wanted(): string {
  return execFileSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'src/cli/main.ts'), 'openapi'],
    {
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    },
  );
}

/** True when docs/openapi.json is what the code makes. */
export const openApiIsCurrent = (): boolean => existsSync(file) && readFileSync(file, 'utf8') === wanted();

export const writeOpenApi = (): void => writeFileSync(file, wanted());
