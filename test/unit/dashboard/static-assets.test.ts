import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { assetOf, assetPath, isAsset } from '../../../src/dashboard/static-assets.ts';

/** The files that pages name, small enough for a first view. */
describe('an asset', () => {
  it.each(['style.css', 'dashboard.js', 'icon.svg'] as const)('%s is named by its content and packed', (name) => {
    const { content, packed, hash } = assetOf(name);
    expect(gunzipSync(packed).equals(content)).toBe(true);
    expect(assetPath(name)).toBe(`/dashboard/assets/${hash}/${name}`);
    expect(packed.length).toBeLessThan(12_000);
  });

  it.each(['../app.ts', 'toString', '__proto__', 'constructor', ''])('is not %j', (name) => {
    expect(isAsset(name)).toBe(false);
  });
});
