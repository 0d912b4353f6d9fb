import type { DnsRecord, UnknownCause } from '../model/dns-facts.ts';
import type { Asking } from './budget.ts';
import { limits } from './budget.ts';
import type { Endpoint } from './endpoint.ts';
import type { Response } from './message.ts';

/** A server of a zone; without an endpoint its name could not be resolved to an address. */
export interface ZoneServer {
  readonly name: string;
  readonly endpoint: Endpoint | null;
}

/** The deepest zone that holds a name, with every server that parent and child name for it. */
export interface ZoneCut {
  readonly apex: string;
  readonly servers: readonly ZoneServer[];
}

/** Finds zone cuts by walking from the roots, one label more at a time (QNAME minimisation, RFC 9156). */
export interface Walk {
  /** null when the way there is blocked: then nothing can be said of the name. */
  cutOf(name: string): Promise<ZoneCut | null>;
}

const serversTriedPerStep = 3;
const maxDepth = 4;

export function createWalk(asking: Asking, roots: readonly Endpoint[]): Walk {
  const port = roots[0]?.port ?? 53;
  const root: ZoneCut = { apex: '', servers: roots.map((endpoint) => ({ name: '', endpoint })) };
  const known = new Map<string, Promise<ZoneCut | null>>();

  /** Look-ups of server names are a level deeper and never wait for the walk that they serve. */
  const cutOf = (name: string, depth: number): Promise<ZoneCut | null> => {
    const key = `${depth} ${name}`;
    const found = known.get(key) ?? descend(name, depth);
    known.set(key, found);
    return found;
  };

  const descend = async (name: string, depth: number): Promise<ZoneCut | null> => {
    const parent = name.includes('.') ? await cutOf(name.slice(name.indexOf('.') + 1), depth) : root;
    if (parent === null) return null;
    const response = await firstUsable(parent.servers, name);
    if (response === null) return null;
    const names = delegation(response, name);
    if (names === null) return parent;
    const delegated = await locate(names, { glue: response.additionals, parent: parent.apex, apex: name, depth });
    const own = response.authoritative ? parent.servers : [];
    const child = response.authoritative ? [] : await childServers(delegated, name, depth);
    return { apex: name, servers: unique([...delegated, ...child, ...own]).slice(0, limits.serversPerZone) };
  };

  const firstUsable = async (servers: readonly ZoneServer[], name: string): Promise<Response | null> => {
    for (const { endpoint } of servers.filter((server) => server.endpoint !== null).slice(0, serversTriedPerStep)) {
      const response = endpoint && (await asking.ask(endpoint, { name, type: 'NS', recursive: false }));
      if (response && typeof response !== 'string' && isUsable(response)) return response;
    }
    return null;
  };

  /** Servers that only the child names; those inside the zone are looked up at the servers the parent named. */
  const childServers = async (
    delegated: readonly ZoneServer[],
    apex: string,
    depth: number,
  ): Promise<readonly ZoneServer[]> => {
    const response = await firstUsable(delegated, apex);
    if (!response?.authoritative) return [];
    const names = response.answers.filter(({ type, name }) => type === 'NS' && name === apex).map(({ value }) => value);
    const extra = names
      .filter((name) => !delegated.some((server) => server.name === name))
      .slice(0, limits.serversPerZone);
    return Promise.all(
      extra.map(async (name) => {
        const address = isWithin(name, apex) ? await addressFrom(delegated, name) : await lookUp(name, depth);
        return { name, endpoint: address === null ? null : { address, port } };
      }),
    );
  };

  /** Addresses of delegated servers: from the parent's glue where the parent may speak, else by a walk of their own. */
  const locate = (
    names: readonly string[],
    { glue, parent, apex, depth }: Delegation,
  ): Promise<readonly ZoneServer[]> =>
    Promise.all(
      names.slice(0, limits.serversPerZone).map(async (name): Promise<ZoneServer> => {
        const given = isWithin(name, parent) ? glue.filter((record) => record.name === name) : [];
        const address =
          given.find(({ type }) => type === 'A')?.value ?? given.find(({ type }) => type === 'AAAA')?.value;
        const found = address ?? (isWithin(name, apex) ? null : await lookUp(name, depth));
        return { name, endpoint: found === null ? null : { address: found, port } };
      }),
    );

  const addressFrom = async (servers: readonly ZoneServer[], name: string): Promise<string | null> => {
    for (const { endpoint } of servers.slice(0, serversTriedPerStep)) {
      const response = endpoint && (await asking.ask(endpoint, { name, type: 'A', recursive: false }));
      if (!response || isCause(response) || !response.authoritative) continue;
      return response.answers.find((record) => record.name === name && record.type === 'A')?.value ?? null;
    }
    return null;
  };

  const lookUp = async (name: string, depth: number): Promise<string | null> => {
    if (depth >= maxDepth || !asking.mayLookUpServer()) return null;
    const cut = await cutOf(name, depth + 1);
    return cut ? addressFrom(cut.servers, name) : null;
  };

  return { cutOf: (name) => cutOf(name, 0) };
}

/** What a referral says of the servers it names. */
interface Delegation {
  readonly glue: readonly DnsRecord[];
  readonly parent: string;
  readonly apex: string;
  readonly depth: number;
}

/** The root holds every name. */
const isWithin = (name: string, zone: string): boolean => zone === '' || name === zone || name.endsWith(`.${zone}`);

const isCause = (response: Response | UnknownCause): response is UnknownCause => typeof response === 'string';

const isUsable = ({ rcode }: Response): boolean => rcode === 'NOERROR' || rcode === 'NXDOMAIN';

/** The name's own NS records, given as an answer or as a referral; null where there is no cut at this name. */
function delegation({ answers, authorities, authoritative }: Response, name: string): readonly string[] | null {
  const section = authoritative || answers.length > 0 ? answers : authorities;
  const servers = section.filter((record) => record.type === 'NS' && record.name === name).map(({ value }) => value);
  return servers.length > 0 ? servers : null;
}

function unique(servers: readonly ZoneServer[]): readonly ZoneServer[] {
  const seen = new Set<string>();
  return servers.filter(({ name, endpoint }) => {
    const key = endpoint ? `${endpoint.address}:${endpoint.port}` : name;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
