import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as prettier from 'prettier';
import { filesIn } from './files.ts';
import { openKnownGood } from './known-good.ts';

/** What `prettier --check .` reports, of files that were not found well formatted before. */
const root = process.cwd();
const settings = ['.prettierrc.json', '.editorconfig'].map((file) => readFileSync(join(root, file), 'utf8'));
const ignorePath = [join(root, '.prettierignore'), join(root, '.gitignore')];
const known = openKnownGood('formatted');

const infoOf = (path: string) => prettier.getFileInfo(path, { ignorePath });

const good: string[] = [];
let faults = 0;
for (const path of await filesIn(root, async (path) => (await infoOf(path)).ignored)) {
  if ((await infoOf(path)).inferredParser === null) continue;
  const [name, content] = [relative(root, path), readFileSync(path, 'utf8')];
  const digest = known.digestOf(prettier.version, ...settings, name, content);
  if (known.has(digest) || (await isFormatted(path, content))) good.push(digest);
  else {
    faults += 1;
    process.stderr.write(`${name}: not formatted; npm run lint -- --fix does it\n`);
  }
}
if (good.length + faults === 0) throw new Error('no file to look at was found');
known.keep(good);
process.exitCode = faults === 0 ? 0 : 1;

async function isFormatted(path: string, content: string): Promise<boolean> {
  const config = await prettier.resolveConfig(path, { editorconfig: true });
  return prettier.check(content, { ...config, filepath: path }).catch(() => false);
}
