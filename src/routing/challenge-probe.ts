import { request } from 'node:http';

/** Where the redirector's Pods listen. */
export interface RedirectorAddresses {
  /** IPv4 or IPv6, of each Pod */
  readonly addresses: readonly string[];
  readonly port: number;
}

const deadlineMs = 2_000;
/** A key authorization is a token of 128 characters at most, a dot and a thumbprint of 43. */
const longestAnswer = 256;

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

interface Question {
  readonly address: string;
  readonly port: number;
  readonly hostname: string;
  readonly path: string;
}

/** The text of a 200; null for anything else, and for an answer that does not come. */
function answerOf({ address, port, hostname, path }: Question): Promise<string | null> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(deadlineMs);
    const asked = request({ host: address, port, path, headers: { host: hostname }, agent: false, signal });
    asked.on('error', () => resolve(null));
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('latin1');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > longestAnswer) asked.destroy();
      });
      response.on('error', () => resolve(null));
      response.on('close', () => resolve(response.complete && response.statusCode === 200 ? text : null));
    });
    asked.end();
  });
}
