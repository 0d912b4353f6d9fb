import type { DnsFacts, Outcome, RecordType } from '../model/dns-facts.ts';
import type { AddressRule } from './address-safety.ts';
import { addressRule } from './address-safety.ts';
import type { Asking } from './budget.ts';
import { beginAsking, limits } from './budget.ts';
import type { Endpoint } from './endpoint.ts';
import { printEndpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import { exchange as realExchange } from './exchange.ts';
import { createFactBook } from './fact-book.ts';
import type { FactBook } from './fact-book.ts';
import { authorityOutcome, resolverOutcome } from './outcome.ts';
import type { CheckRequest, Dns } from './port.ts';
import type { Walk, ZoneServer } from './walk.ts';
import { createWalk } from './walk.ts';

export interface AskerOptions {
  readonly roots: readonly Endpoint[];
  readonly resolvers: readonly Endpoint[];
  /** addresses and ranges that may be asked although they are not public */
  readonly permitted: readonly string[];
}

/** The Dns port over real sockets. The exchange is a parameter so that faults can be scripted. */
export function createAsker(options: AskerOptions, exchange: Exchange = realExchange): Dns {
  const given = [...options.roots, ...options.resolvers].map(({ address }) => address);
  const allowed: AddressRule = addressRule([...options.permitted, ...given]);
  return {
    async check(request, signal) {
      const asking = beginAsking({ exchange, allowed, signal, now: () => performance.now() });
      const check = {
        asking,
        walk: createWalk(asking, options.roots),
        book: createFactBook(),
        resolvers: options.resolvers,
      };
      await Promise.all([
        lookAtChain(check, request.hostname, ['A', 'AAAA']),
        lookAtChain(check, request.target, ['A', 'AAAA']),
        request.txtName === null ? null : lookAtChain(check, request.txtName, ['TXT']),
        request.caa ? climb(check, request.hostname) : null,
      ]);
      await lookForDoubledZone(check, request);
      return Object.freeze({ hostname: request.hostname, names: check.book.names(), asked: asking.asked });
    },
  };
}

interface Check {
  readonly asking: Asking;
  readonly walk: Walk;
  readonly book: FactBook;
  readonly resolvers: readonly Endpoint[];
}

/** Follows aliases from a name to their end, every server of every zone on the way; each alias seen is followed. */
async function lookAtChain(check: Check, start: string, types: readonly RecordType[]): Promise<void> {
  const seen = new Set([start]);
  const open = [start];
  for (let name = open.shift(); name !== undefined && seen.size <= limits.aliases + 1; name = open.shift()) {
    const outcomes = await lookAt(check, name, types);
    for (const alias of aliasesOf(outcomes)) {
      if (!seen.has(alias)) open.push(alias);
      seen.add(alias);
    }
  }
}

const aliasesOf = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'alias' ? [outcome.record.value] : []));

/** Asks every server of the name's zone; recursive resolvers only where no server of the zone could be reached. */
async function lookAt(check: Check, name: string, types: readonly RecordType[]): Promise<readonly Outcome[]> {
  const cut = await check.walk.cutOf(name);
  check.book.noteZone(name, cut);
  const outcomes = (
    await Promise.all((cut?.servers ?? []).map((server) => askServer(check, server, name, types)))
  ).flat();
  if (outcomes.some(({ kind }) => kind !== 'unknown')) return outcomes;
  const answers = await Promise.all(check.resolvers.map((resolver) => askResolver(check, resolver, name, types)));
  return [...outcomes, ...answers.flat()];
}

async function askServer(
  { asking, book }: Check,
  server: ZoneServer,
  name: string,
  types: readonly RecordType[],
): Promise<readonly Outcome[]> {
  const { endpoint } = server;
  const source = endpoint ? `${server.name} (${printEndpoint(endpoint)})` : `${server.name} (no address)`;
  return Promise.all(
    types.map(async (type) => {
      const response = endpoint ? await asking.ask(endpoint, { name, type, recursive: false }) : 'unreachable';
      const outcome = authorityOutcome(name, type, response);
      book.note(name, 'authorities', { source, type, outcome });
      return outcome;
    }),
  );
}

async function askResolver(
  { asking, book }: Check,
  resolver: Endpoint,
  name: string,
  types: readonly RecordType[],
): Promise<readonly Outcome[]> {
  const source = `resolver ${printEndpoint(resolver)}`;
  return Promise.all(
    types.map(async (type) => {
      const response = await asking.ask(resolver, { name, type, recursive: true });
      const outcome = resolverOutcome(name, type, response);
      book.note(name, 'resolvers', { source, type, outcome });
      return outcome;
    }),
  );
}

/** RFC 8659 section 3: from the name up to its top-level domain, until a name has CAA records; aliases followed at each. */
async function climb(check: Check, hostname: string): Promise<void> {
  const labels = hostname.split('.');
  for (let index = 0; index < labels.length; index += 1) {
    const name = labels.slice(index).join('.');
    await lookAtChain(check, name, ['CAA']);
    if (hasCaa(check.book.names(), name)) return;
  }
}

/** True when some source shows CAA records at the end of the name's chain: nothing above them counts. */
function hasCaa(names: DnsFacts['names'], start: string): boolean {
  let name: string | undefined = start;
  for (let link = 0; name !== undefined && link <= limits.aliases; link += 1) {
    const facts: DnsFacts['names'][string] | undefined = names[name];
    const outcomes: readonly (Outcome | undefined)[] = [...(facts?.authorities ?? []), ...(facts?.resolvers ?? [])].map(
      (view) => view.outcomes.CAA,
    );
    if (outcomes.some((outcome) => outcome?.kind === 'records')) return true;
    const alias: Outcome | undefined = outcomes.find((outcome) => outcome?.kind === 'alias');
    name = alias?.kind === 'alias' ? alias.record.value : undefined;
  }
  return false;
}

/** Forms that append the zone by themselves make `www.example.com.example.com` of a full name: looked for on a no. */
async function lookForDoubledZone(check: Check, { hostname }: CheckRequest): Promise<void> {
  const facts = check.book.names()[hostname];
  const absent = facts?.authorities.some(
    ({ outcomes }) => outcomes.A?.kind === 'nxdomain' || outcomes.A?.kind === 'nodata',
  );
  if (!facts?.zone || !absent) return;
  await lookAt(check, `${hostname}.${facts.zone}`, ['A']);
}
