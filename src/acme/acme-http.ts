import type { Dispatcher } from 'undici';
import { Agent } from 'undici';
import { withinDeadline } from '../lib/deadline.ts';
import { messageOf } from '../lib/error-serializer.ts';
import { AcmeUnavailable } from './acme-errors.ts';
import { problemIn } from './problem-document.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Signer } from './signed-body.ts';
import { signedBody } from './signed-body.ts';

/** What an authority answered with 2xx. */
interface AcmeAnswer {
  readonly text: string;
  readonly location: string | null;
  /** URLs of `Link: rel="alternate"` */
  readonly alternates: readonly string[];
  /** milliseconds that the authority asks us to wait; null when it does not */
  readonly retryAfterMs: number | null;
}

/** Signed requests to one authority. Rejects with AcmeProblem or AcmeUnavailable; retries after `badNonce` alone. */
export interface AcmeHttp {
  get(url: string): Promise<AcmeAnswer>;
  /** A null payload reads (POST-as-GET). */
  post(url: string, payload: object | null, signer: Signer): Promise<AcmeAnswer>;
  close(): Promise<void>;
}

export interface AcmeHttpOptions {
  /** roots to trust instead of the system's, PEM; null for the system's */
  readonly ca: string | null;
  /** where nonces are to be had, once it is known (RFC 8555, section 7.2) */
  readonly newNonce: () => Promise<string>;
  /** milliseconds since the Unix epoch */
  readonly now: () => number;
}

const deadlineMs = 30_000;
/** The longest answer is a chain of certificates. */
const maxBodyBytes = 256 * 1024;
/** Orders run beside each other. Authorities forget old nonces, so that many kept ones would all be refused. */
const keptNonces = 32;
/** RFC 8555, section 6.5: a client should try again, with the nonce of the refusal. */
const tries = 4;

export function createAcmeHttp({ ca, newNonce, now }: AcmeHttpOptions): AcmeHttp {
  const agent = new Agent({
    connections: 16,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: 10_000, ...(ca === null ? {} : { ca }) },
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
  });
  const nonces: string[] = [];

  const send = (method: 'GET' | 'HEAD' | 'POST', url: string, body: string | null) =>
    withinDeadline({ ms: deadlineMs }, async (signal) => {
      try {
        const { origin, pathname, search } = secure(url);
        const path = `${pathname}${search}`;
        const headers = headersOf(body);
        const response = await agent.request({ origin, path, method, headers, body, signal });
        const nonce = header(response, 'replay-nonce');
        if (nonce !== undefined && method !== 'HEAD') nonces.push(nonce);
        nonces.splice(0, nonces.length - keptNonces);
        return { response, nonce, text: await boundedText(response.body) };
      } catch (error) {
        throw new AcmeUnavailable(`${method} ${url}: ${messageOf(error)}`, { cause: error });
      }
    });

  const nextNonce = async (): Promise<string> => {
    const kept = nonces.pop();
    if (kept !== undefined) return kept;
    const url = await newNonce();
    const { nonce } = await send('HEAD', url, null);
    if (nonce === undefined) throw new AcmeUnavailable(`HEAD ${url}: the answer has no Replay-Nonce`);
    return nonce;
  };

  const answerOf = ({ response, text }: Awaited<ReturnType<typeof send>>, method: string, url: string): AcmeAnswer => {
    const wait = retryAfterMs(header(response, 'retry-after'), now());
    const { statusCode: status } = response;
    if (status < 300)
      return {
        text,
        location: header(response, 'location') ?? null,
        alternates: alternatesOf(response),
        retryAfterMs: wait,
      };
    const problem = problemIn(text, { status, retryAfterMs: wait });
    throw problem ?? new AcmeUnavailable(`${method} ${url}: answered with status ${status}`);
  };

  return {
    get: async (url) => answerOf(await send('GET', url, null), 'GET', url),
    async post(url, payload, signer) {
      for (let left = tries - 1; ; left -= 1) {
        const body = signedBody(payload, signer, { url, nonce: await nextNonce() });
        const sent = await send('POST', url, JSON.stringify(body));
        const isRefused =
          problemIn(sent.text, { status: sent.response.statusCode, retryAfterMs: null })?.type === 'badNonce';
        if (!isRefused || left === 0) return answerOf(sent, 'POST', url);
      }
    },
    close: () => agent.destroy(),
  };
}

/** An account's requests are never sent in the clear (RFC 8555, section 6.1). */
function secure(url: string): URL {
  const parsed = new URL(url);
  if (parsed.protocol !== 'https:') throw new Error('the URL must begin with https://');
  return parsed;
}

const headersOf = (body: string | null): Record<string, string> => ({
  'user-agent': 'projectdomain',
  'accept-language': 'en',
  ...(body === null ? {} : { 'content-type': 'application/jose+json' }),
});

function header({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** A link of RFC 8288 and its parameters. */
const link = /<([^>]*)>([^<]*)/g;

function alternatesOf({ headers }: Dispatcher.ResponseData): readonly string[] {
  const links = [headers.link ?? []].flat().flatMap((line) => [...line.matchAll(link)]);
  return links.flatMap(([, url = '', parameters = '']) => (/;\s*rel="?alternate"?/.test(parameters) ? [url] : []));
}

async function boundedText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) throw new Error(`the answer is longer than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
