import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as prettier from 'prettier';
import { cacheFolder } from '../platform/cache.ts';

/**
 * What `prettier --check .` reports. What was found well formatted once is known by its content in every copy of the repository:
 * Prettier's own cache goes by absolute paths, so a fresh clone would have all files looked at anew.
 */
const root = process.cwd();
const store = join(cacheFolder(), 'formatted.json');

const known = new Set<string>(readStore());
const options =
  readFileSync(join(root, '.prettierrc.json'), 'utf8') + readFileSync(join(root, '.editorconfig'), 'utf8');
const ignorePath = [join(root, '.prettierignore'), join(root, '.gitignore')];

function readStore(): readonly string[] {
  try {
    return JSON.parse(readFileSync(store, 'utf8')) as readonly string[];
  } catch {
    return [];
  }
}

/** Of the file's ending too: it decides how the content is read. */
const digestOf = (path: string, content: string): string =>
  createHash('sha256')
    .update(JSON.stringify([prettier.version, options, path.split('.').at(-1), content]))
    .digest('base64url');

/** Files below a folder that Prettier formats and nobody ignores. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = readdirSync(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      const path = join(folder, entry.name);
      if (entry.name === '.git' || entry.name === 'node_modules') return [];
      const { ignored, inferredParser } = await prettier.getFileInfo(path, { ignorePath });
      if (ignored) return [];
      if (entry.isDirectory()) return filesIn(path);
      return entry.isFile() && inferredParser !== null ? [path] : [];
    }),
  );
  return found.flat();
}

const faults: string[] = [];
const good: string[] = [];
for (const path of await filesIn(root)) {
  const content = readFileSync(path, 'utf8');
  const digest = digestOf(path, content);
  if (!known.has(digest)) {
    const config = await prettier.resolveConfig(path, { editorconfig: true });
    const isGood = await prettier.check(content, { ...config, filepath: path }).catch(() => false);
    if (!isGood) faults.push(relative(root, path));
    if (!isGood) continue;
  }
  good.push(digest);
}
for (const fault of faults) process.stderr.write(`${fault}: not formatted; npm run lint -- --fix does it\n`);

/** Of files that are gone too, as other copies may have them; so many are kept. */
const most = 20_000;
const kept = [...new Set([...good, ...known])].slice(0, most);
const part = `${store}.${process.pid}`;
mkdirSync(dirname(store), { recursive: true });
writeFileSync(part, JSON.stringify(kept));
renameSync(part, store);
process.exitCode = faults.length === 0 ? 0 : 1;
