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

/** The host that serves a zone, by the names of its servers; null for a host not known here and where two hosts share it. */
export function dnsHostOf(nameServers: readonly string[]): DnsHost | null {
  const [first, ...others] = nameServers.map(hostOf);
  if (!first) return null;
  return others.every((host) => host === first) ? first : null;
}

const hostOf = (nameServer: string): DnsHost | null =>
  hosts.find(({ servers }) => servers.test(nameServer))?.host ?? null;

interface KnownHost {
  /** matches the full name of a server, lower case, without the dot at its end */
  readonly servers: RegExp;
  readonly host: DnsHost;
}

const hosts: readonly KnownHost[] = [];
