import type { DnsHost, KnownDnsHost } from './dns-host-advice.ts';
import { knownDnsHosts } from './known-dns-hosts.ts';

/** The host that serves a zone, by the names of its servers; null for an unknown host and if two share the zone. */
export function dnsHostOf(nameServers: readonly string[]): DnsHost | null {
  const [first, ...others] = nameServers.map(knownBy);
  if (!first) return null;
  return others.every((other) => other === first) ? first.host : null;
}

const knownBy = (nameServer: string): KnownDnsHost | undefined =>
  knownDnsHosts.find(({ servers }) => servers.test(nameServer));
