import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The scripts of every page, and those of single pages, which import the first. */
const scripts = ['dashboard.js', 'waiting.js', 'add-form.js', 'domain-list.js'] as const;
type ScriptName = (typeof scripts)[number];
export type AssetName = 'style.css' | ScriptName | 'icon.svg';

export interface Asset {
  readonly type: string;
  readonly content: Buffer;
  /** the content in gzip; pages are not compressed, because they contain secrets of the session (BREACH) */
  readonly packed: Buffer;
  /** hash of the content, for a script of all scripts, so that browsers may cache it for ever */
  readonly hash: string;
}

const types: Readonly<Record<AssetName, string>> = {
  'style.css': 'text/css; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'waiting.js': 'text/javascript; charset=utf-8',
  'add-form.js': 'text/javascript; charset=utf-8',
  'domain-list.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

const read = new Map<AssetName, Asset>();

/** A file that pages link to; read from disk once, on first use. */
export function assetOf(name: AssetName): Asset {
  const known = read.get(name);
  if (known) return known;
  const content = contentOf(name);
  // Scripts name each other by relative URLs, whose folder is the hash.
  const asset = assetOfContent(types[name], content, isScript(name) ? scripts.map(contentOf) : [content]);
  read.set(name, asset);
  return asset;
}

function contentOf(name: AssetName): Buffer {
  const text = readFileSync(join(import.meta.dirname, 'assets', name), 'utf8');
  return Buffer.from(compact(isScript(name) ? withoutComments(text) : text));
}

/** Comments that have lines of their own: two fifths of what a browser would load of the scripts. */
export const withoutComments = (script: string): string =>
  script.replace(/^ *(?:\/\*(?:(?!\*\/)[^])*\*\/|\/\/.*)\n/gm, '');

/** Without what stands before lines, and without empty ones; no text of the files goes on in another line. */
export const compact = (text: string): string => text.replace(/^\s+/gm, '');

const isScript = (name: AssetName): name is ScriptName => scripts.some((script) => script === name);

/** An asset whose hash is that of `hashed`: its content, unless it belongs together with others. */
export function assetOfContent(type: string, content: Buffer, hashed: readonly Buffer[] = [content]): Asset {
  const hash = createHash('sha256').update(Buffer.concat(hashed)).digest('hex').slice(0, 12);
  return Object.freeze({ type, content, packed: gzipSync(content), hash });
}

export const isAsset = (name: string): name is AssetName => Object.hasOwn(types, name);

/** The file with this name; null if there is none. */
export const assetNamed = (name: string): Asset | null => (isAsset(name) ? assetOf(name) : null);

export const assetUrl = (name: string, { hash }: Asset): string => `/dashboard/assets/${hash}/${name}`;

export const assetPath = (name: AssetName): string => assetUrl(name, assetOf(name));
