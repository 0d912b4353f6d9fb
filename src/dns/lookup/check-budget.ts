import type { AskedQuestion, UnknownCause } from '../dns-facts.ts';
import { registrableDomain } from '../../rules/hostname.ts';
import type { AddressRule } from './address-safety.ts';
import type { Endpoint } from './dns-endpoint.ts';
import { printEndpoint } from './dns-endpoint.ts';
import type { Allowance, Exchange } from './dns-exchange.ts';
import type { Question, Response } from './dns-message.ts';
import { nameFits } from './dns-message.ts';
import type { ServerRates } from './server-rate.ts';
import type { Silence } from './silent-servers.ts';

/** What one check may cost at most. Retries, also those over TCP, count as packets. */
export const checkLimits = Object.freeze({
  aliases: 8,
  serversPerZone: 13,
  gluelessLookups: 4,
  packets: 100,
  packetsPerServer: 40,
  records: 4_096,
  bytes: 524_288,
  ms: 6_000,
});

/** Sends the questions of one check: addresses vetted, budget enforced, every exchange recorded. */
export interface Asking {
  ask(server: Endpoint, question: Question): Promise<Response | UnknownCause>;
  /** False once the lookups for name servers without glue are used up. The same name counts once. */
  mayLookUpServer(name: string): boolean;
  readonly asked: readonly AskedQuestion[];
  /** how many packets were sent so far */
  packets(): number;
}

export interface AskingOptions {
  readonly exchange: Exchange;
  readonly allowed: AddressRule;
  /** servers that the installation's configuration names; exempt from the limits per server */
  readonly unbounded: AddressRule;
  readonly rates: ServerRates;
  readonly silence: Silence;
  readonly signal: AbortSignal;
  /** milliseconds; monotonic */
  readonly now: () => number;
}

export function beginAsking(options: AskingOptions): Asking {
  const { exchange, allowed, unbounded, rates, silence, now } = options;
  const asked: AskedQuestion[] = [];
  const endsAt = now() + checkLimits.ms;
  const deadline = AbortSignal.any([options.signal, AbortSignal.timeout(checkLimits.ms)]);
  const used = createUsage(unbounded);
  const lookups = new Set<string>();
  const answers = new Map<string, Promise<Response | UnknownCause>>();

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

  const send = async (server: Endpoint, question: Question): Promise<Response | UnknownCause> => {
    const refused = refusal(server, question);
    if (refused) return refused;
    const allowance = used.allowance(server.address);
    if (!allowance.packet()) return 'bounds-exceeded';
    const wait = unbounded(server.address) ? 0 : rates.waitFor(server.address, now());
    if (now() + wait >= endsAt) return 'bounds-exceeded';
    await pause(wait, deadline);
    if (deadline.aborted) return 'bounds-exceeded';
    const startedAt = now();
    const received = await exchange(server, question, deadline, allowance);
    const response = typeof received === 'string' || used.admits(received) ? received : 'bounds-exceeded';
    asked.push({
      server: printEndpoint(server),
      question: `${question.name === '' ? '.' : question.name} ${question.type}`,
      outcome: typeof response === 'string' ? response : outcomeOf(response),
      ms: Math.round(now() - startedAt),
    });
    noteAnswered(server, question, allowance.heard() || (received !== 'timeout' && received !== 'unreachable'));
    return response;
  };

  return {
    asked,
    packets: used.packets,
    ask(server, question) {
      const key = `${printEndpoint(server)} ${question.name} ${question.type} ${question.recursive}`;
      const answer = answers.get(key) ?? send(server, question);
      answers.set(key, answer);
      return answer;
    },
    mayLookUpServer(name) {
      lookups.add(name);
      return lookups.size <= checkLimits.gluelessLookups;
    },
  };
}

/** Counts what a check uses: packets, packets to each server, bytes, records. */
function createUsage(unbounded: AddressRule) {
  const toServer = new Map<string, number>();
  let [packets, bytes, records] = [0, 0, 0];
  return {
    packets: () => packets,
    allowance: (address: string): Allowance & { heard(): boolean } => {
      let heard = false;
      return {
        heard: () => heard,
        packet() {
          const sent = toServer.get(address) ?? 0;
          if (packets >= checkLimits.packets || (sent >= checkLimits.packetsPerServer && !unbounded(address)))
            return false;
          packets += 1;
          toServer.set(address, sent + 1);
          return true;
        },
        bytes(count) {
          heard = true;
          bytes += count;
          return bytes <= checkLimits.bytes;
        },
      };
    },
    admits(response: Response) {
      records += response.answers.length + response.authorities.length + response.additionals.length;
      return records <= checkLimits.records;
    },
  };
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

function outcomeOf({ rcode, answers, authoritative, authorities }: Response): string {
  if (rcode !== 'NOERROR') return rcode.toLowerCase();
  if (answers.length > 0) return answers[0]?.type === 'CNAME' ? 'alias' : 'answer';
  const referral = !authoritative && authorities.some(({ type }) => type === 'NS');
  return referral ? 'referral' : 'nodata';
}
