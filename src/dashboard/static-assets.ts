import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import type { Brand } from './view-context.ts';

const types = Object.freeze({
  'style.css': 'text/css; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'waiting.js': 'text/javascript; charset=utf-8',
  'add-form.js': 'text/javascript; charset=utf-8',
  'domain-list.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
});
export type AssetName = keyof typeof types;

const isScript = (name: string): boolean => name.endsWith('.js');

/** The scripts of every page, and those of single pages, which import the first. */
const scripts = (Object.keys(types) as readonly AssetName[]).filter(isScript);

export interface Asset {
  readonly type: string;
  readonly content: Buffer;
  /** the content in gzip; pages are not compressed, because they contain secrets of the session (BREACH) */
  readonly packed: Buffer;
  /** hash of the content, for a script of all scripts, so that browsers may cache it for ever */
  readonly hash: string;
}

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

/** An asset whose hash is that of `hashed`: its content, unless it belongs together with others. */
function assetOfContent(type: string, content: Buffer, hashed: readonly Buffer[] = [content]): Asset {
  const hash = createHash('sha256').update(Buffer.concat(hashed)).digest('hex').slice(0, 12);
  return Object.freeze({ type, content, packed: gzipSync(content), hash });
}

export const isAsset = (name: string): name is AssetName => Object.hasOwn(types, name);

const assetUrl = (name: string, { hash }: Asset): string => `/dashboard/assets/${hash}/${name}`;

export const assetPath = (name: AssetName): string => assetUrl(name, assetOf(name));

/** The stylesheet with the brand's colours is an asset of its own, because pages may not contain styles (CSP). */
const brandStylesheet = 'brand.css';

const made = new WeakMap<Brand, Asset>();

/** The stylesheet of a brand with colours of its own; null for any other. */
export function brandAsset(brand: Brand): Asset | null {
  if (brand.accentColour === null) return null;
  const known = made.get(brand);
  if (known) return known;
  const asset = assetOfContent(types['style.css'], Buffer.from(rulesOf(brand.accentColour)));
  made.set(brand, asset);
  return asset;
}

const rulesOf = ({ light, dark }: NonNullable<Brand['accentColour']>): string =>
  `:root{--accent:${light};--focus:${light}}` +
  `@media (prefers-color-scheme:dark){:root{--accent:${dark};--focus:${dark}}}`;

/** The URL of the brand's stylesheet; null if it has none. */
export function brandStylesheetPath(brand: Brand): string | null {
  const asset = brandAsset(brand);
  return asset && assetUrl(brandStylesheet, asset);
}

const aYear = 31_536_000;

/** Browsers send some 30 characters; a longer list than this one is not read. */
const encodingsAtMost = 1_024;

const takesGzip = (request: Request): boolean =>
  (request.headers['accept-encoding'] ?? '').length <= encodingsAtMost && request.acceptsEncodings('gzip') === 'gzip';

/**
 * Stylesheets, the script and images, as `:hash/:name`. The URL contains the hash of the content, so browsers may cache
 * it for ever; caches that several share may not, as the response says what one address has left. A hash of another version is not found.
 */
export const assetRoute =
  (brand: Brand): RequestHandler =>
  (request, response, next) => {
    const { name = '', hash } = request.params as Record<string, string>;
    const found = name === brandStylesheet ? brandAsset(brand) : isAsset(name) && assetOf(name);
    if (!found || found.hash !== hash) return next();
    response.set({
      'content-type': found.type,
      'cache-control': `private, max-age=${aYear}, immutable`,
      vary: 'accept-encoding',
    });
    const packed = takesGzip(request);
    if (packed) response.set('content-encoding', 'gzip');
    response.send(packed ? found.packed : found.content);
  };
