import { isWithin, registrableDomain } from '../../rules/hostname.ts';
import { checkLimits } from './check-budget.ts';
import type { Delegation } from './delegation.ts';
import { delegationOf, isUsableAbout } from './delegation.ts';
import type { DnsClient } from './dns-client.ts';
import type { Endpoint } from './dns-endpoint.ts';
import type { Infrastructure, SharedQuery } from './infrastructure-cache.ts';
import type { ServerAnswer } from './query-servers.ts';
import { querySome } from './query-servers.ts';
import { createServerLookup } from './server-address-lookup.ts';
import { createServersOfDelegation } from './servers-of-delegation.ts';
import type { CutOf, NoZoneCut, ZoneCut } from './zone-cut.ts';
import { countOf, isCut, parentName } from './zone-cut.ts';

/** Finds zone cuts. */
export interface Walk {
  /**
   * The zone cut from which to ask about a name: walked from the root, adding one label at a time (QNAME minimisation,
   * RFC 9156), down to `startName(name)`. Zones further down show in the answers themselves.
   */
  startOf(name: string): Promise<ZoneCut | NoZoneCut>;
  startName(name: string): string;
  /** The zone delegated at `apex` out of `parent`, as the parent's servers describe it. */
  enter(parent: ZoneCut, apex: string, delegation: Delegation): Promise<ZoneCut | NoZoneCut>;
}

export function createWalk(client: DnsClient, roots: readonly Endpoint[], infrastructure: Infrastructure): Walk {
  const port = roots[0]?.port ?? 53;
  const root: ZoneCut = {
    apex: '',
    servers: roots.map((endpoint) => ({ name: '', endpoints: [endpoint], delegated: true, certain: true })),
    cuts: [],
  };
  const known = new Map<string, Promise<ZoneCut | NoZoneCut>>();
  const once = (key: string, find: () => Promise<ZoneCut | NoZoneCut>) => {
    const found = known.get(key) ?? find();
    known.set(key, found);
    return found;
  };

  /** Cached by depth too: a lookup of a server's name is one level deeper, so it never waits for the walk it serves. */
  const cutOf: CutOf = (name, depth) => once(`${depth} ${name}`, () => descend(name, depth));

  const lookUp = createServerLookup({ client, cutOf, infrastructure, port });
  const serversOf = createServersOfDelegation({ client, lookUp, infrastructure, port });

  const descend = async (name: string, depth: number): Promise<ZoneCut | NoZoneCut> => {
    const parent = name.includes('.') ? await cutOf(parentName(name), depth) : root;
    if (!isCut(parent)) return parent;
    const delegation = await askParent(parent, name);
    const canBeInParent = isWithin(name, registrableDomain(name)) && name !== registrableDomain(name);
    if (delegation.kind === 'silent' && canBeInParent) return parent;
    return enterAt(parent, { apex: name, delegation, depth });
  };

  const enterAt = async (
    parent: ZoneCut,
    { apex, delegation, depth }: { readonly apex: string; readonly delegation: Delegation; readonly depth: number },
  ): Promise<ZoneCut | NoZoneCut> => {
    if (delegation.kind === 'silent') return { differing: null };
    if (delegation.kind === 'differing') return delegation;
    if (delegation.kind === 'none') return parent;
    const cuts = [...parent.cuts, { zone: apex, servers: countOf(parent.servers), agreeing: delegation.agreeing }];
    const servers = await serversOf(delegation, { apex, parent, depth });
    return { apex, servers: servers.slice(0, checkLimits.serversPerZone), cuts };
  };

  /**
   * Two servers are enough where the parent is a registry or the platform; where these two differ, and for names of
   * servers, that is all that is known of the delegation.
   */
  const askParent = async (parent: ZoneCut, name: string): Promise<Delegation> => {
    const query = { question: { name, type: 'NS', recursive: false }, usable: isUsableAbout(name) } as const;
    const combined = (answers: readonly ServerAnswer[]) => delegationOf(answers, name, parent.apex);
    if (!infrastructure.holds(name)) return combined(await querySome(client, parent.servers, query));
    const cacheable: SharedQuery['cacheable'] = (answers) => ['cut', 'none'].includes(combined(answers).kind);
    return combined(await infrastructure.ask(client, { ...query, parent, cacheable }));
  };

  const startName = (name: string): string => {
    if (infrastructure.holds(name)) return name;
    const [above, registrable] = [parentName(name), registrableDomain(name)];
    return infrastructure.holds(above) && above.length > registrable.length ? above : registrable;
  };

  return {
    startName,
    startOf: (name) => cutOf(startName(name), 0),
    enter: (parent, apex, delegation) =>
      once(`0 ${parent.apex} ${apex}`, () => enterAt(parent, { apex, delegation, depth: 0 })),
  };
}
