import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { brand as check, contrast, themes } from '../../../src/api-server/brand-checks.ts';
import type { Brand } from '../../../src/dashboard/view-context.ts';
import { brandAsset, brandStylesheetPath } from '../../../src/dashboard/static-assets.ts';
import { html } from '../../../src/dashboard/html.ts';
import { layout } from '../../../src/dashboard/views/layout.ts';
import { helpMain } from '../../../src/dashboard/views/help-view.ts';
import { projectsMain } from '../../../src/dashboard/views/projects-view.ts';
import { signInMain } from '../../../src/dashboard/views/sign-in-view.ts';
import { presentation } from '../../support/view-context.ts';

const acme: Brand = {
  name: 'Acme Domains',
  supportUrl: 'mailto:help@acme.example',
  upgradeUrl: 'https://acme.example/upgrade',
  platformName: 'Acme',
  accentColour: { light: '#7a1fa2', dark: '#e0b0ff' },
};
const view = { ...presentation, brand: acme, csrf: '' };
const frame = { title: 'A page', section: null, account: null, notice: null };
const stylesheet = readFileSync(join(import.meta.dirname, '../../../src/dashboard/assets/style.css'), 'utf8');

describe('a brand', () => {
  it('names the header, the title and the platform in sentences; ours is on no page', () => {
    for (const main of [signInMain(view, null), projectsMain(view, []), helpMain(view)]) {
      const page = layout(view, frame, main);
      expect(page).toContain('<title>A page · Acme Domains</title>');
      expect(page).toMatch(/class="brand"[^>]*>Acme Domains</);
      expect(page).toContain('Acme');
      expect(page).not.toMatch(/\bCustom domains\b|the platform\b/);
    }
  });

  it('has its colours in a stylesheet that is addressed by its content, as CSP asks', () => {
    expect(brandAsset(acme)?.content.toString()).toBe(
      ':root{--accent:#7a1fa2;--focus:#7a1fa2}' +
        '@media (prefers-color-scheme:dark){:root{--accent:#e0b0ff;--focus:#e0b0ff}}',
    );
    const path = brandStylesheetPath(acme) ?? '';
    expect(path).toMatch(/^\/dashboard\/assets\/[0-9a-f]{12}\/brand\.css$/);
    expect(layout(view, frame, html``)).toContain(`<link rel="stylesheet" href="${path}" />`);
    const other = { ...acme, accentColour: { light: '#5b2bd0', dark: '#c9b8ff' } };
    expect(brandStylesheetPath(other)).not.toBe(path);
  });

  it('without colours of its own has no stylesheet', () => {
    expect(brandAsset(presentation.brand)).toBeNull();
    expect(layout({ ...view, brand: presentation.brand }, frame, html``)).not.toContain('brand.css');
  });
});

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.54],
    ['#777777', '#ffffff', 4.48],
  ])('of %s and %s is %s', (one, other, expected) => {
    expect(contrast(one, other)).toBeCloseTo(expected, 2);
    expect(contrast(other, one)).toBeCloseTo(expected, 2);
  });

  it('is measured against the colours of the stylesheet', () => {
    const [light = '', dark = ''] = stylesheet.split('@media (prefers-color-scheme: dark)');
    for (const [theme, rules] of [
      [themes.light, light],
      [themes.dark, dark.slice(0, 1_000)],
    ] as const) {
      const declared = (name: string) => new RegExp(`--${name}: (#[0-9a-f]+);`).exec(rules)?.[1];
      const long = (colour = '') => (colour.length === 4 ? colour.replaceAll(/[0-9a-f]/g, '$&$&') : colour);
      expect(long(declared('ground'))).toBe(theme.ground);
      expect(long(declared('surface'))).toBe(theme.surface);
      expect(long(declared('on-accent'))).toBe(theme.onAccent);
    }
  });
});

const problems = (changes: object) => check({ ...acme, ...changes }, 'dashboard').map(({ path }) => path);

describe('the configuration of a brand', () => {
  it.each<[string, object, readonly string[]]>([
    ['all of it', {}, []],
    ['nothing but a name', { supportUrl: null, upgradeUrl: null, platformName: null, accentColour: null }, []],
    ['no name', { name: ' ' }, ['dashboard.name']],
    ['a name that fills the header', { name: 'x'.repeat(41) }, ['dashboard.name']],
    ['a script for a link', { supportUrl: 'javascript:alert(1)' }, ['dashboard.supportUrl']],
    ['a link without encryption', { upgradeUrl: 'http://acme.example' }, ['dashboard.upgradeUrl']],
    ['a password in a link', { upgradeUrl: 'https://user:password@acme.example' }, ['dashboard.upgradeUrl']],
    ['mail to nobody', { supportUrl: 'mailto:' }, ['dashboard.supportUrl']],
    ['a link without end', { supportUrl: `https://acme.example/${'x'.repeat(500)}` }, ['dashboard.supportUrl']],
    ['no colour for dark pages', { accentColour: { light: '#7a1fa2' } }, ['dashboard.accentColour.dark']],
    [
      'one colour for both themes, which no colour can serve',
      { accentColour: { light: '#7a1fa2', dark: '#7a1fa2' } },
      ['dashboard.accentColour.dark'],
    ],
    ['yellow on white', { accentColour: { light: '#ffd400', dark: '#ffd400' } }, ['dashboard.accentColour.light']],
    [
      'a rule instead of a colour',
      { accentColour: { light: 'red;}', dark: '#e0b0ff' } },
      ['dashboard.accentColour.light'],
    ],
    ['a setting nobody knows', { colour: '#7a1fa2' }, ['dashboard.colour']],
  ])('with %s', (_, changes, expected) => {
    expect(problems(changes)).toEqual(expected);
  });

  it('says of a colour what contrast is expected to what', () => {
    const [problem] = check({ ...acme, accentColour: { light: '#ffd400', dark: '#e0b0ff' } }, 'dashboard');
    expect(problem?.expected).toBe('a colour #rrggbb with a contrast of 4.5 and more to #f5f6f8 and #ffffff (WCAG AA)');
  });
});
