import { setTimeout as sleep } from 'node:timers/promises';
import { askHttps } from '../../../dev/lib/https.ts';

/** What a hostname answered over HTTPS with its own certificate, or why it did not. */
type Answer = { readonly body: string } | { readonly refused: string };

/** Asks over a connection of its own. */
export type Ask = (hostname: string) => Promise<Answer>;

export const askUnder =
  ({ address, ca }: { readonly address: string; readonly ca: Buffer }): Ask =>
  async (hostname) => {
    try {
      const { status, body } = await askHttps({ address, ca, hostname });
      return status === 200 ? { body } : { refused: String(status) };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return { refused: code ?? message };
    }
  };

/** A hostname and what it is to answer. */
export interface Served {
  readonly hostname: string;
  readonly body: string;
}

export type IsRight = (answer: Answer) => boolean;

export const answersWith =
  (body: string): IsRight =>
  (answer) =>
    'body' in answer && answer.body === body;

/** No route any more: 404, another certificate than its own, or no connection for it. Neither a time-out nor a closed port is such an answer. */
export const isGone: IsRight = (answer) =>
  'refused' in answer && ['404', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ECONNRESET'].includes(answer.refused);

const answeredWithinMs = 300_000;
const shortestPauseMs = 15;
/** The longer it takes, the less often is asked: as part of the time so far, which the figure may be wrong by. */
const pausePart = 0.02;

/** Asks again and again; when the first right answer was there, by performance.now(). One that is repeated at once, as one alone may be chance. */
export async function untilAnswered(ask: Ask, hostname: string, isRight: IsRight): Promise<number> {
  const begunAt = performance.now();
  for (;;) {
    const answer = await ask(hostname);
    const now = performance.now();
    if (isRight(answer) && isRight(await ask(hostname))) return now;
    if (now > begunAt + answeredWithinMs)
      throw new Error(`${hostname}: not answered as it should be; last ${JSON.stringify(answer)}`);
    await sleep(Math.max(shortestPauseMs, (now - begunAt) * pausePart));
  }
}

/** Of hostnames that were asked until each had answered. */
export interface AllAnswered {
  readonly count: number;
  /** by performance.now(); NaN when there was none */
  readonly firstAt: number;
  readonly lastAt: number;
  /** what the last ones that did not answer said instead */
  readonly refused: Readonly<Record<string, number>>;
}

interface AskingAll {
  readonly ask: Ask;
  readonly withinMs: number;
  /** told how many have answered, every ten seconds */
  readonly progress: (count: number) => void;
}

const lanes = 8;
const lanePauseMs = 100;
const progressEveryMs = 10_000;

/** Asks all hostnames, eight at a time, until each has answered rightly once or the time is over. */
export async function untilAllAnswered(
  all: readonly Served[],
  { ask, withinMs, progress }: AskingAll,
): Promise<AllAnswered> {
  const deadline = performance.now() + withinMs;
  const waiting = [...all];
  const refused = new Map<string, string>();
  const seenAt: number[] = [];
  const timer = setInterval(() => progress(seenAt.length), progressEveryMs);
  const lane = async () => {
    for (let one = waiting.shift(); one !== undefined && performance.now() < deadline; one = waiting.shift()) {
      const answer = await ask(one.hostname);
      if (answersWith(one.body)(answer)) {
        seenAt.push(performance.now());
        refused.delete(one.hostname);
        continue;
      }
      refused.set(one.hostname, 'refused' in answer ? answer.refused : 'another body');
      waiting.push(one);
      await sleep(lanePauseMs);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  clearInterval(timer);
  return {
    count: seenAt.length,
    firstAt: seenAt[0] ?? Number.NaN,
    lastAt: seenAt.at(-1) ?? Number.NaN,
    refused: tallied(refused.values()),
  };
}

/** How often there is each. */
export function tallied(all: Iterable<string>): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return Object.fromEntries(counts);
}
