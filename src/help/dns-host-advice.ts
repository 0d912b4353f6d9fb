/** Who serves a zone, with one sentence each of what the customer meets in that host's form. */
export interface DnsHost {
  readonly id: string;
  readonly name: string;
  /** how its form wants the name and value of a CNAME for a subdomain */
  readonly subdomain: string;
  /** what it offers at the zone's apex */
  readonly apex: string;
  /** how the name of a TXT record is entered */
  readonly txt: string;
}

/** A host with the servers by which it is known. */
export interface KnownDnsHost {
  /** matches the full name of a server: lower case, without the dot at its end */
  readonly servers: RegExp;
  readonly host: DnsHost;
}

/** Sentences that many DNS hosts share. `the field` is what the form calls it; without a label nothing is claimed. */

const field = (label: string | undefined, what: string): string =>
  label === undefined ? `the field for the ${what}` : `the field "${label}"`;

/** A CNAME for a subdomain. */
export const cname = (name?: string, value?: string): string =>
  `Choose type CNAME, enter the short name shown in ${field(name, 'name')} (your domain is added to it automatically) and the value shown in ${field(value, 'value')}.`;

/** A record of a type of the host's own that stands at the apex. */
export const alias = (type: string, at: string): string =>
  `Choose type ${type} with ${at} and the value shown; delete older A and AAAA records of the domain itself.`;

/** A host that takes a CNAME at the apex and answers with the addresses behind it. */
export const flattened = (type: string, at: string): string =>
  `Choose type ${type} with ${at} and the value shown; this host allows that for the domain itself.`;

/** A host where nothing at the apex can follow a name. */
export const addressesOnly = (why: string): string =>
  `${why} Create A records with the addresses of this platform, if it names any; or connect www and let your registrar forward the bare domain to it.`;

/** The ownership record. */
export const txt = (name?: string): string =>
  `Choose type TXT and enter the name shown in ${field(name, 'name')}, beginning with its underscore and without your domain.`;
