import { aborted } from '../../lib/clock.ts';
import { registrableDomain } from '../../rules/hostname.ts';
import type { AskedQuestion, UnknownCause } from '../dns-facts.ts';
import type { AddressRule } from './address-safety.ts';
import { checkLimits, createCheckUsage } from './check-budget.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import { printEndpoint } from '../wire/dns-endpoint.ts';
import type { Question, Response } from '../wire/dns-message.ts';
import type { QueryOptions, Retry } from './query-tries.ts';
import { createQueryTries, printedQuery, unsent } from './query-tries.ts';
import type { ServerMemory } from './server-memory.ts';
import type { Silence } from './silent-servers.ts';
import { nameFits } from '../wire/wire-name.ts';

/** The DNS client of one check: vets addresses, enforces the check's budget, retries, and records every query. */
export interface DnsClient {
  /**
   * Resolves to the response, or to why there is none. The same query is sent once per check. `retry` null is for a
   * query that is tried once, and whose timeout says nothing about the server: nor to others who need the answer.
   */
  query(server: Endpoint, question: Question, retry?: Retry | null): Promise<Response | UnknownCause>;
  /** False once the lookups for name servers without glue are used up. The same name counts once. */
  mayLookUpServer(name: string): boolean;
  readonly asked: readonly AskedQuestion[];
  /** how many packets were sent so far, by address */
  readonly packetsTo: ReadonlyMap<string, number>;
  /** The value, or undefined when the check ends first. */
  beforeDeadline<T>(value: Promise<T>): Promise<T | undefined>;
  /** what is known of servers' round-trip times */
  readonly memory: ServerMemory;
}

export interface DnsClientOptions extends QueryOptions {
  readonly allowed: AddressRule;
  readonly silence: Silence;
  readonly signal: AbortSignal;
  /** how long all its queries may take together, milliseconds; a check's time by default */
  readonly ms?: number;
}

const twoTries: Retry = (tries) => tries < 2;

export function createDnsClient(options: DnsClientOptions): DnsClient {
  const { allowed, unbounded, silence, memory, ms = checkLimits.ms, now } = options;
  const endsAt = now() + ms;
  const deadline = abortedAfter(ms, options.signal);
  const usage = createCheckUsage(unbounded);
  const asked: AskedQuestion[] = [];
  const tries = createQueryTries({ ...options, usage, deadline, endsAt, asked });
  const lookups = new Set<string>();
  const answers = new Map<string, Promise<Response | UnknownCause>>();
  /** queries that were tried once and that nobody has needed so far */
  const optional = new Set<string>();
  const notAllowed = new Set<string>();

  const refusal = ({ address }: Endpoint, name: string, domain: string): UnknownCause | null => {
    if (!allowed(address)) return 'address-not-allowed';
    if (!nameFits(name) || deadline.aborted) return 'bounds-exceeded';
    return silence.holds(address, domain, now()) ? 'timeout' : null;
  };

  /** Records an address that must not be queried; once, whatever the questions. */
  const noteNotAllowed = (server: Endpoint, question: Question): void => {
    if (notAllowed.has(server.address)) return;
    notAllowed.add(server.address);
    asked.push({ ...printedQuery(server, question), outcome: 'address-not-allowed', ms: 0 });
  };

  const ask = async (server: Endpoint, question: Question, retry: Retry | null): Promise<Response | UnknownCause> => {
    const { address } = server;
    const domain = registrableDomain(question.name);
    const refused = refusal(server, question.name, domain);
    if (refused === 'address-not-allowed') noteNotAllowed(server, question);
    if (refused) return refused;
    const result = await tries.send(server, question, retry);
    const answered = tries.hasAnswered(address);
    if (result !== unsent && (answered || (retry !== null && !deadline.aborted)))
      silence.note(address, domain, { answered, at: now() });
    return result.received;
  };

  return {
    beforeDeadline: (value) => Promise.race([value, aborted(deadline).then(() => undefined)]),
    asked,
    memory,
    packetsTo: usage.packetsTo,
    query(server, question, retry = twoTries) {
      const key = `${printEndpoint(server)} ${question.name} ${question.type} ${question.recursive} ${question.dnssec} ${question.isAgain}`;
      const known = answers.get(key);
      const isNeededMore = retry !== null && optional.delete(key);
      if (known && !isNeededMore) return known;
      if (retry === null) optional.add(key);
      const answer = known ? askUnlessKnown(known, () => ask(server, question, retry)) : ask(server, question, retry);
      answers.set(key, answer);
      return answer;
    },
    mayLookUpServer(name) {
      lookups.add(name);
      return lookups.size <= checkLimits.gluelessLookups;
    },
  };
}

/** Without a reason an abort makes an error, with the stack of its place, which nobody reads here. */
const over = 'over';

/** Aborts with the signal, or after so many milliseconds; holds nothing of the client until then. */
function abortedAfter(ms: number, signal: AbortSignal): AbortSignal {
  if (signal.aborted) return signal;
  const controller = new AbortController();
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    controller.abort(over);
  };
  const timer = setTimeout(end, ms).unref();
  signal.addEventListener('abort', end, { once: true });
  return controller.signal;
}

async function askUnlessKnown(
  known: Promise<Response | UnknownCause>,
  ask: () => Promise<Response | UnknownCause>,
): Promise<Response | UnknownCause> {
  const received = await known;
  return received === 'timeout' ? ask() : received;
}
