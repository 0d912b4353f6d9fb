import type { DerValue } from './der-value.ts';
import { DerFault, tags, within } from './der-value.ts';

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
export const hostnameTag = 0x82;

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
export function asciiOf({ content }: DerValue): string {
  if (content.some((octet) => octet > 0x7f)) throw new DerFault('a name has other characters than those of ASCII');
  return content.toString('latin1');
}
