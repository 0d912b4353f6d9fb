import type { Check } from '../lib/config-checks.ts';
import { expecting, nullable, record } from '../lib/config-checks.ts';
import type { Brand } from '../dashboard/view-context.ts';
import type { Theme } from '../dashboard/contrast.ts';
import { isColour, isLegible, textContrast, themes } from '../dashboard/contrast.ts';

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
