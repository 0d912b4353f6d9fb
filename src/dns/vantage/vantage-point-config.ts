import type { Check } from '../../lib/config-checks.ts';
import { list, nullable, record, text } from '../../lib/config-checks.ts';

/** A remote vantage point, as the operator's configuration names it. */
export interface VantagePointConfig {
  /** unique; shown to customers where vantage points disagree, so it says no more than a region */
  readonly name: string;
  /** `https://HOST[:PORT]` */
  readonly url: string;
  /** file with the token; read again for each check */
  readonly tokenFile: string;
  /** PEM roots to trust instead of the system's; read again for each check */
  readonly caFile: string | null;
}

/** Each one more is asked about every full check. */
const atMost = 4;

/** The name of the local vantage point in issues. */
const reserved = 'here';

const label = /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/;

const expecting =
  (expected: string, isRight: (value: unknown) => boolean): Check =>
  (value, path) =>
    isRight(value) ? [] : [{ path, what: value === undefined ? 'missing' : 'invalid', expected }];

const placeName = expecting(
  `a label of at most 32 lower case letters, digits and hyphens, other than '${reserved}'`,
  (value) => typeof value === 'string' && label.test(value) && value !== reserved,
);

/** A token is sent there, so nothing but HTTPS will do. */
const origin = expecting('https://HOST or https://HOST:PORT', (value) => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url?.protocol === 'https:' && url.href === `${url.origin}/`;
});

const points = list(record({ name: placeName, url: origin, tokenFile: text, caFile: nullable(text) }));

const fewAndDistinct = expecting(`at most ${atMost} vantage points, each with a name and a URL of its own`, (value) => {
  if (!Array.isArray(value)) return true;
  const all = value as readonly Partial<VantagePointConfig>[];
  const isDistinct = (field: 'name' | 'url') => new Set(all.map((point) => point[field])).size === all.length;
  return all.length <= atMost && isDistinct('name') && isDistinct('url');
});

/** The check for the list of them in a configuration. */
export const vantagePointList: Check = (value, path) => {
  const problems = points(value, path);
  return problems.length > 0 ? problems : fewAndDistinct(value, path);
};
