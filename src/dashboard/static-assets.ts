import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export type AssetName = 'style.css' | 'dashboard.js' | 'icon.svg';

export interface Asset {
  readonly type: string;
  readonly content: Buffer;
  /** the content in gzip; pages are not compressed, because they contain secrets of the session (BREACH) */
  readonly packed: Buffer;
  /** hash of the content, so that browsers may cache it for ever */
  readonly hash: string;
}

const types: Readonly<Record<AssetName, string>> = {
  'style.css': 'text/css; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

const read = new Map<AssetName, Asset>();

/** A file that pages link to; read from disk once, on first use. */
export function assetOf(name: AssetName): Asset {
  const known = read.get(name);
  if (known) return known;
  const content = readFileSync(join(import.meta.dirname, 'assets', name));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const asset = Object.freeze({ type: types[name], content, packed: gzipSync(content), hash });
  read.set(name, asset);
  return asset;
}

export const isAsset = (name: string): name is AssetName => Object.hasOwn(types, name);

export const assetPath = (name: AssetName): string => `/dashboard/assets/${assetOf(name).hash}/${name}`;
