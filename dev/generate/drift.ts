import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typesOf } from './types.ts';

/** One file of types that is not as the CRDs want it; `text` is null where its CRD is gone. */
export interface Drift {
  readonly file: string;
  readonly text: string | null;
}

/** Files in `generated` that differ from what the CRDs in `crds` make. */
export async function driftBetween(crds: string, generated: string): Promise<readonly Drift[]> {
  const wanted = await typesOf(crds);
  const found = existsSync(generated) ? readdirSync(generated) : [];
  const changed = [...wanted].filter(([file, text]) => !isText(join(generated, file), text));
  const orphans = found.filter((file) => !wanted.has(file));
  return [...changed.map(([file, text]) => ({ file, text })), ...orphans.map((file) => ({ file, text: null }))];
}

const isText = (path: string, text: string): boolean => existsSync(path) && readFileSync(path, 'utf8') === text;

/** Writes what differs and takes away what has no CRD any more. */
export function settle(drift: readonly Drift[], generated: string): void {
  mkdirSync(generated, { recursive: true });
  for (const { file, text } of drift) {
    if (text === null) rmSync(join(generated, file));
    else writeFileSync(join(generated, file), text);
  }
}
