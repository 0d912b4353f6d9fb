import { registrableDomain } from '../../rules/hostname.ts';
import type { AskedQuestion, UnknownCause } from '../dns-facts.ts';
import type { AddressRule } from './address-safety.ts';
import { checkLimits, createCheckUsage } from './check-budget.ts';
import { createCheckSilence } from './check-silence.ts';
import type { Endpoint } from './dns-endpoint.ts';
import { printEndpoint } from './dns-endpoint.ts';
import type { Exchange } from './dns-exchange.ts';
import type { Question, Response } from './dns-message.ts';
import { nameFits } from './dns-message.ts';
import type { ServerMemory } from './server-memory.ts';
import type { ServerRates } from './server-rate.ts';
import type { Silence } from './silent-servers.ts';

/** Is another try after so many (1 or 2) worth its packet? Asked when a try has timed out. */
export type Retry = (tries: number) => boolean;

/** The DNS client of one check: vets addresses, enforces the check's budget, retries, and records every query. */
export interface DnsClient {
  /** Resolves to the response, or to why there is none. The same query is sent once per check. */
  query(server: Endpoint, question: Question, retry?: Retry): Promise<Response | UnknownCause>;
  /** False once the lookups for name servers without glue are used up. The same name counts once. */
  mayLookUpServer(name: string): boolean;
  readonly asked: readonly AskedQuestion[];
  /** how many packets were sent so far */
  packets(): number;
  /** what is known of servers' round-trip times */
  readonly memory: ServerMemory;
}

export interface DnsClientOptions {
  readonly exchange: Exchange;
  readonly allowed: AddressRule;
  /** servers that the installation's configuration names; exempt from the limits per server */
  readonly unbounded: AddressRule;
  readonly rates: ServerRates;
  readonly silence: Silence;
  readonly memory: ServerMemory;
  readonly signal: AbortSignal;
  /** milliseconds; monotonic */
  readonly now: () => number;
}

/** Tries of a query; the third only where no server of the zone has answered. */
const mostTries = 3;
/** Timeouts in a row after which a server is not tried again during the check. */
const mostTimeouts = 2;

const upToTwoTries: Retry = (tries) => tries < mostTimeouts;

const isWorthTrying = (timeouts: number, retry: Retry): boolean =>
  timeouts === 0 || (timeouts < mostTries && retry(timeouts));

export function createDnsClient(options: DnsClientOptions): DnsClient {
  const { exchange, allowed, unbounded, rates, silence, memory, now } = options;
  const asked: AskedQuestion[] = [];
  const endsAt = now() + checkLimits.ms;
  const deadline = AbortSignal.any([options.signal, AbortSignal.timeout(checkLimits.ms)]);
  const usage = createCheckUsage(unbounded);
  const here = createCheckSilence();
  const lookups = new Set<string>();
  const answers = new Map<string, Promise<Response | UnknownCause>>();
  /** the one query that is tried again at each server that has not answered anything */
  const probes = new Map<string, Promise<void>>();

  const refusal = ({ address }: Endpoint, { name }: Question): UnknownCause | null => {
    if (!allowed(address)) return 'address-not-allowed';
    if (!nameFits(name) || deadline.aborted) return 'bounds-exceeded';
    return silence.holds(address, registrableDomain(name), now()) ? 'timeout' : null;
  };

  const noteAnswered = (server: Endpoint, question: Question, answered: boolean): void => {
    if (answered) rates.answered(server.address);
    if (!answered && deadline.aborted) return;
    silence.note(server.address, registrableDomain(question.name), { answered, at: now() });
  };

  /** Takes the place of one packet in the budget and in the server's rate; false when there is none. */
  const admitted = async (address: string, allowance: { packet(): boolean }): Promise<boolean> => {
    if (!allowance.packet()) return false;
    const wait = unbounded(address) ? 0 : rates.waitFor(address, { now: now(), until: endsAt });
    if (wait === null) return false;
    await pause(wait, deadline);
    return !deadline.aborted;
  };

  const tryOnce = async (server: Endpoint, question: Question, { attempt, edns }: Try): Promise<Tried> => {
    const allowance = usage.allowance(server.address);
    if (!(await admitted(server.address, allowance))) return { received: 'bounds-exceeded', answered: true };
    const from = now();
    const timeoutMs = Math.min(memory.timeoutMs(server.address, attempt), endsAt - from);
    const received = await exchange(server, question, { signal: deadline, allowance, edns, timeoutMs });
    const response = typeof received === 'string' || usage.admits(received) ? received : 'bounds-exceeded';
    asked.push({
      server: printEndpoint(server),
      question: `${question.name === '' ? '.' : question.name} ${question.type}`,
      outcome: typeof response === 'string' ? response : outcomeOf(response),
      ms: Math.round(now() - from),
    });
    const answered = allowance.heard() || (received !== 'timeout' && received !== 'unreachable');
    if (answered && attempt === 0 && typeof received !== 'string') memory.noteRoundTrip(server.address, now() - from);
    if (answered) here.noteAnswer(server.address);
    else if (received === 'timeout') here.noteTimeout(server.address, { from, to: now() });
    return { received: response, answered };
  };

  /** RFC 6891 section 7: a server that fails EDNS is asked again without, at once; one that drops it, on the next try. */
  const tryBoth = async (server: Endpoint, question: Question, attempt: number): Promise<Tried> => {
    const { address } = server;
    const unproven = attempt > 0 && memory.roundTripMs(address) === undefined;
    const edns = memory.speaksEdns(address, now()) && !unproven;
    const first = await tryOnce(server, question, { attempt, edns });
    const plain =
      edns && isEdnsFailure(first.received) ? await tryOnce(server, question, { attempt, edns: false }) : null;
    const final = plain ?? first;
    const worksWithout =
      (plain !== null || unproven) && typeof final.received !== 'string' && !isEdnsFailure(final.received);
    if (worksWithout) memory.noteWithoutEdns(address, now());
    return final;
  };

  /**
   * To a server that has not answered anything yet only one query at a time is tried again, and the others wait for what
   * becomes of it: a silent server costs few packets.
   */
  const send = async (server: Endpoint, question: Question, retry: Retry): Promise<Response | UnknownCause> => {
    const { address } = server;
    const refused = refusal(server, question);
    if (refused) return refused;
    if (!isWorthTrying(here.timeouts(address), retry)) return 'timeout';
    const probe = Promise.withResolvers<void>();
    for (let attempt = 0; ; attempt += 1) {
      const { received, answered } = await tryBoth(server, question, attempt);
      const tries = Math.max(attempt + 1, here.timeouts(address));
      if (received === 'timeout' && !answered && !deadline.aborted && isWorthTrying(tries, retry)) {
        const other = probes.get(address) ?? null;
        if (other === null && !here.hasAnswered(address)) probes.set(address, probe.promise);
        if (other !== probe.promise) await other;
        if (other === null || other === probe.promise || here.hasAnswered(address)) continue;
      }
      if (probes.get(address) === probe.promise) probes.delete(address);
      probe.resolve();
      noteAnswered(server, question, answered);
      return received;
    }
  };

  return {
    asked,
    memory,
    packets: usage.packets,
    query(server, question, retry = upToTwoTries) {
      const key = `${printEndpoint(server)} ${question.name} ${question.type} ${question.recursive}`;
      const answer = answers.get(key) ?? send(server, question, retry);
      answers.set(key, answer);
      return answer;
    },
    mayLookUpServer(name) {
      lookups.add(name);
      return lookups.size <= checkLimits.gluelessLookups;
    },
  };
}

interface Try {
  readonly attempt: number;
  readonly edns: boolean;
}

interface Tried {
  readonly received: Response | UnknownCause;
  /** false for a timeout and for an unreachable address */
  readonly answered: boolean;
}

/** FORMERR, NOTIMP and BADVERS: what servers without EDNS, or with another version of it, answer (RFC 6891 section 7). */
const isEdnsFailure = (received: Response | UnknownCause): boolean =>
  typeof received !== 'string' && ['RCODE1', 'RCODE4', 'RCODE16'].includes(received.rcode);

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

function outcomeOf({ rcode, answers, authoritative, authorities }: Response): string {
  if (rcode !== 'NOERROR') return rcode.toLowerCase();
  if (answers.length > 0) return answers[0]?.type === 'CNAME' ? 'alias' : 'answer';
  const referral = !authoritative && authorities.some(({ type }) => type === 'NS');
  return referral ? 'referral' : 'nodata';
}
