import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../platform/cache.ts';

/**
 * What a check that looks at one file at a time found nothing in, known by its content in every copy of the repository. Caches of the tools
 * themselves go by absolute paths, so a fresh clone would have all files looked at anew.
 */
export interface KnownGood {
  /** `parts` are all that the check goes by: its version, its settings, the file's path and content. */
  digestOf(...parts: readonly string[]): string;
  has(digest: string): boolean;
  /** Keeps these for the next run, with others that were known, as another copy may have them. */
  keep(digests: readonly string[]): void;
}

/** So many are kept, the latest first. */
const most = 20_000;

export function openKnownGood(name: string): KnownGood {
  const store = join(cacheFolder(), `${name}.json`);
  const known = new Set(readStore(store));
  return {
    digestOf: (...parts) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url'),
    has: (digest) => known.has(digest),
    keep(digests) {
      const kept = [...new Set([...digests, ...known])].slice(0, most);
      const part = `${store}.${process.pid}`;
      mkdirSync(dirname(store), { recursive: true });
      writeFileSync(part, JSON.stringify(kept));
      renameSync(part, store);
    },
  };
}

function readStore(store: string): readonly string[] {
  try {
    return JSON.parse(readFileSync(store, 'utf8')) as readonly string[];
  } catch {
    return [];
  }
}
