import type { AskedQuestion, UnknownCause } from '../dns-facts.ts';
import type { AddressRule } from './address-safety.ts';
import type { CheckUsage } from './check-budget.ts';
import type { CheckSilence } from './check-silence.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import { printEndpoint } from '../wire/dns-endpoint.ts';
import type { Exchange } from '../wire/dns-exchange.ts';
import type { Question, Response } from '../wire/dns-message.ts';
import type { ServerMemory } from './server-memory.ts';
import type { ServerRates } from './server-rate.ts';

/** One try of a query. */
export interface QueryTry {
  /** counted from 0 */
  readonly attempt: number;
  readonly edns: boolean;
  /** a timeout says nothing about the server */
  readonly isOptional: boolean;
}

/** The result of a try that the check's limits did not let through: it says nothing about the server. */
export const unsent: QueryResult = Object.freeze({ received: 'bounds-exceeded', answered: false });

export interface QueryResult {
  readonly received: Response | UnknownCause;
  /** false for a timeout and for an unreachable address */
  readonly answered: boolean;
}

export interface QuerySenderOptions {
  readonly exchange: Exchange;
  /** servers that the installation's configuration names; exempt from the limits per server */
  readonly unbounded: AddressRule;
  readonly rates: ServerRates;
  readonly memory: ServerMemory;
  readonly silence: CheckSilence;
  readonly usage: CheckUsage;
  readonly deadline: AbortSignal;
  readonly endsAt: number;
  readonly now: () => number;
}

/** Sends single tries of queries: takes their places in the check's budget and in the server's rate, and records them. */
export interface QuerySender {
  send(server: Endpoint, question: Question, attempt: QueryTry): Promise<QueryResult>;
  /** Records an address that was not queried; once, whatever the questions. */
  refuse(server: Endpoint, question: Question, cause: UnknownCause): void;
  readonly asked: readonly AskedQuestion[];
}

export function createQuerySender(options: QuerySenderOptions): QuerySender {
  const { exchange, memory, silence, usage, deadline, endsAt, now } = options;
  const asked: AskedQuestion[] = [];
  const refused = new Set<string>();

  const note = (address: string, { received, answered }: QueryResult, tried: QueryTry & { from: number }): void => {
    if (answered) silence.noteAnswer(address);
    const isSilent = received === 'timeout' && !answered && !tried.isOptional;
    if (isSilent) silence.noteTimeout(address, { from: tried.from, to: now() });
    if (typeof received !== 'string') memory.noteRoundTrip(address, now() - tried.from);
  };

  return {
    asked,
    refuse(server, question, outcome) {
      if (refused.has(server.address)) return;
      refused.add(server.address);
      asked.push({ server: printEndpoint(server), question: printQuestion(question), outcome, ms: 0 });
    },
    async send(server, question, tried) {
      const { address } = server;
      const { attempt, edns } = tried;
      const allowance = usage.allowance(address);
      const wait = allowance.packet() ? slotOf(options, address) : null;
      if (wait === null) return unsent;
      if (wait > 0) await pause(wait, deadline);
      const from = now();
      if (deadline.aborted || from >= endsAt) return unsent;
      const patience = question.timeoutMs ?? memory.timeoutMs(address, attempt);
      const timeoutMs = Math.min(patience, Math.max(0, endsAt - from));
      const message = await exchange(server, question, { signal: deadline, allowance, edns, timeoutMs });
      const received = typeof message === 'string' || usage.admits(message) ? message : 'bounds-exceeded';
      asked.push({
        server: printEndpoint(server),
        question: printQuestion(question),
        outcome: typeof received === 'string' ? received : outcomeOf(received),
        ms: Math.round(now() - from),
      });
      const answered = allowance.heard() || (message !== 'timeout' && message !== 'unreachable');
      note(address, { received: message, answered }, { ...tried, from });
      return { received, answered };
    },
  };
}

/** Takes the server's next slot; how long to wait for it in milliseconds, null when there is none in time. */
function slotOf({ unbounded, rates, endsAt, now }: QuerySenderOptions, address: string): number | null {
  if (unbounded(address)) return 0;
  const wait = rates.waitFor(address, { now: now(), until: endsAt });
  return wait === null || now() + wait >= endsAt ? null : wait;
}

/** Resolves early, without an error, when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}

const printQuestion = ({ name, type }: Question): string => `${name === '' ? '.' : name} ${type}`;

function outcomeOf({ rcode, answers, authoritative, authorities }: Response): string {
  if (rcode !== 'NOERROR') return rcode.toLowerCase();
  if (answers.length > 0) return answers[0]?.type === 'CNAME' ? 'alias' : 'answer';
  const referral = !authoritative && authorities.some(({ type }) => type === 'NS');
  return referral ? 'referral' : 'nodata';
}
