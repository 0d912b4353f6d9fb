import type { UnknownCause } from '../dns-facts.ts';
import type { CheckSilence } from './check-silence.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import type { Question, Response } from '../wire/dns-message.ts';
import type { QueryResult, QuerySender, QueryTry } from './query-sender.ts';
import type { ServerMemory } from './server-memory.ts';

/** Is another try after so many worth its packet? Asked when a try has timed out. */
export type Retry = (tries: number) => boolean;

export interface QueryRetriesOptions {
  readonly sender: QuerySender;
  readonly memory: ServerMemory;
  readonly silence: CheckSilence;
  readonly deadline: AbortSignal;
  readonly now: () => number;
}

/** Tries of a query, and timeouts in a row after which a server is not queried again during the check. */
const mostTries = 3;

/** Sends a query, and again where a server fails EDNS or does not answer. */
export function createQueryRetries({ sender, memory, silence, deadline, now }: QueryRetriesOptions) {
  const probes = new Map<string, Promise<void>>();

  /**
   * RFC 6891 section 7: a server that fails EDNS is queried without it at once; one that drops it, on the next try. Not
   * where signatures are asked for, which take EDNS.
   */
  const tryOnce = async (
    server: Endpoint,
    question: Question,
    { attempt, isOptional, from }: Omit<QueryTry, 'edns'> & { readonly from: number },
  ): Promise<QueryResult> => {
    const { address } = server;
    const speaksEdns = memory.speaksEdns(address, now());
    const mayDropEdns = question.dnssec === undefined && speaksEdns && attempt > 0 && memory.mayDropEdns(address);
    const edns = question.dnssec !== undefined || (speaksEdns && !mayDropEdns);
    const first = await sender.send(server, question, { attempt, edns, isOptional });
    const isRefused = edns && question.dnssec === undefined && isEdnsFailure(first.received);
    const final = isRefused ? await sender.send(server, question, { attempt, edns: false, isOptional }) : first;
    if (isAnswer(final.received)) noteEdns(address, { isRefused, edns, mayDropEdns, from });
    return final;
  };

  /** What an answer tells about the server's EDNS. */
  const noteEdns = (
    address: string,
    {
      isRefused,
      edns,
      mayDropEdns,
      from,
    }: Readonly<Record<'isRefused' | 'edns' | 'mayDropEdns', boolean>> & { readonly from: number },
  ): void => {
    if (isRefused) memory.noteWithoutEdns(address, now());
    else if (edns) memory.noteEdns(address);
    else if (mayDropEdns) memory.noteDroppedEdns(address, { from, to: now() });
  };

  /**
   * To a server that has not answered anything yet only one query at a time is tried again, and the others wait for what
   * becomes of it: a silent server costs few packets. Resolves to true when the query is to be tried again.
   */
  const takesItsTurn = async (address: string, probe: Promise<void>): Promise<boolean> => {
    const other = probes.get(address);
    if (silence.hasAnswered(address) || other === probe) return true;
    if (other === undefined) {
      probes.set(address, probe);
      return true;
    }
    await other;
    return silence.hasAnswered(address);
  };

  return async (server: Endpoint, question: Question, retry: Retry | null): Promise<QueryResult> => {
    const { address } = server;
    const isOptional = retry === null;
    const isWorthIt = (tries: number) => tries < mostTries && !deadline.aborted && retry !== null && retry(tries);
    /** those of other queries count at a server that has not answered anything */
    const timeouts = () => (silence.hasAnswered(address) ? 0 : silence.timeouts(address));
    if (timeouts() > 0 && !isWorthIt(timeouts())) return { received: 'timeout', answered: false };
    const from = now();
    let result = await tryOnce(server, question, { attempt: 0, isOptional, from });
    if (!isTimeout(result)) return result;
    const { promise: probe, resolve: endProbe } = Promise.withResolvers<void>();
    try {
      for (let attempt = 1; isTimeout(result); attempt += 1) {
        if (!isWorthIt(Math.max(attempt, timeouts())) || !(await takesItsTurn(address, probe))) break;
        result = await tryOnce(server, question, { attempt, isOptional, from });
      }
      if (isTimeout(result) && !isOptional) memory.noteSilence(address);
      return result;
    } finally {
      if (probes.get(address) === probe) probes.delete(address);
      endProbe();
    }
  };
}

const isTimeout = ({ received, answered }: QueryResult): boolean => received === 'timeout' && !answered;

/** FORMERR, NOTIMP and BADVERS: what servers without EDNS, or with another version of it, answer (RFC 6891 section 7). */
const isEdnsFailure = (received: Response | UnknownCause): boolean =>
  typeof received !== 'string' && ['RCODE1', 'RCODE4', 'RCODE16'].includes(received.rcode);

const isAnswer = (received: Response | UnknownCause): boolean =>
  typeof received !== 'string' && !isEdnsFailure(received);
