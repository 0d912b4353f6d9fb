import type { Check } from '../lib/config-checks.ts';
import { expecting, nullable, record } from '../lib/config-checks.ts';
import type { Brand } from '../dashboard/view-context.ts';

const longestName = 40;
const longestUrl = 500;

const name = expecting<string>(
  `1 to ${longestName} characters`,
  (value) => typeof value === 'string' && value.trim() !== '' && value.length <= longestName,
);

const link = expecting<string>(
  `an https:// or mailto: URL of at most ${longestUrl} characters`,
  (value) => typeof value === 'string' && value.length <= longestUrl && isLink(value),
);

/** Any other scheme could be a script, and http would let others read where customers go. */
function isLink(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'mailto:' && url.pathname.includes('@'));
}

/** What the accent colour is shown on, and what is shown on it, per theme; the same values as in assets/style.css. */
export const themes = Object.freeze({
  light: { ground: '#f5f6f8', surface: '#ffffff', onAccent: '#ffffff' },
  dark: { ground: '#11141a', surface: '#1a1f28', onAccent: '#0c1424' },
});

type Theme = keyof typeof themes;

/** What WCAG 2.2 asks of text at level AA (success criterion 1.4.3). */
const textContrast = 4.5;

const hexColour = /^#[0-9a-f]{6}$/i;

const isColour = (value: unknown): value is string => typeof value === 'string' && hexColour.test(value);

/** Relative luminance of `#rrggbb`, from 0 to 1 (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours `#rrggbb`, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Whether links in this colour, and texts on buttons of this colour, can be read in the theme. */
const isLegible = (colour: string, theme: Theme): boolean =>
  Object.values(themes[theme]).every((other) => contrast(colour, other) >= textContrast);

const colour = (theme: Theme): Check<string> => {
  const backgrounds = [...new Set(Object.values(themes[theme]))].join(' and ');
  return expecting<string>(
    `a colour #rrggbb with a contrast of ${textContrast} and more to ${backgrounds} (WCAG AA)`,
    (value) => isColour(value) && isLegible(value, theme),
  );
};

/** The dashboard's brand. */
export const brand: Check<Brand> = record({
  name,
  supportUrl: nullable(link),
  upgradeUrl: nullable(link),
  platformName: nullable(name),
  accentColour: nullable(record({ light: colour('light'), dark: colour('dark') })),
});
