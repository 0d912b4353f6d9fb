import { systemClock } from '../../lib/clock.ts';
import type { AskedQuestion, UnknownCause } from '../dns-facts.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import { printEndpoint } from '../wire/dns-endpoint.ts';
import type { Exchange } from '../wire/dns-exchange.ts';
import type { Question, Response } from '../wire/dns-message.ts';
import type { AddressRule } from './address-safety.ts';
import type { CheckUsage } from './check-budget.ts';
import type { ServerMemory } from './server-memory.ts';
import type { ServerRates } from './server-rate.ts';

/** Is another try after so many worth its packet? Asked when a try has timed out. */
export type Retry = (tries: number) => boolean;

/** How queries are sent, and what is known of servers. */
export interface QueryOptions {
  readonly exchange: Exchange;
  /** servers that the installation's configuration names; exempt from the limits per server */
  readonly unbounded: AddressRule;
  readonly rates: ServerRates;
  readonly memory: ServerMemory;
  /** milliseconds; monotonic */
  readonly now: () => number;
}

/** What the queries of one check share. */
interface QueriesOfCheck extends QueryOptions {
  readonly usage: CheckUsage;
  readonly deadline: AbortSignal;
  readonly endsAt: number;
  /** each try is added to it */
  readonly asked: AskedQuestion[];
}

interface QueryResult {
  readonly received: Response | UnknownCause;
  /** false for a timeout and for an unreachable address */
  readonly answered: boolean;
}

/** The result of a query that the check's limits did not let through: it says nothing about the server. */
export const unsent: QueryResult = Object.freeze({ received: 'bounds-exceeded', answered: false });

interface Try {
  /** counted from 0 */
  readonly attempt: number;
  /** a timeout says nothing about the server */
  readonly isOptional: boolean;
}

interface Tried extends Pick<Try, 'isOptional'>, Pick<QueryResult, 'answered'> {
  readonly from: number;
}

/** Tries of a query, and timeouts in a row after which a server is not queried again during the check. */
const mostTries = 3;

/**
 * Sends queries, each again where a server fails EDNS or does not answer: takes their places in the check's budget and in the server's rate, and
 * records them. Which servers are silent is remembered for the check, so that their silence is paid for once and not with every query.
 */
export function createQueryTries({ exchange, unbounded, rates, memory, now, ...check }: QueriesOfCheck) {
  const { usage, deadline, endsAt, asked } = check;
  /** servers that have answered any query of the check */
  const heard = new Set<string>();
  /** timeouts in a row of the others; those of queries that were in flight together count as one */
  const silent = new Map<string, { readonly timeouts: number; readonly until: number }>();
  const probes = new Map<string, Promise<void>>();

  const timeoutsOf = (address: string): number => (heard.has(address) ? 0 : (silent.get(address)?.timeouts ?? 0));

  /** What came of a try says something about its server. */
  const note = (address: string, message: Response | UnknownCause, { from, answered, isOptional }: Tried): void => {
    if (typeof message !== 'string') memory.noteRoundTrip(address, now() - from);
    if (answered) {
      heard.add(address);
      rates.answered(address);
      return;
    }
    const before = silent.get(address) ?? { timeouts: 0, until: -Infinity };
    if (message !== 'timeout' || isOptional || from < before.until) return;
    silent.set(address, { timeouts: before.timeouts + 1, until: now() });
  };

  /** How long to wait for the server's next slot, milliseconds; null when there is none in time. */
  const waitFor = (address: string): number | null =>
    unbounded(address) ? 0 : rates.waitFor(address, { now: now(), until: endsAt });

  const send = async (
    server: Endpoint,
    question: Question,
    { attempt, isOptional, edns }: Try & { readonly edns: boolean },
  ): Promise<QueryResult> => {
    const { address } = server;
    const allowance = usage.allowance(address);
    const wait = allowance.packet() ? waitFor(address) : null;
    if (wait === null) return unsent;
    if (wait > 0) await systemClock.sleep(wait, deadline).catch(() => undefined);
    const from = now();
    if (deadline.aborted || from >= endsAt) return unsent;
    const timeoutMs = Math.min(question.timeoutMs ?? memory.timeoutMs(address, attempt), endsAt - from);
    const message = await exchange(server, question, { signal: deadline, allowance, edns, timeoutMs });
    const received = typeof message === 'string' || usage.admits(message) ? message : 'bounds-exceeded';
    asked.push({ ...printedQuery(server, question), outcome: outcomeOf(received), ms: Math.round(now() - from) });
    const answered = allowance.heard() || (message !== 'timeout' && message !== 'unreachable');
    note(address, message, { from, answered, isOptional });
    return { received, answered };
  };

  /**
   * RFC 6891 section 7: a server that fails EDNS is queried without it at once; one that drops it, on the next try. Not
   * where signatures are asked for, which take EDNS.
   */
  const tryOnce = async (
    server: Endpoint,
    question: Question,
    { attempt, isOptional, since }: Try & { readonly since: number },
  ): Promise<QueryResult> => {
    const { address } = server;
    const mayDoWithout = question.dnssec === undefined && memory.speaksEdns(address, now());
    const mayDropEdns = mayDoWithout && attempt > 0 && memory.mayDropEdns(address);
    const edns = question.dnssec !== undefined || (mayDoWithout && !mayDropEdns);
    const first = await send(server, question, { attempt, isOptional, edns });
    if (mayDoWithout && edns && isEdnsFailure(first.received))
      return sendWithoutEdns(server, question, { attempt, isOptional });
    if (!isAnswer(first.received)) return first;
    if (edns) memory.noteEdns(address);
    else if (mayDropEdns) memory.noteDroppedEdns(address, { from: since, to: now() });
    return first;
  };

  const sendWithoutEdns = async (server: Endpoint, question: Question, tried: Try): Promise<QueryResult> => {
    const result = await send(server, question, { ...tried, edns: false });
    if (isAnswer(result.received)) memory.noteWithoutEdns(server.address, now());
    return result;
  };

  /**
   * To a server that has not answered anything yet only one query at a time is tried again, and the others wait for what
   * becomes of it: a silent server costs few packets. Resolves to true when the query is to be tried again.
   */
  const takesItsTurn = async (address: string, probe: Promise<void>): Promise<boolean> => {
    const other = probes.get(address);
    if (heard.has(address) || other === probe) return true;
    if (other === undefined) {
      probes.set(address, probe);
      return true;
    }
    await other;
    return heard.has(address);
  };

  return {
    /** Has it answered any query of the check? */
    hasAnswered: (address: string): boolean => heard.has(address),
    /** `retry` null: tried once, as its timeout says nothing about the server. */
    async send(server: Endpoint, question: Question, retry: Retry | null): Promise<QueryResult> {
      const { address } = server;
      const isOptional = retry === null;
      const isWorthIt = (tries: number) => tries < mostTries && !deadline.aborted && retry !== null && retry(tries);
      if (timeoutsOf(address) > 0 && !isWorthIt(timeoutsOf(address))) return { received: 'timeout', answered: false };
      const since = now();
      let result = await tryOnce(server, question, { attempt: 0, isOptional, since });
      if (!isTimeout(result)) return result;
      const { promise: probe, resolve: endProbe } = Promise.withResolvers<void>();
      try {
        for (let attempt = 1; isTimeout(result); attempt += 1) {
          if (!isWorthIt(Math.max(attempt, timeoutsOf(address))) || !(await takesItsTurn(address, probe))) break;
          result = await tryOnce(server, question, { attempt, isOptional, since });
        }
        if (isTimeout(result) && !isOptional) memory.noteSilence(address);
        return result;
      } finally {
        if (probes.get(address) === probe) probes.delete(address);
        endProbe();
      }
    },
  };
}

const isTimeout = ({ received, answered }: QueryResult): boolean => received === 'timeout' && !answered;

/** FORMERR, NOTIMP and BADVERS: what servers without EDNS, or with another version of it, answer (RFC 6891 section 7). */
const isEdnsFailure = (received: Response | UnknownCause): boolean =>
  typeof received !== 'string' && ['RCODE1', 'RCODE4', 'RCODE16'].includes(received.rcode);

const isAnswer = (received: Response | UnknownCause): boolean =>
  typeof received !== 'string' && !isEdnsFailure(received);

/** A query as it is recorded. */
export const printedQuery = (server: Endpoint, { name, type }: Question) => ({
  server: printEndpoint(server),
  question: `${name === '' ? '.' : name} ${type}`,
});

function outcomeOf(received: Response | UnknownCause): string {
  if (typeof received === 'string') return received;
  const { rcode, answers, authoritative, authorities } = received;
  if (rcode !== 'NOERROR') return rcode.toLowerCase();
  if (answers.length > 0) return answers[0]?.type === 'CNAME' ? 'alias' : 'answer';
  const referral = !authoritative && authorities.some(({ type }) => type === 'NS');
  return referral ? 'referral' : 'nodata';
}
