import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { assetOf, isAsset } from '../../../src/dashboard/static-assets.ts';
import { layout } from '../../../src/dashboard/views/layout.ts';
import { presentation } from '../../support/view-context.ts';
import { signInMain } from '../../../src/dashboard/views/sign-in-view.ts';

const folder = join(import.meta.dirname, '../../../src/dashboard/assets');
const frame = { title: 'Sign in', section: null, account: null, notice: null };
const view = { ...presentation, csrf: '' };

/** Files that browsers keep for ever: an address that does not follow the content shows yesterday's page to everybody. */
describe('a page', () => {
  const named = [
    ...layout(view, frame, signInMain(view, { refusal: null })).matchAll(/\/dashboard\/assets\/([^/"]+)\/([^/"]+)/g),
  ];

  it('names its style, its script and its icon', () => {
    expect(named.map(([, , name]) => name).toSorted()).toEqual(['dashboard.js', 'icon.svg', 'style.css', 'waiting.js']);
  });

  it.each(named.map(([, hash = '', name = '']) => [name, hash] as const))(
    'names %s by the content of the file, a script by that of all scripts, which import each other',
    (name, hash) => {
      const files = name.endsWith('.js') ? ['dashboard.js', 'waiting.js', 'add-form.js', 'domain-list.js'] : [name];
      const content = Buffer.concat(files.map((file) => readFileSync(join(folder, file))));
      expect(hash).toBe(createHash('sha256').update(content).digest('hex').slice(0, 12));
    },
  );
});

describe('an asset', () => {
  it.each([
    ['style.css', 'text/css; charset=utf-8'],
    ['dashboard.js', 'text/javascript; charset=utf-8'],
    ['add-form.js', 'text/javascript; charset=utf-8'],
    ['domain-list.js', 'text/javascript; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ] as const)('%s is sent as %s, whole, packed and small enough for a first view', (name, type) => {
    const asset = assetOf(name);
    expect(asset.type).toBe(type);
    expect(gunzipSync(asset.packed).equals(readFileSync(join(folder, name)))).toBe(true);
    expect(asset.packed.length).toBeLessThan(12_000);
  });

  it('may import another by a relative URL: all scripts are in one folder', () => {
    expect(assetOf('add-form.js').hash).toBe(assetOf('dashboard.js').hash);
    expect(assetOf('domain-list.js').hash).toBe(assetOf('dashboard.js').hash);
  });

  it.each(['../app.ts', 'toString', '__proto__', 'constructor', ''])('is not %j', (name) => {
    expect(isAsset(name)).toBe(false);
  });
});
