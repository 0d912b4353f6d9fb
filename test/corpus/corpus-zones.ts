import type { ZoneFile } from '../support/dns-servers/zone-file.ts';
import type { Faults } from '../support/dns-servers/faulty-server.ts';
import type { CorpusName, NameServer } from './corpus-name.ts';

export const cnameDomain = 'cname.apps.platform.net';
export const target = `p-mine.${cnameDomain}`;
export const platformAddresses = ['203.0.113.10', '2001:db8:cafe::10'] as const;
export const ownershipValue = 'projectdomain-verify=right';

/** Where the servers of the hierarchy stand. */
export interface CorpusAddresses {
  readonly root: string;
  readonly registry: readonly [string, string];
  readonly knot: string;
  readonly nsd: string;
  /** addresses of servers with faults, by number */
  readonly faulty: (number: number) => string;
}

interface FaultyAddress {
  readonly address: string;
  readonly behind: string;
  readonly faults: Faults;
}

/** Everything that has to be served for a set of names. */
export interface CorpusZones {
  /** hostname of each name, in their order */
  readonly hostnames: readonly string[];
  readonly root: readonly ZoneFile[];
  readonly registry: readonly ZoneFile[];
  readonly knot: readonly ZoneFile[];
  readonly nsd: readonly ZoneFile[];
  readonly faulty: readonly FaultyAddress[];
}

const suffixes = ['com', 'net', 'org', 'de', 'uk', 'co.uk'];
const host = 'dns-host.net';
const hosts = { knot: `ns1.${host}.`, nsd: `ns2.${host}.` } as const;

/** Builds the hierarchy: a root, a registry with all suffixes, a DNS host on Knot and NSD, the platform, the customers. */
export function corpusZones(names: readonly CorpusName[], at: CorpusAddresses): CorpusZones {
  const customers = names.map((name, index) => customer(name, index, at));
  const registryNs = [`NS a.registry.net.`, 'NS b.registry.net.'];
  const registryGlue = [`a.registry.net. A ${at.registry[0]}`, `b.registry.net. A ${at.registry[1]}`];
  const delegations = (suffix: string) => [
    ...customers.filter((one) => one.suffix === suffix).flatMap((one) => one.delegation),
    ...suffixes
      .filter((other) => other.endsWith(`.${suffix}`))
      .flatMap((other) => registryNs.map((ns) => `${other}. ${ns}`)),
    ...(suffix === 'net' ? [...hosted(at), ...registryGlue] : []),
  ];
  const own = [hostZone(at), platformZone];
  return {
    hostnames: customers.map(({ hostname }) => hostname),
    root: [
      {
        apex: '',
        lines: [
          '@ NS a.root.',
          `a.root. A ${at.root}`,
          ...suffixes.filter((one) => !one.includes('.')).flatMap((one) => registryNs.map((ns) => `${one}. ${ns}`)),
          ...registryGlue,
        ],
      },
    ],
    registry: suffixes.map((apex) => ({
      apex,
      lines: [...registryNs.map((ns) => `@ ${ns}`), ...delegations(apex)],
    })),
    knot: [...own, ...customers.flatMap(({ knot }) => knot)],
    nsd: [...own, ...customers.flatMap(({ nsd }) => nsd)],
    faulty: customers.flatMap(({ faulty }) => faulty),
  };
}

const hosted = (at: CorpusAddresses) => [
  ...[host, 'apps.platform.net'].flatMap((zone) => Object.values(hosts).map((ns) => `${zone}. NS ${ns}`)),
  `${hosts.knot} A ${at.knot}`,
  `${hosts.nsd} A ${at.nsd}`,
];

const hostZone = (at: CorpusAddresses): ZoneFile => ({
  apex: host,
  lines: [...Object.values(hosts).map((ns) => `@ NS ${ns}`), `ns1 A ${at.knot}`, `ns2 A ${at.nsd}`],
});

const platformZone: ZoneFile = {
  apex: 'apps.platform.net',
  lines: [
    ...Object.values(hosts).map((ns) => `@ NS ${ns}`),
    ...[target, `p-other.${cnameDomain}`, 'shop.apps.platform.net'].flatMap((name) => [
      `${name}. A ${platformAddresses[0]}`,
      `${name}. AAAA ${platformAddresses[1]}`,
    ]),
  ],
};

interface Customer extends Pick<CorpusZones, 'knot' | 'nsd' | 'faulty'> {
  readonly hostname: string;
  readonly suffix: string;
  readonly delegation: readonly string[];
}

const defaultServers: readonly NameServer[] = [{ program: 'knot' }, { program: 'nsd' }];

function customer(name: CorpusName, index: number, at: CorpusAddresses): Customer {
  const { suffix = 'com', servers = defaultServers } = name;
  const apex = `c${index}.${suffix}`;
  const filled = (line: string) => fill(line, apex);
  const located = servers.map((server, number) => locate(server, { apex, number: index * 8 + number }, at));
  const ns = located.filter(({ server }) => !server.isForgotten).map((one) => `@ NS ${one.name}`);
  const glue = located.flatMap(({ glue: lines }) => lines);
  const zonesOn = (program: 'knot' | 'nsd'): readonly ZoneFile[] => {
    const server = servers.find((one) => one.program === program && !one.isGone);
    if (!server || server.serves === 'nothing') return [];
    const lines = (server.serves ?? name.zone).map(filled);
    const more = Object.entries(name.zones ?? {}).map(([child, text]) => ({
      apex: `${child}.${apex}`,
      lines: text.map(filled),
    }));
    return [{ apex, lines: [...ns, ...glue, ...lines] }, ...more];
  };
  return {
    hostname: name.host === '@' ? apex : `${name.host}.${apex}`,
    suffix,
    delegation: [
      ...located.filter(({ server }) => !server.isHidden).map((one) => `${apex}. NS ${one.name}`),
      ...located.filter(({ server }) => !server.isHidden).flatMap((one) => one.glue),
    ],
    knot: zonesOn('knot'),
    nsd: zonesOn('nsd'),
    faulty: located.flatMap(({ faulty }) => faulty),
  };
}

interface Place {
  readonly apex: string;
  readonly number: number;
}

/** A server without faults is the DNS host's; one with faults, or that is gone, stands in the customer's zone with glue. */
function locate(server: NameServer, { apex, number }: Place, at: CorpusAddresses) {
  const { program, faults, isGone } = server;
  if (!faults && !isGone) return { server, name: hosts[program], glue: [], faulty: [] };
  const address = at.faulty(number);
  const name = `ns${number}.${apex}.`;
  const faulty = faults ? [{ address, behind: at[program], faults }] : [];
  return { server, name, glue: [`${name} A ${address}`], faulty };
}

const fill = (line: string, apex: string): string =>
  line
    .replaceAll('{target}', `${target}.`)
    .replaceAll('{other}', `p-other.${cnameDomain}.`)
    .replaceAll('{bare}', `${cnameDomain}.`)
    .replaceAll('{platform}', 'shop.apps.platform.net.')
    .replaceAll('{ours}', platformAddresses[0])
    .replaceAll('{ours6}', platformAddresses[1])
    .replaceAll('{right}', `"${ownershipValue}"`)
    .replaceAll('{knot}', hosts.knot)
    .replaceAll('{nsd}', hosts.nsd)
    .replaceAll('{apex}', `${apex}.`)
    .replaceAll('{label}', apex);
