import type { ZoneFile } from '../support/dns-servers/zone-file.ts';
import type { CorpusName } from './corpus-name.ts';
import type { CorpusAddresses, Customer, FaultyAddress } from './customer-zones.ts';
import { customerZones, hosts } from './customer-zones.ts';
import { addressOfTarget, cnameDomain, platformAddresses, target } from './platform.ts';

/** Everything that has to be served for a set of names. */
export interface CorpusZones {
  /** hostname of each name, in their order */
  readonly hostnames: readonly string[];
  readonly root: readonly ZoneFile[];
  /** what each of the registry's two servers says */
  readonly registry: readonly [readonly ZoneFile[], readonly ZoneFile[]];
  readonly knot: readonly ZoneFile[];
  readonly nsd: readonly ZoneFile[];
  readonly faulty: readonly FaultyAddress[];
}

/** Suffixes with what stands at their apex. */
const suffixes: Readonly<Record<string, readonly string[]>> = {
  com: [],
  net: [],
  org: [],
  de: [],
  uk: [],
  'co.uk': [],
  jp: [],
  'kyoto.jp': [],
  'uji.kyoto.jp': [],
  nl: ['@ CAA 0 issue "ca.test"'],
  fr: ['@ CAA 0 issue "other.test"'],
  au: ['@ CAA 0 issue "other.test"'],
  'com.au': [],
};
const dnsHost = 'dns-host.net';
const registryNs = ['NS a.registry.net.', 'NS b.registry.net.'];

/** Builds the hierarchy: a root, a registry with all suffixes, a DNS host on Knot and NSD, the platform, the customers. */
export function corpusZones(names: readonly CorpusName[], at: CorpusAddresses): CorpusZones {
  const customers = names.map((name, index) => customerZones(name, index, at));
  const glue = [`a.registry.net. A ${at.registry[0]}`, `b.registry.net. A ${at.registry[1]}`];
  const registryServer = (server: 'first' | 'second') =>
    Object.entries(suffixes).map(([apex, lines]) => ({
      apex,
      lines: [
        ...registryNs.map((ns) => `@ ${ns}`),
        ...lines,
        ...below(apex),
        ...delegations(customers, apex, server),
        ...(apex === 'net' ? [...hosted(at), ...glue] : []),
      ],
    }));
  const own = [hostZone(at), platformZone];
  return {
    hostnames: customers.map(({ hostname }) => hostname),
    root: [
      {
        apex: '',
        lines: [
          '@ NS a.root.',
          `a.root. A ${at.root}`,
          ...Object.keys(suffixes).filter(isTop).flatMap(toRegistry),
          ...glue,
        ],
      },
    ],
    registry: [registryServer('first'), registryServer('second')],
    knot: [...own, ...customers.flatMap(({ knot }) => knot)],
    nsd: [...own, ...customers.flatMap(({ nsd }) => nsd)],
    faulty: customers.flatMap(({ faulty }) => faulty),
  };
}

const isTop = (suffix: string): boolean => !suffix.includes('.');
const toRegistry = (suffix: string): readonly string[] => registryNs.map((ns) => `${suffix}. ${ns}`);

/** Delegations of the suffixes one label below. */
const below = (suffix: string): readonly string[] =>
  Object.keys(suffixes)
    .filter((one) => one.endsWith(`.${suffix}`) && !one.slice(0, -suffix.length - 1).includes('.'))
    .flatMap(toRegistry);

/** The registry's zone for a suffix, which may be further above. */
const zoneOf = (suffix: string): string => (suffix in suffixes ? suffix : suffix.slice(suffix.indexOf('.') + 1));

const delegations = (customers: readonly Customer[], suffix: string, server: 'first' | 'second') =>
  customers
    .flatMap(({ registrations }) => registrations)
    .filter((one) => zoneOf(one.suffix) === suffix && (one.onlyAt ?? server) === server)
    .flatMap(({ lines }) => lines);

const hosted = (at: CorpusAddresses): readonly string[] => [
  ...[dnsHost, 'apps.platform.net'].flatMap((zone) => Object.values(hosts).map((ns) => `${zone}. NS ${ns}`)),
  `${hosts.knot} A ${at.knot}`,
  `${hosts.nsd} A ${at.nsd}`,
];

const hostZone = (at: CorpusAddresses): ZoneFile => ({
  apex: dnsHost,
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
    `${target}. A ${addressOfTarget}`,
  ],
};
