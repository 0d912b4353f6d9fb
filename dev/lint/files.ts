import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a path is left out, with everything below it where it is a folder. */
type IsIgnored = (path: string) => Promise<boolean>;

/** Files below a folder that nobody ignores; what npm installed and git keeps is never looked at. */
export async function filesIn(folder: string, isIgnored: IsIgnored): Promise<readonly string[]> {
  const entries = readdirSync(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      const path = join(folder, entry.name);
      if (entry.name === '.git' || entry.name === 'node_modules') return [];
      if (await isIgnored(path)) return [];
      if (entry.isDirectory()) return filesIn(path, isIgnored);
      return entry.isFile() ? [path] : [];
    }),
  );
  return found.flat();
}
