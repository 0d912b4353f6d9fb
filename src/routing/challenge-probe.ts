import type { HttpQuestion } from './http-exchange.ts';
import { exchange } from './http-exchange.ts';

/** Where the redirector's Pods listen. */
export interface RedirectorAddresses {
  /** IPv4 or IPv6, of each Pod */
  readonly addresses: readonly string[];
  readonly port: number;
}

const deadlineMs = 2_000;
const userAgent = 'projectdomain-challenge-probe';

/**
 * Those of some challenge paths that every redirector answers with just the text that belongs to each. None where there is no
 * redirector, or one does not answer: the authority may ask any of them.
 */
export async function answeredEverywhere(
  { addresses, port }: RedirectorAddresses,
  hostname: string,
  expected: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const seen = await Promise.all(
    [...expected].map(async ([path, text]) => {
      const answers = await Promise.all(addresses.map((address) => answerOf({ address, port, hostname, path })));
      return answers.every((answer) => answer === text) ? [path] : [];
    }),
  );
  return new Set(seen.flat());
}

/** The text of a 200; null for anything else, and for an answer that does not come. */
async function answerOf(
  question: Pick<HttpQuestion, 'address' | 'port' | 'hostname' | 'path'>,
): Promise<string | null> {
  const reply = await exchange({ ...question, scheme: 'http', userAgent }, AbortSignal.timeout(deadlineMs));
  return reply?.status === 200 ? reply.body : null;
}
