import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { assetOf, compact, isAsset, withoutComments } from '../../../src/dashboard/static-assets.ts';
import { layout } from '../../../src/dashboard/views/layout.ts';
import { presentation } from '../../support/view-context.ts';
import { signInMain } from '../../../src/dashboard/views/sign-in-view.ts';

const folder = join(import.meta.dirname, '../../../src/dashboard/assets');
/** What browsers get of a file. */
const served = (name: string): Buffer => {
  const text = readFileSync(join(folder, name), 'utf8');
  return Buffer.from(compact(name.endsWith('.js') ? withoutComments(text) : text));
};
const frame = { title: 'Sign in', section: null, account: null, notice: null };
const view = { ...presentation, csrf: '' };

/** Files that browsers keep for ever: an address that does not follow the content shows yesterday's page to everybody. */
describe('a page', () => {
  const named = [...layout(view, frame, signInMain(view, null)).matchAll(/\/dashboard\/assets\/([^/"]+)\/([^/"]+)/g)];

  it('names its style, its script and its icon', () => {
    expect(named.map(([, , name]) => name).toSorted()).toEqual(['dashboard.js', 'icon.svg', 'style.css', 'waiting.js']);
  });

  it.each(named.map(([, hash = '', name = '']) => [name, hash] as const))(
    'names %s by the content of the file, a script by that of all scripts, which import each other',
    (name, hash) => {
      const files = name.endsWith('.js') ? ['dashboard.js', 'waiting.js', 'add-form.js', 'domain-list.js'] : [name];
      const content = Buffer.concat(files.map(served));
      expect(hash).toBe(createHash('sha256').update(content).digest('hex').slice(0, 12));
    },
  );
});

describe('a script without its comments', () => {
  it.each([
    ['  // why\nstep();\n', 'step();\n', 'a line of its own'],
    ['/**\n * @param {string} id\n */\nstep(id);\n', 'step(id);\n', 'a block of its own'],
    ['/* one */\n\n/* two */\nstep();\n', '\nstep();\n', 'each block by itself'],
    ["open('https://a.example'); // why\n", "open('https://a.example'); // why\n", 'not what shares its line'],
    [
      ' /** @type {A} */ (one),\n /** @type {B} */\n',
      ' /** @type {A} */ (one),\n',
      'not what follows one, up to the end of another',
    ],
    ['step(/** @type {any} */ (form));\n', 'step(/** @type {any} */ (form));\n', 'not a type within a line'],
    ["const text = '/* kept */';\n", "const text = '/* kept */';\n", 'not what a text contains'],
  ])('%j is %j: %s', (script, expected) => {
    expect(withoutComments(script)).toBe(expected);
  });

  it.each(['dashboard.js', 'waiting.js', 'add-form.js', 'domain-list.js'])(
    '%s does what it did: no text or code has gone',
    (name) => {
      const all = readFileSync(join(folder, name), 'utf8');
      const code = (script: string) => script.split('\n').filter((line) => !/^ *(\/\/|\/?\*|$)/.test(line));
      expect(code(withoutComments(all))).toEqual(code(all));
      // A text over several lines would lose what its lines begin with.
      expect(all.split('\n').filter((line) => line.split('`').length % 2 === 0)).toEqual([]);
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
    expect(gunzipSync(asset.packed).equals(served(name))).toBe(true);
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
