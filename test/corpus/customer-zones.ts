import type { ZoneFile } from '../support/dns-servers/zone-file.ts';
import type { Faults } from '../support/dns-servers/faulty-server.ts';
import type { CorpusName, NameServer, OtherZone } from './corpus-name.ts';
import {
  addressOfTarget,
  challengeZone,
  cnameDomain,
  delegationLabel,
  ownershipValue,
  platformAddresses,
  target,
} from './platform.ts';

/** Where the servers of the hierarchy stand. */
export interface CorpusAddresses {
  readonly root: string;
  readonly registry: readonly [string, string];
  readonly knot: string;
  readonly nsd: string;
  /** addresses of servers with faults, by number */
  readonly faulty: (number: number) => string;
}

export interface FaultyAddress {
  readonly address: string;
  readonly behind: string;
  readonly faults: Faults;
}

/** Lines of a suffix's zone that delegate a customer's. */
interface Registration {
  readonly suffix: string;
  readonly lines: readonly string[];
  /** the only server of the registry that has them */
  readonly onlyAt: 'first' | 'second' | undefined;
}

/** What is served for one name. */
export interface Customer {
  readonly hostname: string;
  readonly registrations: readonly Registration[];
  readonly knot: readonly ZoneFile[];
  readonly nsd: readonly ZoneFile[];
  readonly faulty: readonly FaultyAddress[];
}

/** The DNS host's servers, which serve every zone without servers of its own. */
export const hosts = { knot: 'ns1.dns-host.net.', nsd: 'ns2.dns-host.net.' } as const;

const defaultServers: readonly NameServer[] = [{ program: 'knot' }, { program: 'nsd' }];
/** addresses of one name: four for each zone, the last of them is always free */
const [perName, perZone] = [16, 4];

/** One zone with its servers. */
interface Placed {
  readonly apex: string;
  readonly registeredUnder: string | null;
  readonly zone: OtherZone;
  readonly servers: readonly Located[];
}

interface Located {
  readonly server: NameServer;
  readonly name: string;
  readonly address: string;
  /** lines of the zone itself and of its parent */
  readonly own: readonly string[];
  readonly glue: readonly string[];
}

export function customerZones(name: CorpusName, index: number, at: CorpusAddresses): Customer {
  const { suffix = 'com', delegated = {}, registered = {} } = name;
  const apex = `c${index}.${suffix}`;
  const apexes = new Map(Object.entries(registered).map(([key, one]) => [key, `c${index}-${key}.${one.suffix}`]));
  const dead = at.faulty(index * perName + perName - 1);
  const addressOf = (server: NameServer, number: number): string =>
    server.faults || server.isGone ? at.faulty(index * perName + number) : at[server.program];
  const first = (name.servers ?? defaultServers).map(addressOf);
  const filled = (line: string): string => fill(line, { apex, apexes, dead, first, at });
  const place = (own: Pick<Placed, 'apex' | 'registeredUnder' | 'zone'>, number: number): Placed => ({
    ...own,
    servers: (own.zone.servers ?? defaultServers).map((server, position) =>
      locate(server, { apex: own.apex, position, address: addressOf(server, number * perZone + position), filled }),
    ),
  });
  const main = place({ apex, registeredUnder: suffix, zone: name }, 0);
  const children = Object.entries(delegated).map(([key, zone], number) =>
    place({ apex: `${key}.${apex}`, registeredUnder: null, zone }, number + 1),
  );
  const others = Object.entries(registered).map(([key, zone], number) =>
    place({ apex: apexes.get(key) ?? '', registeredUnder: zone.suffix, zone }, children.length + number + 1),
  );
  const all = [main, ...children, ...others];
  const more = Object.entries(name.zones ?? {}).map(([key, lines]) => ({ apex: `${key}.${apex}`, lines }));
  const filesOn = (program: 'knot' | 'nsd'): readonly ZoneFile[] =>
    [
      ...all.flatMap((zone) => fileOn(program, zone, zone === main ? children.flatMap(delegation) : [])),
      ...(isOn(program, main) ? more : []),
    ].map((file) => ({ ...file, lines: file.lines.map(filled) }));
  return {
    hostname: name.host === '@' ? apex : `${name.host}.${apex}`,
    registrations: all.flatMap((zone) => registrationsOf(zone)),
    knot: filesOn('knot'),
    nsd: filesOn('nsd'),
    faulty: all.flatMap(({ servers }) => servers).flatMap((server) => faultyAddress(server, at, filled)),
  };
}

const serverOn = (program: 'knot' | 'nsd', { servers }: Placed): NameServer | undefined =>
  servers.map(({ server }) => server).find((server) => server.program === program && !server.isGone);

const isOn = (program: 'knot' | 'nsd', zone: Placed): boolean => {
  const server = serverOn(program, zone);
  return server !== undefined && server.serves !== 'nothing';
};

/** The zone as a program serves it. `more`: its delegations, which stale data do not have. */
function fileOn(program: 'knot' | 'nsd', placed: Placed, more: readonly string[]): readonly ZoneFile[] {
  const server = serverOn(program, placed);
  if (!server || server.serves === 'nothing') return [];
  const lines = server.serves ?? [...placed.zone.zone, ...more];
  const ns = placed.servers.filter((one) => !one.server.isForgotten).map((one) => `@ NS ${one.name}`);
  return [{ apex: placed.apex, lines: [...ns, ...placed.servers.flatMap(({ own }) => own), ...lines] }];
}

const isInParent = ({ server }: Located): boolean => !server.isHidden;

const delegation = ({ apex, servers }: Placed): readonly string[] =>
  servers.filter(isInParent).flatMap(({ name, glue }) => [`${apex}. NS ${name}`, ...glue]);

const registrationsOf = ({ apex, servers, registeredUnder }: Placed): readonly Registration[] =>
  registeredUnder === null
    ? []
    : servers.filter(isInParent).map(({ name, glue, server }) => ({
        suffix: registeredUnder,
        lines: [`${apex}. NS ${name}`, ...glue],
        onlyAt: server.onlyAt,
      }));

interface Place {
  readonly apex: string;
  readonly position: number;
  readonly address: string;
  readonly filled: (line: string) => string;
}

/** A server without faults is the DNS host's; one with faults, or that is gone, stands in the customer's zone with glue. */
function locate(server: NameServer, { apex, position, address, filled }: Place): Located {
  const isOwn = server.named === undefined && (server.faults !== undefined || server.isGone === true);
  const name = isOwn ? `ns${position}.${apex}.` : filled(server.named ?? hosts[server.program]);
  const own = isOwn ? [`${name} A ${address}`] : [];
  const glue = server.glue?.map((one) => `${name} ${one.includes(':') ? 'AAAA' : 'A'} ${filled(one)}`) ?? own;
  return { server, name, address, own, glue };
}

function faultyAddress(
  { server, address }: Located,
  at: CorpusAddresses,
  filled: (line: string) => string,
): readonly FaultyAddress[] {
  const { faults, program } = server;
  if (!faults) return [];
  const says: Record<string, readonly string[]> = {};
  for (const [question, lines] of Object.entries(faults.says ?? {})) says[filled(question)] = lines.map(filled);
  return [{ address, behind: at[program], faults: { ...faults, says } }];
}

interface Fillings {
  readonly apex: string;
  readonly apexes: ReadonlyMap<string, string>;
  readonly dead: string;
  readonly first: readonly string[];
  readonly at: CorpusAddresses;
}

function fill(line: string, { apex, apexes, dead, first, at }: Fillings): string {
  const values = new Map([
    ['target', `${target}.`],
    ['delegation', `${delegationLabel}.${challengeZone}.`],
    ['other', `p-other.${cnameDomain}.`],
    ['bare', `${cnameDomain}.`],
    ['platform', 'shop.apps.platform.net.'],
    ['ours', platformAddresses[0]],
    ['ours2', addressOfTarget],
    ['ours6', platformAddresses[1]],
    ['right', `"${ownershipValue}"`],
    ...Object.entries(hosts),
    ['apex', `${apex}.`],
    ['label', apex],
    ['dead', dead],
    ['atNsd', at.nsd],
    ...[...apexes].map(([key, value]) => [key, `${value}.`] as const),
    ...first.map((address, number) => [`address${number}`, address] as const),
  ]);
  return line.replace(/\{(\w+)\}/g, (text, key: string) => values.get(key) ?? text);
}
