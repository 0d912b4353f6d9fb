import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Takes away what a run made: the whole folder (null), or what was not in it before. */
export function clean(dir: string, before: ReadonlySet<string> | null): void {
  if (before === null) return rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
  for (const entry of readdirSync(dir))
    if (!before.has(entry)) rmSync(join(dir, entry), { recursive: true, force: true, maxRetries: 10 });
}
