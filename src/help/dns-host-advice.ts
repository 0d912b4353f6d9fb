/** What the form for records calls its fields; null where that is not known. */
export interface FormLabels {
  readonly name: string | null;
  readonly value: string | null;
}

/** A DNS hosting provider, with a sentence on each part of its form for records. */
export interface DnsHost {
  readonly id: string;
  readonly name: string;
  /** absent if not known */
  readonly labels?: FormLabels;
  /** how to enter the name and value of a CNAME for a subdomain */
  readonly subdomain: string;
  /** what it offers at the zone's apex */
  readonly apex: string;
  /** how to enter the name of a TXT record */
  readonly txt: string;
}

/** A host with the name servers that identify it. */
export interface KnownDnsHost {
  /** matches the full name of a server: lower case, without the trailing dot */
  readonly servers: RegExp;
  readonly host: DnsHost;
}

/** The labels of the fields for a CNAME's name and value. */
export const labels = (name: string, value: string): FormLabels => Object.freeze({ name, value });

export const unknownLabels: FormLabels = Object.freeze({ name: null, value: null });

/** Sentences that many DNS hosts share. A field is called by its label in the form, if the label is known. */

const field = (label: string | undefined, what: string): string =>
  label === undefined ? `the field for the ${what}` : `the field "${label}"`;

/** A CNAME for a subdomain. */
export const cname = (name?: string, value?: string): string =>
  `Choose type CNAME, enter the short name shown in ${field(name, 'name')} (your domain is added to it automatically) and the value shown in ${field(value, 'value')}.`;

/** A host with its own record type that follows a name at the apex. */
export const alias = (type: string, at: string): string =>
  `Choose type ${type} with ${at} and the value shown; delete older A and AAAA records of the domain itself.`;

/** A host that accepts a CNAME at the apex and answers with the addresses behind it (CNAME flattening). */
export const flattened = (type: string, at: string): string =>
  `Choose type ${type} with ${at} and the value shown; this host allows that for the domain itself.`;

/** A host where no record at the apex can follow a name. */
export const addressesOnly = (why: string): string =>
  `${why} Create A records with the addresses of this platform, if any are shown; or connect www and let your registrar forward the bare domain to it.`;

/** The ownership record. */
export const txt = (name?: string): string =>
  `Choose type TXT and enter the name shown in ${field(name, 'name')}, beginning with its underscore and without your domain.`;
