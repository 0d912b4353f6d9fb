import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder of which every file is generated: texts by file name. */
export interface Generated {
  readonly folder: string;
  readonly wanted: ReadonlyMap<string, string>;
}

/** One file that is not as it is wanted; `text` is null where nothing wants it any more. */
export interface Drift {
  readonly path: string;
  readonly text: string | null;
}

/** Files of a generated folder that differ from what they should be. */
export function driftOf({ folder, wanted }: Generated): readonly Drift[] {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  const changed = [...wanted].filter(([file, text]) => !isText(join(folder, file), text));
  const orphans = found.filter((file) => !wanted.has(file));
  return [
    ...changed.map(([file, text]) => ({ path: join(folder, file), text })),
    ...orphans.map((file) => ({ path: join(folder, file), text: null })),
  ];
}

const isText = (path: string, text: string): boolean => existsSync(path) && readFileSync(path, 'utf8') === text;

/** Writes what differs and takes away what nothing wants. */
export function settle(drift: readonly Drift[]): void {
  for (const { path, text } of drift) {
    mkdirSync(join(path, '..'), { recursive: true });
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
  }
}
