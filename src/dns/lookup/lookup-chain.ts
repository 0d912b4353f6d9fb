import type { DnsOutcome, RecordType } from '../dns-facts.ts';
import type { Asking } from './check-budget.ts';
import { checkLimits } from './check-budget.ts';
import type { Endpoint } from './dns-endpoint.ts';
import { printEndpoint } from './dns-endpoint.ts';
import type { Observations } from './observations.ts';
import type { Infrastructure } from './infrastructure-cache.ts';
import type { Response } from './dns-message.ts';
import { authorityOutcome, resolverOutcome } from './answer-outcome.ts';
import type { Walk } from './delegation-walk.ts';
import type { ZoneCut, ZoneServer } from './zone-cut.ts';
import { isCut } from './zone-cut.ts';

/** A check in progress. */
export interface Check {
  readonly asking: Asking;
  readonly walk: Walk;
  readonly infrastructure: Infrastructure;
  readonly observations: Observations;
  readonly resolvers: readonly Endpoint[];
}

/** Follows the aliases from a name to their end, querying every server of each zone; every alias seen is followed. */
export async function observeChain(check: Check, start: string, types: readonly RecordType[]): Promise<void> {
  const seen = new Set([start]);
  const open = [start];
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const outcomes = await observeName(check, name, types);
    for (const alias of aliasesOf(outcomes)) {
      if (seen.has(alias) || seen.size > checkLimits.aliases) continue;
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
  const cut = await check.walk.cutOf(name);
  check.observations.noteZone(name, cut);
  if (!isCut(cut) && cut.differing) return [];
  const outcomes = isCut(cut) ? await askZone(check, cut, name, types) : [];
  if (outcomes.some(({ kind }) => kind !== 'unknown')) return outcomes;
  const answers = await Promise.all(check.resolvers.map((resolver) => askResolver(check, resolver, name, types)));
  return [...outcomes, ...answers.flat()];
}

async function askZone(
  check: Check,
  cut: ZoneCut,
  name: string,
  types: readonly RecordType[],
): Promise<readonly DnsOutcome[]> {
  if (cut.apex === name && check.infrastructure.holds(name)) return askInfrastructure(check, cut, types);
  return (await Promise.all(cut.servers.map((server) => askServer(check, server, name, types)))).flat();
}

async function askServer(
  check: Check,
  server: ZoneServer,
  name: string,
  types: readonly RecordType[],
): Promise<readonly DnsOutcome[]> {
  const { endpoint } = server;
  return Promise.all(
    types.map(async (type) => {
      const response = endpoint ? await check.asking.ask(endpoint, { name, type, recursive: false }) : 'unreachable';
      return note(check, server, { name, type, response });
    }),
  );
}

interface Received {
  readonly name: string;
  readonly type: RecordType;
  readonly response: Parameters<typeof authorityOutcome>[2];
}

function note({ observations }: Check, server: ZoneServer, { name, type, response }: Received): DnsOutcome {
  const { endpoint, delegated, certain } = server;
  const source = endpoint ? `${server.name} (${printEndpoint(endpoint)})` : `${server.name} (no address)`;
  const outcome = authorityOutcome(name, type, response);
  const witness = { address: endpoint?.address ?? null, delegated, certain };
  observations.note(name, 'authorities', { source, witness, type, outcome });
  return outcome;
}

/** At the apex of a registry's own zone: queries two servers, whose answers are shared by all checks. */
async function askInfrastructure(
  check: Check,
  cut: ZoneCut,
  types: readonly RecordType[],
): Promise<readonly DnsOutcome[]> {
  const outcomes = types.map(async (type) => {
    const question = { name: cut.apex, type, recursive: false };
    const usable = (response: Response) => authorityOutcome(cut.apex, type, response).kind !== 'unknown';
    const shared = { parent: cut, question, usable, cacheable: () => true };
    const answers = await check.infrastructure.ask(check.asking, shared);
    return answers.map(({ server, response }) => note(check, server, { name: cut.apex, type, response }));
  });
  return (await Promise.all(outcomes)).flat();
}

async function askResolver(
  { asking, observations }: Check,
  resolver: Endpoint,
  name: string,
  types: readonly RecordType[],
): Promise<readonly DnsOutcome[]> {
  const source = `resolver ${printEndpoint(resolver)}`;
  return Promise.all(
    types.map(async (type) => {
      const response = await asking.ask(resolver, { name, type, recursive: true });
      const outcome = resolverOutcome(name, type, response);
      observations.note(name, 'resolvers', { source, type, outcome });
      return outcome;
    }),
  );
}
