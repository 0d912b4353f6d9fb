import type { DnsOutcome, RecordType } from '../dns-facts.ts';
import type { ObservedType } from '../observed-records.ts';
import { authorityOutcome, resolverOutcome } from './answer-outcome.ts';
import { checkLimits } from './check-budget.ts';
import type { DnsClient } from './dns-client.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import { printEndpoint } from '../wire/dns-endpoint.ts';
import type { Walk } from './delegation-walk.ts';
import type { Infrastructure } from './infrastructure-cache.ts';
import type { Observations } from './observations.ts';
import type { ServerResult, Usable } from './query-servers.ts';
import { queryAll, querySome } from './query-servers.ts';
import type { ZoneCut, ZoneServer } from './zone-cut.ts';
import { isCut } from './zone-cut.ts';
import { referralsOf, zoneBelow } from './zone-below.ts';

/** A check in progress. */
export interface Check {
  readonly client: DnsClient;
  readonly walk: Walk;
  readonly infrastructure: Infrastructure;
  readonly observations: Observations;
  readonly resolvers: readonly Endpoint[];
}

export interface Chain {
  readonly start: string;
  readonly types: readonly RecordType[];
  /** where following ends, as nothing behind it matters */
  readonly end?: string;
}

/** Follows the aliases from a name to their end, querying every server of each zone; every alias seen is followed. */
export async function observeChain(check: Check, { start, types, end }: Chain): Promise<void> {
  const seen = new Set([start]);
  const open = [start];
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const outcomes = await observeName(check, name, types);
    for (const alias of aliasesOf(outcomes)) {
      if (seen.has(alias) || alias === end || seen.size > checkLimits.aliases) continue;
      seen.add(alias);
      open.push(alias);
    }
  }
}

const aliasesOf = (outcomes: readonly DnsOutcome[]): readonly string[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'alias' ? [outcome.record.value] : []));

/**
 * Queries every server of the name's zone. Falls back to the recursive resolvers only when no server of the zone gave a
 * usable answer, and not when the delegations on the way differ: a resolver would have followed just one of them.
 */
export async function observeName(
  check: Check,
  name: string,
  types: readonly RecordType[],
): Promise<readonly DnsOutcome[]> {
  const { cut, answers } = await descendTo(check, name, types);
  check.observations.noteZone(name, { found: cut, types });
  if (!isCut(cut) && cut.differing) return [];
  const outcomes = answers.map((answer) => note(check, name, answer));
  if (outcomes.some(({ kind }) => kind !== 'unknown')) return outcomes;
  const others = await Promise.all(check.resolvers.map((resolver) => askResolver(check, resolver, name, types)));
  return [...outcomes, ...others.flat()];
}

interface TypedResult extends ServerResult {
  readonly type: RecordType;
}

/**
 * Asks two servers of a zone about names in it, at once each: for what helps to say what is wrong and decides nothing. Only usable answers are
 * noted.
 */
export async function observeSome(check: Check, cut: ZoneCut, { names, type }: SomeNames): Promise<void> {
  const { client, observations } = check;
  const asked = names.map(async (name) => {
    const usable: Usable = (response) => authorityOutcome(name, type, response).kind !== 'unknown';
    const query = { question: { name, type, recursive: false }, usable, isOptional: true };
    const answers = await querySome(client, cut.servers, query);
    if (answers.length > 0) observations.noteZone(name, { found: cut, types: [type] });
    for (const answer of answers) note(check, name, { ...answer, type });
  });
  await Promise.all(asked);
}

export interface SomeNames {
  readonly names: readonly string[];
  readonly type: ObservedType;
}

/** The zone that a name is in, as its servers say when asked about it; null when that cannot be found. */
export async function zoneOf(check: Check, name: string, types: readonly RecordType[]): Promise<ZoneCut | null> {
  const { cut } = await descendTo(check, name, types);
  return isCut(cut) ? cut : null;
}

/** Asks about the name itself at once; where the answers show a zone further down, asks again there. */
async function descendTo(check: Check, name: string, types: readonly RecordType[]) {
  let cut = await check.walk.startOf(name);
  for (;;) {
    if (!isCut(cut)) return { cut, answers: [] };
    const zone = cut;
    const answers = (await Promise.all(types.map((type) => queryZone(check, zone, { name, type })))).flat();
    const below = await zoneBelow(check, cut, { name, answers });
    if (below === cut) return { cut, answers };
    cut = below;
  }
}

/**
 * Every server of a customer's zone; two of a registry's or the platform's, which nobody else writes to. A registry's
 * own apex is asked about once for all checks.
 */
async function queryZone(
  { client, infrastructure }: Check,
  cut: ZoneCut,
  { name, type }: { readonly name: string; readonly type: RecordType },
): Promise<readonly TypedResult[]> {
  const usable: Usable = (response) =>
    authorityOutcome(name, type, response).kind !== 'unknown' || referralsOf(response, cut.apex, name).length > 0;
  const query = { question: { name, type, recursive: false }, usable };
  const ask = (): Promise<readonly ServerResult[]> => {
    if (!infrastructure.holds(cut.apex)) return queryAll(client, cut.servers, query);
    if (cut.apex !== name) return querySome(client, cut.servers, query);
    return infrastructure.ask(client, { ...query, parent: cut, cacheable: () => true });
  };
  return (await ask()).map((result) => ({ ...result, type }));
}

function note({ observations }: Check, name: string, { server, endpoint, type, response }: TypedResult): DnsOutcome {
  const outcome = authorityOutcome(name, type, response);
  const { delegated, certain } = server;
  const witness = { address: endpoint?.address ?? null, delegated, certain };
  observations.note(name, 'authorities', { source: sourceOf(server), witness, type, outcome });
  return outcome;
}

export const sourceOf = ({ name, endpoints: [endpoint] }: ZoneServer): string =>
  endpoint ? `${name} (${printEndpoint(endpoint)})` : `${name} (no address)`;

async function askResolver(
  { client, observations }: Check,
  resolver: Endpoint,
  name: string,
  types: readonly RecordType[],
): Promise<readonly DnsOutcome[]> {
  const source = `resolver ${printEndpoint(resolver)}`;
  return Promise.all(
    types.map(async (type) => {
      const response = await client.query(resolver, { name, type, recursive: true });
      const outcome = resolverOutcome(name, type, response);
      observations.note(name, 'resolvers', { source, type, outcome });
      return outcome;
    }),
  );
}
