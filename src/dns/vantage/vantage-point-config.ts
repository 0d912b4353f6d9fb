import type { Check, Checked } from '../../lib/config-checks.ts';
import { expecting, list, nullable, record, text } from '../../lib/config-checks.ts';

/** Each one more is asked about every full check. */
const atMost = 4;

/** The name of the local vantage point in issues. */
const reserved = 'here';

const label = /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/;

const placeName = expecting<string>(
  `a label of at most 32 lower case letters, digits and hyphens, other than '${reserved}'`,
  (value) => typeof value === 'string' && label.test(value) && value !== reserved,
);

/** A token is sent there, so nothing but HTTPS will do. */
const origin = expecting<string>('https://HOST or https://HOST:PORT', (value) => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url?.protocol === 'https:' && url.href === `${url.origin}/`;
});

/** A remote vantage point, as the operator's configuration names it. */
const point = record({
  /** unique; shown to customers where vantage points disagree, so it says no more than a region */
  name: placeName,
  /** `https://HOST[:PORT]` */
  url: origin,
  /** file with the token; read again for each check */
  tokenFile: text,
  /** PEM roots to trust instead of the system's; read again for each check */
  caFile: nullable(text),
});

export type VantagePointConfig = Checked<typeof point>;

const points = list(point);

const fewAndDistinct = expecting<unknown>(
  `at most ${atMost} vantage points, each with a name and a URL of its own`,
  (value) => {
    if (!Array.isArray(value)) return true;
    const all = value as readonly Partial<VantagePointConfig>[];
    const isDistinct = (field: 'name' | 'url') => new Set(all.map((point) => point[field])).size === all.length;
    return all.length <= atMost && isDistinct('name') && isDistinct('url');
  },
);

/** The check for the list of them in a configuration. */
export const vantagePointList: Check<readonly VantagePointConfig[]> = (value, path) => {
  const problems = points(value, path);
  return problems.length > 0 ? problems : fewAndDistinct(value, path);
};
