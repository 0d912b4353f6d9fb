import type { AskedQuestion, UnknownCause } from '../model/dns-facts.ts';
import type { AddressRule } from './address-safety.ts';
import type { Endpoint } from './endpoint.ts';
import { printEndpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { Question, Response } from './message.ts';

/** What one check may cost at most (design section 4, rule 5). */
export const limits = Object.freeze({ aliases: 8, serversPerZone: 13, gluelessLookups: 4, packets: 100, ms: 6_000 });

/** Asking within one check: counted, timed, vetted and written down. */
export interface Asking {
  ask(server: Endpoint, question: Question): Promise<Response | UnknownCause>;
  /** False once the share of look-ups for name servers without glue is used up. */
  mayLookUpServer(): boolean;
  readonly asked: readonly AskedQuestion[];
}

export interface AskingOptions {
  readonly exchange: Exchange;
  readonly allowed: AddressRule;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

export function beginAsking({ exchange, allowed, signal, now }: AskingOptions): Asking {
  const asked: AskedQuestion[] = [];
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.ms)]);
  let packets = 0;
  let lookups = 0;
  const answers = new Map<string, Promise<Response | UnknownCause>>();

  const send = async (server: Endpoint, question: Question): Promise<Response | UnknownCause> => {
    if (!allowed(server.address)) return 'address-not-allowed';
    if (packets >= limits.packets || deadline.aborted) return 'bounds-exceeded';
    packets += 1;
    const startedAt = now();
    const response = await exchange(server, question, deadline);
    asked.push({
      server: printEndpoint(server),
      question: `${question.name === '' ? '.' : question.name} ${question.type}`,
      outcome: typeof response === 'string' ? response : outcomeOf(response),
      ms: Math.round(now() - startedAt),
    });
    return response;
  };

  return {
    asked,
    ask(server, question) {
      const key = `${printEndpoint(server)} ${question.name} ${question.type} ${question.recursive}`;
      const answer = answers.get(key) ?? send(server, question);
      answers.set(key, answer);
      return answer;
    },
    mayLookUpServer() {
      lookups += 1;
      return lookups <= limits.gluelessLookups;
    },
  };
}

function outcomeOf({ rcode, answers, authoritative, authorities }: Response): string {
  if (rcode !== 'NOERROR') return rcode.toLowerCase();
  if (answers.length > 0) return answers[0]?.type === 'CNAME' ? 'alias' : 'answer';
  const referral = !authoritative && authorities.some(({ type }) => type === 'NS');
  return referral ? 'referral' : 'nodata';
}
