import type { DerValue } from './der-value.ts';
import { DerFault, tags, within, derValues } from './der-value.ts';

/** What a certificate names. */
export interface CertificateNames {
  /** hostnames, as they stand there */
  readonly names: readonly string[];
  /** the kinds of all others */
  readonly otherNames: readonly string[];
}

/** The kinds of GeneralName (RFC 5280, section 4.2.1.6) but for hostnames. */
const others: ReadonlyMap<number, string> = new Map([
  [0xa0, 'otherName'],
  [0x81, 'rfc822Name'],
  [0xa3, 'x400Address'],
  [0xa4, 'directoryName'],
  [0xa5, 'ediPartyName'],
  [0x86, 'uniformResourceIdentifier'],
  [0x87, 'iPAddress'],
  [0x88, 'registeredID'],
]);
const hostnameTag = 0x82;

/** Reads SubjectAltName. Throws DerFault for what is no GeneralName. */
export function alternativeNames(value: DerValue): CertificateNames {
  const all = within(value, tags.sequence);
  const known = all.every(({ tag }) => tag === hostnameTag || others.has(tag));
  if (!known) throw new DerFault('one of its alternative names is of no kind that there is');
  return {
    names: all.filter(({ tag }) => tag === hostnameTag).map(asciiOf),
    otherNames: all.flatMap(({ tag }) => others.get(tag) ?? []),
  };
}

/** An IA5String. Throws DerFault for what is none. */
function asciiOf({ content }: DerValue): string {
  if (content.some((octet) => octet > 0x7f)) throw new DerFault('a name has other characters than those of ASCII');
  return content.toString('latin1');
}

/** The hostnames that an authority may sign for; an empty text stands for all, `example.com` for itself and what is below it. */
export interface NameConstraints {
  /** null where none is demanded */
  readonly permitted: readonly string[] | null;
  readonly excluded: readonly string[];
}

const permittedTag = 0xa0;
const excludedTag = 0xa1;
/** Each hostname is compared with each of them. */
const subtreesAtMost = 128;

/** Reads NameConstraints (RFC 5280, section 4.2.1.10), of which names of other kinds bound no certificate that names hostnames alone. Throws DerFault, also where there are more than 128. */
export function nameConstraints(value: DerValue): NameConstraints {
  const parts = within(value, tags.sequence);
  const known = parts.filter(({ tag }) => tag === permittedTag || tag === excludedTag);
  if (parts.length === 0 || known.length < parts.length) throw new DerFault('its name constraints are none');
  const all = known.flatMap(({ tag, content }) => derValues(content).map((subtree) => ({ tag, subtree })));
  if (all.length > subtreesAtMost) throw new DerFault(`it has more than ${subtreesAtMost} name constraints`);
  const of = (wanted: number) => all.filter(({ tag }) => tag === wanted).flatMap(({ subtree }) => hostnameIn(subtree));
  const permitted = of(permittedTag);
  return { permitted: permitted.length === 0 ? null : permitted, excluded: of(excludedTag) };
}

function hostnameIn(subtree: DerValue): readonly string[] {
  const [base] = within(subtree, tags.sequence);
  return base?.tag === hostnameTag ? [asciiOf(base).toLowerCase()] : [];
}

/** Whether an authority with these constraints may sign for the hostname, which is in lower case. */
export const isPermitted = ({ permitted, excluded }: NameConstraints, hostname: string): boolean =>
  (permitted === null || permitted.some((base) => isBelow(hostname, base))) &&
  !excluded.some((base) => isBelow(hostname, base));

function isBelow(hostname: string, base: string): boolean {
  if (base === '' || hostname === base) return true;
  return hostname.endsWith(base.startsWith('.') ? base : `.${base}`);
}
