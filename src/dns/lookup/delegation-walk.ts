import { registrableDomain } from '../../rules/hostname.ts';
import { checkLimits } from './check-budget.ts';
import type { Delegation } from './delegation.ts';
import { delegationOf, isUsableAbout } from './delegation.ts';
import type { DelegationMemory, KnownDelegation } from './delegation-memory.ts';
import { isFresh, knownDelegation } from './delegation-memory.ts';
import type { DnsClient } from './dns-client.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import type { Infrastructure, SharedQuery } from './infrastructure-cache.ts';
import type { ServerAnswer } from './query-servers.ts';
import { queryFirst, querySome } from './query-servers.ts';
import { createServersOfDelegation } from './servers-of-delegation.ts';
import type { CutOf, NoZoneCut, ZoneCut } from './zone-cut.ts';
import { countOf, isCertain, isCut, parentName } from './zone-cut.ts';

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

export interface WalkOptions {
  readonly client: DnsClient;
  readonly roots: readonly Endpoint[];
  readonly infrastructure: Infrastructure;
  readonly delegations: DelegationMemory;
  /** the hostname's registrable domain: no other delegation is kept */
  readonly domain: string;
  /** the domain may be entered by the delegation that an earlier check found */
  readonly mayReuseDelegation: boolean;
  /** called with each zone that is entered, and its servers */
  readonly entered: (cut: ZoneCut) => void;
  readonly now: () => number;
}

export function createWalk(options: WalkOptions): Walk {
  const { client, roots, infrastructure, delegations, mayReuseDelegation, domain, entered, now } = options;
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

  const serversOf = createServersOfDelegation({ client, cutOf, infrastructure, port });

  const descend = async (name: string, depth: number): Promise<ZoneCut | NoZoneCut> => {
    const parent = name.includes('.') ? await cutOf(parentName(name), depth) : root;
    if (!isCut(parent)) return parent;
    if (depth === 0 && !infrastructure.holds(name)) return enterCustomers(parent, name);
    const delegation = await askParent(parent, name);
    if (delegation.kind === 'silent' && name !== registrableDomain(name)) return parent;
    return enterAt(parent, { apex: name, delegation, depth });
  };

  /** A customer's domain, as a registry delegates it. */
  const enterCustomers = async (parent: ZoneCut, apex: string): Promise<ZoneCut | NoZoneCut> => {
    const reused = mayReuseDelegation ? await reuse(parent, apex) : null;
    if (reused) return reused;
    const delegation = await askParent(parent, apex);
    const cut = await enterAt(parent, { apex, delegation, depth: 0 });
    if (apex === domain && delegation.kind === 'cut' && isCut(cut) && isSound(cut)) {
      delegations.set(apex, knownDelegation(cut, delegation, now()));
    }
    return cut;
  };

  /** Once its TTL has passed, one server of the parent has to name the same servers. */
  const reuse = async (parent: ZoneCut, apex: string): Promise<ZoneCut | null> => {
    const known = delegations.get(apex);
    if (!known || isFresh(known, now())) return known?.cut ?? null;
    const query = { question: { name: apex, type: 'NS', recursive: false }, usable: isUsableAbout(apex) } as const;
    const answer = await queryFirst(client, parent.servers, query);
    const delegation = delegationOf(answer ? [answer] : [], apex, parent.apex);
    if (delegation.kind !== 'cut' || !isSame(delegation, known)) return null;
    delegations.set(apex, knownDelegation(known.cut, delegation, now()));
    return known.cut;
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
    const cut = { apex, servers: servers.slice(0, checkLimits.serversPerZone), cuts };
    entered(cut);
    return cut;
  };

  /**
   * Two servers are enough where the parent is a registry or the platform; where these two differ, and for names of
   * servers, that is all that is known of the delegation.
   */
  const askParent = async (parent: ZoneCut, name: string): Promise<Delegation> => {
    const query = { question: { name, type: 'NS', recursive: false }, usable: isUsableAbout(name) } as const;
    const combined = (answers: readonly ServerAnswer[]) => delegationOf(answers, name, parent.apex);
    if (!infrastructure.holds(name)) return combined(await querySome(client, parent.servers, query));
    const shared = (answers: readonly ServerAnswer[]) => infrastructure.delegationIn(answers, () => combined(answers));
    const cacheable: SharedQuery['cacheable'] = (answers) => ['cut', 'none'].includes(shared(answers).kind);
    return shared(await infrastructure.ask(client, { ...query, parent, cacheable }));
  };

  const startName = (name: string): string => {
    if (infrastructure.holds(name)) return name;
    const [above, registrable] = [parentName(name), registrableDomain(name)];
    return infrastructure.holds(above) && above.length > registrable.length ? above : registrable;
  };

  return {
    startName,
    startOf: (name) => cutOf(startName(name), 0),
    enter(parent, apex, delegation) {
      const enterIt = () => enterAt(parent, { apex, delegation, depth: 0 });
      return delegation.kind === 'cut' ? once(`0 ${parent.apex} ${apex}`, enterIt) : enterIt();
    },
  };
}

/** Every server that the parent names has an address that is certain, and so has each cut on the way. */
const isSound = ({ cuts, servers }: ZoneCut): boolean =>
  cuts.every(isCertain) &&
  servers.every(({ delegated, certain, endpoints }) => !delegated || (certain && endpoints.length > 0));

/** The same servers, with glue that leads to the addresses that are known. */
function isSame(delegation: Delegation & { readonly kind: 'cut' }, { names, cut }: KnownDelegation): boolean {
  if (delegation.names.join(' ') !== names.join(' ')) return false;
  return [...delegation.glue].every(([name, addresses]) =>
    cut.servers.some((server) => server.name === name && addresses.includes(server.endpoints[0]?.address ?? '')),
  );
}
