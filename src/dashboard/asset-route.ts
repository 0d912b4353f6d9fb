import type { RequestHandler } from 'express';
import { brandAsset, brandStylesheet } from './brand-stylesheet.ts';
import { assetNamed } from './static-assets.ts';
import type { Brand } from './view-context.ts';

const aYear = 31_536_000;

/**
 * Stylesheets, the script and images, as `:hash/:name`. The URL contains the hash of the content, so browsers may cache
 * it for ever; a hash of another version is not found.
 */
export const assetRoute =
  (brand: Brand): RequestHandler =>
  (request, response, next) => {
    const { name = '', hash } = request.params as Record<string, string>;
    const found = name === brandStylesheet ? brandAsset(brand) : assetNamed(name);
    if (found?.hash !== hash || found === null) return next();
    response.set({
      'content-type': found.type,
      'cache-control': `public, max-age=${aYear}, immutable`,
      vary: 'accept-encoding',
    });
    const packed = request.acceptsEncodings('gzip') === 'gzip';
    if (packed) response.set('content-encoding', 'gzip');
    response.send(packed ? found.packed : found.content);
  };
