import type { DnsHost, FormLabels } from './known-dns-hosts.ts';
import { knownDnsHosts, unknownLabels } from './known-dns-hosts.ts';

/** The host that serves a zone, by the names of its servers; null for an unknown host and if two share the zone. */
export function dnsHostOf(nameServers: readonly string[]): DnsHost | null {
  const hosts = new Set(nameServers.map((name) => knownDnsHosts.find(({ servers }) => servers.test(name))));
  const [host = null] = hosts;
  return hosts.size === 1 ? host : null;
}

/** The company that serves a zone, with the labels of its form for records. */
export interface DnsHostView extends Pick<DnsHost, 'id' | 'name'> {
  readonly labels: FormLabels;
}

/** The DNS host of these name servers; null for an unknown one. */
export function dnsHostView(nameServers: readonly string[]): DnsHostView | null {
  const host = dnsHostOf(nameServers);
  return host && { id: host.id, name: host.name, labels: host.labels ?? unknownLabels };
}

/** Whether an apex at this host needs addresses, because no record there can follow a name. */
export const needsAddresses = ({ apex }: Pick<DnsHost, 'apex'>): boolean => apex.includes('addresses');
