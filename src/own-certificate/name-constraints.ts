import { asciiOf, hostnameTag } from './alternative-names.ts';
import type { DerValue } from './der-value.ts';
import { DerFault, derValues, tags, within } from './der-value.ts';

/** The hostnames that an authority may sign for; an empty text stands for all, `example.com` for itself and what is below it. */
export interface NameConstraints {
  /** null where none is demanded */
  readonly permitted: readonly string[] | null;
  readonly excluded: readonly string[];
}

const permittedTag = 0xa0;
const excludedTag = 0xa1;

/** Reads NameConstraints (RFC 5280, section 4.2.1.10), of which names of other kinds bound no certificate that names hostnames alone. Throws DerFault. */
export function nameConstraints(value: DerValue): NameConstraints {
  const parts = within(value, tags.sequence);
  const known = parts.filter(({ tag }) => tag === permittedTag || tag === excludedTag);
  if (parts.length === 0 || known.length < parts.length) throw new DerFault('its name constraints are none');
  const of = (wanted: number) => known.filter(({ tag }) => tag === wanted).flatMap(({ content }) => subtrees(content));
  const permitted = of(permittedTag);
  return { permitted: permitted.length === 0 ? null : permitted, excluded: of(excludedTag) };
}

const subtrees = (content: Buffer): readonly string[] =>
  derValues(content)
    .map((subtree) => within(subtree, tags.sequence)[0])
    .flatMap((base) => (base?.tag === hostnameTag ? [asciiOf(base).toLowerCase()] : []));

/** Whether an authority with these constraints may sign for the hostname, which is in lower case. */
export const isPermitted = ({ permitted, excluded }: NameConstraints, hostname: string): boolean =>
  (permitted === null || permitted.some((base) => isBelow(hostname, base))) &&
  !excluded.some((base) => isBelow(hostname, base));

function isBelow(hostname: string, base: string): boolean {
  if (base === '' || hostname === base) return true;
  return hostname.endsWith(base.startsWith('.') ? base : `.${base}`);
}
