import { globSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lanes/report.ts';
import type { CodeSize } from '../lib/code-size.ts';
import { sizeOf } from '../lib/code-size.ts';
import { outputOf } from '../lib/output.ts';
import { temporaryFolder } from '../lib/temporary.ts';

/** `npm run size -- COMMIT`: how large src/ is now, and was at that commit. Without one now alone. */

interface Size extends CodeSize {
  /** folders of src/ */
  readonly rooms: number;
  /** what rooms may import of others, as dev/lint/rooms.mjs lists it: a room, or a single file of one */
  readonly arrows: number;
  readonly singleFiles: number;
}

async function sizeAt(folder: string): Promise<Size> {
  const src = join(folder, 'src');
  const paths = globSync('**/*.{ts,js,css,lua}', { cwd: src });
  const { rooms } = (await import(join(folder, 'dev/lint/rooms.mjs'))) as {
    readonly rooms: Readonly<Record<string, readonly string[]>>;
  };
  const arrows = Object.values(rooms).flat();
  return {
    ...sizeOf(paths.map((path) => readFileSync(join(src, path), 'utf8'))),
    rooms: readdirSync(src).length,
    arrows: arrows.length,
    singleFiles: arrows.filter((arrow) => /\.\w+$/.test(arrow)).length,
  };
}

/** What the commit has of these folders, in a folder of its own. */
async function checkedOut(commit: string, parent: string): Promise<string> {
  const folder = join(parent, 'tree');
  mkdirSync(folder);
  const archive = join(parent, 'tree.tar');
  await outputOf('git', ['archive', '--output', archive, commit, 'src', 'dev/lint'], { cwd: root });
  await outputOf('tar', ['-xf', archive, '-C', folder]);
  return folder;
}

const [commit] = process.argv.slice(2);
const now = await sizeAt(root);
if (commit === undefined) console.table({ now });
else {
  const folder = temporaryFolder('size');
  try {
    const then = await sizeAt(await checkedOut(commit, folder));
    const names = Object.keys(now) as readonly (keyof Size)[];
    const change = Object.fromEntries(names.map((name) => [name, now[name] - then[name]]));
    console.table({ [commit]: then, now, change });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
