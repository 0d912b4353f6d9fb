import type { Behaviour, ScriptedWorld } from './scripted-exchange.ts';
import { delegate, scriptedWorld, together, zone } from './scripted-exchange.ts';

/** A DNS as large as the real one where it counts: thirteen roots, registries of thirteen servers, four of the platform. */

/** How a company that hosts DNS names its servers. */
export interface DnsHost {
  readonly name: string;
  /** their domains; the servers of a customer's zone are spread over them */
  readonly domains: readonly string[];
  readonly servers: number;
}

/** As their documentation and the zones of their customers showed in 2026. */
export const dnsHosts: readonly DnsHost[] = [
  { name: 'two servers in one domain (Cloudflare, GoDaddy)', domains: ['host-a.com'], servers: 2 },
  { name: 'three servers in two domains (Hetzner)', domains: ['host-b.com', 'host-b.de'], servers: 3 },
  {
    name: 'four servers in four domains (Route 53, IONOS)',
    domains: ['host-c.com', 'host-c.net', 'host-c.org', 'host-c.uk'],
    servers: 4,
  },
];

export const roots = Array.from({ length: 13 }, (_, index) => `8.0.0.${index + 1}`);
export const target = 'p-x.cname.apps.platform.net';
export const platformDomains = ['apps.platform.net'];
const suffixes = ['com', 'net', 'org', 'de', 'uk'];
const registryOf = (suffix: string) =>
  Array.from({ length: 13 }, (_, index) => `8.${10 + suffixes.indexOf(suffix)}.0.${index + 1}`);
const platform = ['8.3.0.1', '8.3.0.2', '8.3.0.3', '8.3.0.4'];

const each = (addresses: readonly string[], behaviour: Behaviour) =>
  Object.fromEntries(addresses.map((address) => [address, behaviour]));

/** Hostname of a customer's zone at a DNS host. */
export const customerAt = (host: number, customer: number): string => `www.customer${customer}-${host}.com`;

const serversOf = ({ domains, servers }: DnsHost, host: number) =>
  Array.from({ length: servers }, (_, index) => ({
    name: `ns${index}.${domains[index % domains.length] ?? ''}`,
    address: `8.2.${host}.${index + 1}`,
  }));

/** The whole DNS, with any number of customers at each host whose `www` has the target. */
export function dnsOfHosts(): ScriptedWorld {
  const hosts = dnsHosts.map(serversOf);
  const registry = (suffix: string): Behaviour => {
    const ofHosts = dnsHosts.flatMap(({ domains }, host) =>
      domains
        .filter((domain) => domain.endsWith(`.${suffix}`))
        .map((domain) => delegate(domain, ...(hosts[host] ?? []).map(({ name, address }) => `${name}=${address}`))),
    );
    const customers: Behaviour = (question) => {
      const [, host] = /customer\d+-(\d)\.com$/.exec(question.name) ?? [];
      const servers = hosts[Number(host ?? -1)] ?? [];
      const zoneName = question.name.split('.').slice(-2).join('.');
      const glued = servers.map(({ name, address }) => (/\.(com|net)$/.test(name) ? `${name}=${address}` : name));
      return delegate(servers.length > 0 ? zoneName : 'nobody.invalid', ...glued)(question);
    };
    const own = delegate('platform.net', ...platform.map((address, index) => `ns${index}.platform.net=${address}`));
    const apex = zone({ [`${suffix} SOA`]: ['x'] });
    return together(...ofHosts, ...(suffix === 'com' ? [customers] : []), ...(suffix === 'net' ? [own] : []), apex);
  };
  const hosted =
    (host: number): Behaviour =>
    (question) => {
      const zoneName = question.name.split('.').slice(-2).join('.');
      const names = Object.fromEntries((hosts[host] ?? []).map(({ name, address }) => [`${name} A`, [address]]));
      const ns = (hosts[host] ?? []).map(({ name }) => name);
      return zone({ ...names, [`${zoneName} NS`]: ns, [`www.${zoneName} CNAME`]: [target] })(question);
    };
  const topLevel = suffixes.map((suffix) => delegate(suffix, ...named(suffix, registryOf(suffix))));
  const everything = [
    each(roots, together(...topLevel)),
    ...suffixes.map((suffix) => each(registryOf(suffix), registry(suffix))),
    ...hosts.map((servers, host) =>
      each(
        servers.map(({ address }) => address),
        hosted(host),
      ),
    ),
    each(platform, zone({ [`${target} A`]: ['203.0.113.10'] })),
  ];
  return scriptedWorld(Object.fromEntries(everything.flatMap((servers) => Object.entries(servers))));
}

const named = (label: string, addresses: readonly string[]) =>
  addresses.map((address, index) => `r${index}.${label}=${address}`);
