import type { DnsHost, FormLabels } from '../help/dns-host-advice.ts';
import { unknownLabels } from '../help/dns-host-advice.ts';
import { dnsHostOf } from '../help/dns-hosts.ts';

/** The company that serves a zone, with the labels of its form for records. */
export type DnsHostView = Pick<DnsHost, 'id' | 'name'> & { readonly labels: FormLabels };

/** The DNS host of these name servers; null for an unknown one. */
export function dnsHostView(nameServers: readonly string[]): DnsHostView | null {
  const host = dnsHostOf(nameServers);
  return host && { id: host.id, name: host.name, labels: host.labels ?? unknownLabels };
}
