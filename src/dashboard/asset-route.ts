import type { Request, RequestHandler } from 'express';
import { brandAsset, brandStylesheet } from './brand-stylesheet.ts';
import { assetNamed } from './static-assets.ts';
import type { Brand } from './view-context.ts';

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
    const found = name === brandStylesheet ? brandAsset(brand) : assetNamed(name);
    if (found?.hash !== hash || found === null) return next();
    response.set({
      'content-type': found.type,
      'cache-control': `private, max-age=${aYear}, immutable`,
      vary: 'accept-encoding',
    });
    const packed = takesGzip(request);
    if (packed) response.set('content-encoding', 'gzip');
    response.send(packed ? found.packed : found.content);
  };
