import { withinDeadline } from '../lib/deadline.ts';
import { messageOf } from '../lib/error-serializer.ts';
import { AcmeProblem, AcmeUnavailable } from './acme-errors.ts';
import { problemIn } from './acme-objects.ts';
import type { Signer } from './signed-body.ts';
import { signedBody } from './signed-body.ts';
import type { Dispatcher } from 'undici';
import { Agent } from 'undici';

/** What an authority answered with 2xx. */
interface AcmeAnswer {
  readonly text: string;
  /** absolute; null without one */
  readonly location: string | null;
  /** URLs of `Link: rel="alternate"`, absolute */
  readonly alternates: readonly string[];
  /** milliseconds that the authority asks us to wait; null when it does not */
  readonly retryAfterMs: number | null;
}

/** Signed requests to one authority. Rejects with AcmeProblem or AcmeUnavailable; repeats after `badNonce` alone. */
export interface AcmeHttp {
  get(url: string): Promise<AcmeAnswer>;
  /** A null payload reads (POST-as-GET). */
  post(url: string, payload: object | null, sender: Sender): Promise<AcmeAnswer>;
  close(): Promise<void>;
}

/** Who sends, and until when that may be done. */
interface Sender extends Signer {
  /** milliseconds since the Unix epoch; null or absent for any time */
  readonly before?: number | null;
}

export interface AcmeHttpOptions {
  /** roots to trust instead of those of Node.js, PEM; null for those */
  readonly ca: string | null;
  /** the URL at which nonces are to be had (RFC 8555, section 7.2) */
  readonly newNonce: () => Promise<string>;
  /** milliseconds since the Unix epoch */
  readonly now: () => number;
  /** how long a call may take, with its turn, its nonce and its repetitions */
  readonly deadlineMs: number;
}

/** The longest answer is a chain of certificates. */
const maxBodyBytes = 256 * 1024;
/** Requests at a time, each with a connection; what waits for its turn here has not taken a nonce yet. */
const atATime = 16;
/** Authorities forget old nonces, so that many kept ones would all be refused. */
const keptNonces = 2 * atATime;
/** RFC 8555, section 6.5: a client should try again, with the nonce of the refusal. */
const tries = 4;

interface Sent {
  readonly response: Dispatcher.ResponseData;
  readonly nonce: string | null;
  readonly text: string;
  readonly retryAfterMs: number | null;
  /** of a refusal; null where there is none */
  readonly problem: AcmeProblem | null;
}

export function createAcmeHttp({ ca, newNonce, now, deadlineMs }: AcmeHttpOptions): AcmeHttp {
  const agent = new Agent({
    connections: atATime,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: deadlineMs, ...(ca === null ? {} : { ca }) },
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
  });
  const inTurn = createSlots(atATime);
  const nonces: string[] = [];

  const keep = (nonce: string | null) => {
    if (nonce !== null) nonces.push(nonce);
    nonces.splice(0, nonces.length - keptNonces);
  };

  const send = async (
    method: 'GET' | 'HEAD' | 'POST',
    url: string,
    options: { body: string | null; signal: AbortSignal },
  ): Promise<Sent> => {
    try {
      const { origin, pathname, search } = secure(url);
      const path = `${pathname}${search}`;
      // undici would close the connection after a HEAD.
      const response = await agent.request({
        ...options,
        origin,
        path,
        method,
        headers: headersOf(options.body),
        reset: false,
      });
      const text = await boundedText(response.body);
      const wait = retryAfterMs(header(response, 'retry-after'), now());
      const problem = problemIn(text, { status: response.statusCode, retryAfterMs: wait });
      return { response, nonce: header(response, 'replay-nonce'), text, retryAfterMs: wait, problem };
    } catch (error) {
      throw new AcmeUnavailable(`${method} ${url}: ${messageOf(error)}`, { cause: error });
    }
  };

  const answerOf = ({ response, text, problem, retryAfterMs: wait }: Sent, url: string): AcmeAnswer => {
    const { statusCode: status } = response;
    if (status >= 300)
      throw problem ?? new AcmeUnavailable(`${url}: answered with status ${status}`, { retryAfterMs: wait });
    const location = header(response, 'location');
    return {
      text,
      location: location === null ? null : absolute(location, url),
      alternates: alternatesOf(response).map((one) => absolute(one, url)),
      retryAfterMs: wait,
    };
  };

  const freshNonce = async (url: string, signal: AbortSignal): Promise<string> => {
    const sent = await send('HEAD', url, { body: null, signal });
    if (sent.nonce !== null) return sent.nonce;
    answerOf(sent, url);
    throw new AcmeUnavailable(`${url}: the answer has no Replay-Nonce`);
  };

  const inTime = async <T>(url: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await withinDeadline({ ms: deadlineMs }, (signal) => inTurn(signal, () => work(signal)));
    } catch (error) {
      if (error instanceof AcmeProblem || error instanceof AcmeUnavailable) throw error;
      throw new AcmeUnavailable(`${url}: ${messageOf(error)}`, { cause: error });
    }
  };

  return {
    get: (url) => inTime(url, async (signal) => answerOf(await send('GET', url, { body: null, signal }), url)),
    async post(url, payload, { before = null, ...signer }) {
      const nonceUrl = await newNonce();
      return inTime(url, async (signal) => {
        if (before !== null && now() > before) throw new AcmeUnavailable(`${url}: its turn came too late`);
        let nonce = nonces.pop() ?? (await freshNonce(nonceUrl, signal));
        for (let left = tries - 1; ; left -= 1) {
          const body = JSON.stringify(signedBody(payload, signer, { url, nonce }));
          const sent = await send('POST', url, { body, signal });
          if (sent.problem?.type !== 'badNonce') {
            keep(sent.nonce);
            return answerOf(payload === null ? withAbsence(sent, url) : sent, url);
          }
          if (left === 0) throw new AcmeUnavailable(`${url}: ${tries} nonces were refused`);
          // Within the same turn: where an authority has forgotten one nonce, it has forgotten all that are kept.
          nonces.length = 0;
          nonce = sent.nonce ?? (await freshNonce(nonceUrl, signal));
        }
      });
    },
    close: () => agent.destroy(),
  };
}

const absent: ReadonlySet<number> = new Set([404, 410]);

/**
 * That something is not there is the authority's own word although it gives no problem, where the answer has a nonce (RFC 8555, section 6.5):
 * Pebble does so. Without one it may be a proxy's, in front of an authority that is away.
 */
function withAbsence(sent: Sent, url: string): Sent {
  const { statusCode: status } = sent.response;
  if (sent.problem !== null || sent.nonce === null || !absent.has(status)) return sent;
  const detail = `${url} is not there (status ${status})`;
  const problem = { type: 'about:blank', detail, status, retryAfterMs: sent.retryAfterMs, subproblems: [] };
  return { ...sent, problem: new AcmeProblem(problem) };
}

/** An account's requests are never sent in the clear (RFC 8555, section 6.1). */
function secure(url: string): URL {
  const parsed = new URL(url);
  if (parsed.protocol !== 'https:') throw new Error('the URL must begin with https://');
  return parsed;
}

/** A reference of an answer may be relative (RFC 9110, section 10.2.2; RFC 8288, section 3.1). */
function absolute(reference: string, base: string): string {
  const url = URL.parse(reference, base);
  if (url?.protocol !== 'https:')
    throw new AcmeUnavailable(`${base}: refers to ${reference.slice(0, 200)}, which is not https`);
  return url.href;
}

const headersOf = (body: string | null): Record<string, string> => ({
  'user-agent': 'projectdomain',
  'accept-language': 'en',
  ...(body === null ? {} : { 'content-type': 'application/jose+json' }),
});

function header({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** A link of RFC 8288 and its parameters. */
const link = /<([^<>]*)>([^<]*)/g;

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

/** No authority asks for more than its longest window, and a wrong clock is no reason to wait for ever. */
const longestMs = 7 * 24 * 3_600_000;
/** An HTTP-date (RFC 9110, section 5.6.7) of the form that is sent; `Date.parse` takes far more for a date. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds of a Retry-After header (RFC 9110, section 10.2.3), seconds or a date, a week at most; null without a valid one. */
function retryAfterMs(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1_000, longestMs);
  return httpDate.test(value) ? Math.min(Math.max(Date.parse(value) - now, 0), longestMs) : null;
}

/** So many pieces of work run at a time; the others wait in turn, no longer than their signal. */
type Slots = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();

  const take = (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        waiting.delete(begin);
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(begin);
        reject(signal.reason as Error);
      };
      waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  };
  const giveBack = () => {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  };

  return async (signal, work) => {
    await take(signal);
    try {
      return await work();
    } finally {
      giveBack();
    }
  };
}
