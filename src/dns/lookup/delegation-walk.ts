import type { Asking } from './check-budget.ts';
import { checkLimits } from './check-budget.ts';
import type { Delegation } from './delegation.ts';
import { delegationOf, isUsableAbout } from './delegation.ts';
import type { Endpoint } from './dns-endpoint.ts';
import type { Infrastructure, SharedQuestion } from './infrastructure-cache.ts';
import type { Response } from './dns-message.ts';
import type { ServerAnswer } from './ask-servers.ts';
import { askAll, askSome } from './ask-servers.ts';
import { createServerLookup } from './server-address-lookup.ts';
import type { CutOf, NoZoneCut, ZoneCut, ZoneServer } from './zone-cut.ts';
import { countOf, isCut, isInZone, unique } from './zone-cut.ts';

/** Finds zone cuts by walking down from the root, adding one label at a time (QNAME minimisation, RFC 9156). */
export interface Walk {
  cutOf(name: string): Promise<ZoneCut | NoZoneCut>;
}

const serversTried = 3;

export function createWalk(asking: Asking, roots: readonly Endpoint[], infrastructure: Infrastructure): Walk {
  const port = roots[0]?.port ?? 53;
  const root: ZoneCut = {
    apex: '',
    servers: roots.map((endpoint) => ({ name: '', endpoint, delegated: true, certain: true })),
    cuts: [],
  };
  const known = new Map<string, Promise<ZoneCut | NoZoneCut>>();

  /** Cached by depth too: a lookup of a server's name is one level deeper, so it never waits for the walk it serves. */
  const cutOf: CutOf = (name, depth) => {
    const key = `${depth} ${name}`;
    const found = known.get(key) ?? descend(name, depth);
    known.set(key, found);
    return found;
  };

  const lookUp = createServerLookup(asking, cutOf, port);

  const descend = async (name: string, depth: number): Promise<ZoneCut | NoZoneCut> => {
    const parent = name.includes('.') ? await cutOf(name.slice(name.indexOf('.') + 1), depth) : root;
    if (!isCut(parent)) return parent;
    const delegation = await askParent(parent, name, depth);
    if (delegation.kind === 'silent') return { differing: null };
    if (delegation.kind === 'differing') return delegation;
    if (delegation.kind === 'none') return parent;
    const cuts = [...parent.cuts, { zone: name, servers: countOf(parent.servers), agreeing: delegation.agreeing }];
    const delegated = await locate(delegation, { apex: name, parent, depth });
    const own = delegation.own.map((server) => ({ ...server, delegated: true, certain: true }));
    const servers = unique([...delegated, ...own]).slice(0, checkLimits.serversPerZone);
    if (depth > 0 || infrastructure.holds(name)) return { apex: name, servers, cuts };
    const child = await childServers(servers, name, depth);
    return { apex: name, servers: unique([...servers, ...child]).slice(0, checkLimits.serversPerZone), cuts };
  };

  const askParent = async (parent: ZoneCut, name: string, depth: number): Promise<Delegation> => {
    const question = { name, type: 'NS', recursive: false } as const;
    const usable = isUsableAbout(name);
    const combined = (answers: readonly ServerAnswer[]) => delegationOf(answers, name, parent.apex);
    if (infrastructure.holds(name)) {
      const cacheable: SharedQuestion['cacheable'] = (answers) => ['cut', 'none'].includes(combined(answers).kind);
      return combined(await infrastructure.ask(asking, { parent, question, usable, cacheable }));
    }
    const ask = depth > 0 ? askSome : askAll;
    return combined(await ask(asking, parent.servers, question, usable));
  };

  /** Addresses of delegated servers: from the parent's own servers, from glue, or by a walk to the server's name. */
  const locate = (
    { names, glue, own }: Delegation & { kind: 'cut' },
    { apex, parent, depth }: { readonly apex: string; readonly parent: ZoneCut; readonly depth: number },
  ): Promise<readonly ZoneServer[]> => {
    const at = (name: string, address: string | null): ZoneServer[] => [
      { name, endpoint: address === null ? null : { address, port }, delegated: true, certain: address !== null },
    ];
    const located = names.slice(0, checkLimits.serversPerZone).map(async (name): Promise<readonly ZoneServer[]> => {
      const ofParent = parent.servers.find((server) => server.name === name && server.endpoint !== null);
      if (ofParent) return [{ ...ofParent, delegated: true }];
      const given = glue.get(name);
      if (given !== undefined) return at(name, given);
      if (!isInZone(name, apex)) return lookUp(name, depth);
      return at(name, own.length > 0 ? await addressFrom(own, name) : null);
    });
    return Promise.all(located).then((servers) => servers.flat());
  };

  /** Servers named only by the child zone; the servers that the parent names give the addresses of those inside it. */
  const childServers = async (
    delegated: readonly ZoneServer[],
    apex: string,
    depth: number,
  ): Promise<readonly ZoneServer[]> => {
    const response = await firstAuthoritative(delegated, apex, 'NS');
    const names = (response?.answers ?? []).filter(({ type, name }) => type === 'NS' && name === apex);
    const extra = names
      .map(({ value }) => value)
      .filter((name) => !delegated.some((server) => server.name === name))
      .slice(0, checkLimits.serversPerZone);
    const located = extra.map(async (name): Promise<readonly ZoneServer[]> => {
      if (!isInZone(name, apex)) return lookUp(name, depth);
      const address = await addressFrom(delegated, name);
      return [{ name, endpoint: address === null ? null : { address, port }, delegated: false, certain: false }];
    });
    return (await Promise.all(located)).flat().map((server) => ({ ...server, delegated: false }));
  };

  const firstAuthoritative = async (
    servers: readonly ZoneServer[],
    name: string,
    type: 'NS' | 'A',
  ): Promise<Response | null> => {
    for (const { endpoint } of servers.filter((server) => server.endpoint !== null).slice(0, serversTried)) {
      const response = endpoint && (await asking.ask(endpoint, { name, type, recursive: false }));
      if (response && typeof response !== 'string' && response.authoritative) return response;
    }
    return null;
  };

  const addressFrom = async (servers: readonly ZoneServer[], name: string): Promise<string | null> => {
    const response = await firstAuthoritative(servers, name, 'A');
    return response?.answers.find((record) => record.name === name && record.type === 'A')?.value ?? null;
  };

  return { cutOf: (name) => cutOf(name, 0) };
}
