import type { Brand } from './view-context.ts';
import type { Asset } from './static-assets.ts';
import { assetOfContent, assetUrl } from './static-assets.ts';

/** The stylesheet with the brand's colours is an asset of its own, because pages may not contain styles (CSP). */
export const brandStylesheet = 'brand.css';

const made = new WeakMap<Brand, Asset>();

/** The stylesheet of a brand with colours of its own; null for any other. */
export function brandAsset(brand: Brand): Asset | null {
  if (brand.accentColour === null) return null;
  const known = made.get(brand);
  if (known) return known;
  const asset = assetOfContent('text/css; charset=utf-8', Buffer.from(rulesOf(brand.accentColour)));
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
