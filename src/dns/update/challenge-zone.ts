import type { ChallengeZone } from '../challenge-zone.ts';
import { ChallengeZoneFault } from '../challenge-zone.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import { printEndpoint } from '../wire/dns-endpoint.ts';
import { exchange, overStream } from '../wire/dns-exchange.ts';
import { MalformedMessage } from '../wire/wire-name.ts';
import type { TsigKey, TsigResult } from './tsig.ts';
import { signMessage, verifyResponse } from './tsig.ts';
import { encodeUpdate, updateCode } from './update-message.ts';

export interface ChallengeZoneOptions {
  /** in lower case without the trailing dot */
  readonly zone: string;
  /** takes the changes */
  readonly primary: Endpoint;
  /** every server that the authority may ask, the primary among them where it answers the world */
  readonly servers: readonly Endpoint[];
  /** Read before each change, as it may be replaced. */
  readonly key: () => Promise<TsigKey>;
  /** milliseconds since the Unix epoch */
  readonly now: () => number;
}

/** Texts change with each order, and an authority's resolvers may keep the former one for so long, seconds. */
const ttl = 10;
const answerWithinMs = 2_000;

/** Changes the zone by dynamic updates, signed (RFC 2136, RFC 8945). */
export function createChallengeZone({ zone, primary, servers, key, now }: ChallengeZoneOptions): ChallengeZone {
  const nameOf = (label: string) => `${label}.${zone}`;
  /** Why the server did not make a change; null when it did. */
  const refusal = async (update: Buffer): Promise<string | null> => {
    const sharedKey = await key().catch(unreadable);
    const { bytes, mac } = signMessage(update, sharedKey, now());
    try {
      const response = await streamRequest(primary, bytes);
      const code = updateCode(response, update);
      return code === null
        ? 'its answer is not one to an update'
        : refusedWith(code, verifyResponse(response, sharedKey, { mac, now: now() }));
    } catch (error) {
      return error instanceof MalformedMessage ? 'its answer cannot be read' : (error as Error).message;
    }
  };
  const shared = createSharedLabels(async (label, texts) => {
    const fault = await refusal(encodeUpdate({ zone, name: nameOf(label), texts, ttl }));
    if (fault) throw new ChallengeZoneFault(`${printEndpoint(primary)} does not change zone ${zone}: ${fault}`);
  });
  return {
    put: (label, order, texts) => shared.write(label, order, texts),
    async serves(label, order, texts) {
      const signal = AbortSignal.timeout(answerWithinMs);
      const answers = await Promise.all(servers.map((server) => textsAt(server, nameOf(label), signal)));
      const wanted = [...texts, ...shared.others(label, order)].toSorted().join('\n');
      return answers.every((answer) => answer !== null && answer.toSorted().join('\n') === wanted);
    },
  };
}

function unreadable(error: unknown): never {
  throw new ChallengeZoneFault(`the TSIG key cannot be read: ${(error as Error).message}`);
}

/** Why a response to a change is no consent; null where it is. */
function refusedWith(code: string, signature: TsigResult): string | null {
  if (signature === 'valid') return code === 'NOERROR' ? null : code;
  if (signature === 'unsigned') return code === 'NOERROR' ? 'its answer is not signed' : code;
  return signature === 'forged' ? 'the signature of its answer is wrong' : `${code}, ${signature}`;
}

const noBudget = { packet: () => true, bytes: () => true, answered: () => undefined } as const;

/** The texts that a server has at a name; null without a usable answer. */
async function textsAt(server: Endpoint, name: string, signal: AbortSignal): Promise<readonly string[] | null> {
  const question = { name, type: 'TXT', recursive: false } as const;
  const options = { signal, allowance: noBudget, edns: true, timeoutMs: answerWithinMs };
  const response = await exchange(server, question, options);
  if (typeof response === 'string' || !response.authoritative) return null;
  if (response.rcode === 'NXDOMAIN') return [];
  if (response.rcode !== 'NOERROR') return null;
  return response.answers.flatMap((record) => (record.type === 'TXT' && record.name === name ? [record.value] : []));
}

/** The texts of several orders at one label, which are written together: each write replaces what is there. */
interface SharedLabels {
  /** Writes the label anew with these texts of the order, after whatever is being written there. */
  write(label: string, order: string, texts: readonly string[]): Promise<void>;
  /** What other orders have at the label. */
  others(label: string, order: string): readonly string[];
}

/** Remembers a label while an order has texts there, and no longer. */
export function createSharedLabels(write: (label: string, texts: readonly string[]) => Promise<void>): SharedLabels {
  const labels = new Map<string, Map<string, readonly string[]>>();
  const writing = new Map<string, Promise<void>>();

  const keep = (label: string, order: string, texts: readonly string[]) => {
    const orders = labels.get(label) ?? new Map<string, readonly string[]>();
    if (texts.length === 0) orders.delete(order);
    else orders.set(order, texts);
    if (orders.size === 0) labels.delete(label);
    else labels.set(label, orders);
  };
  const textsAt = (label: string, without?: string): readonly string[] =>
    [...(labels.get(label) ?? [])].flatMap(([order, texts]) => (order === without ? [] : texts));

  return {
    async write(label, order, texts) {
      keep(label, order, texts);
      const before = writing.get(label) ?? Promise.resolve();
      // What an earlier write failed by is told to whoever asked for it.
      const own = before.catch(() => undefined).then(() => write(label, textsAt(label)));
      writing.set(label, own);
      try {
        await own;
      } finally {
        if (writing.get(label) === own) writing.delete(label);
      }
    },
    others: textsAt,
  };
}

const deadlineMs = 5_000;
/** An answer to an update has no records but a signature. */
const longestAnswer = 4_096;

/** Sends one message over TCP and resolves to the first one that comes back. Rejects after five seconds, and where nothing comes. */
export async function streamRequest(server: Endpoint, message: Buffer): Promise<Buffer> {
  const signal = AbortSignal.timeout(deadlineMs);
  const received = await overStream(server, message, { admits: (length) => length <= longestAnswer, signal });
  if (Buffer.isBuffer(received)) return received;
  if (received === 'too-long') throw new Error('an answer that is too long');
  if (received === 'closed') throw new Error('the connection was closed without an answer');
  throw signal.aborted ? new Error('no answer within five seconds') : received;
}
