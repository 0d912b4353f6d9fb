import { readFileSync, writeFileSync } from 'node:fs';
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { digestOfKey, drawKey, keyIdOf } from '../../../src/rules/api-key-format.ts';
import { keyOf } from '../../../src/use-cases/caller.ts';

/** Draws a key for each account and writes them to a file, one in a line. */
export function writeKeys(file: string, count: number, random: (most: number) => number): void {
  writeFileSync(file, Array.from({ length: count }, () => `${drawKey(random).key}\n`).join(''));
}

export interface KnownKey {
  readonly keyId: string;
  readonly account: string;
}

/** Finds a request's key as the API does: by its checksum, its id, and its hash in constant time. */
export function readKeys(file: string): (request: IncomingMessage) => KnownKey | null {
  const known = new Map<string, KnownKey & { readonly hash: Buffer }>();
  for (const key of readFileSync(file, 'utf8').split('\n')) {
    const keyId = keyIdOf(key);
    if (keyId !== null) known.set(keyId, { keyId, account: `account-${keyId}`, hash: digestOfKey(key) });
  }
  return (request) => {
    const key = keyOf(request);
    const found = known.get(key === undefined ? '' : (keyIdOf(key) ?? ''));
    return found && key !== undefined && timingSafeEqual(found.hash, digestOfKey(key)) ? found : null;
  };
}
