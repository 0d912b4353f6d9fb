import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Dns } from '../dns/dns-facts.ts';
import { readCheckRequest, requestBytes, documentBytes, writeFacts } from '../dns/vantage/check-documents.ts';
import type { SocketLimits } from '../lib/bounded-server.ts';
import { createBoundedServer } from '../lib/bounded-server.ts';

/** PEM */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CheckServerOptions {
  readonly dns: Dns;
  /** checks at a time */
  readonly atMost: number;
  readonly isAuthorized: (authorization: string | undefined) => boolean;
  readonly answered: (status: number) => void;
  /** called with what a check threw, which it never should */
  readonly failed: (error: unknown) => void;
  /** true once the process is stopping: connections are not kept alive any longer */
  readonly stopping: () => boolean;
  /** null for plain HTTP */
  readonly tls: Certificate | null;
  /** how long a check may take, milliseconds */
  readonly withinMs?: number;
  /** other than the shipped ones */
  readonly limits?: Partial<SocketLimits>;
}

/** The callers are operators, each with a few connections and small heads. */
const socketLimits = { perAddress: 1_000, headBytes: 8_192 };

/** Below the callers' deadline; a check itself takes at most 6 s, by its own budget. */
const checkWithinMs = 7_500;

/** An answer without facts: its status, and the headers beside it. */
interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const refusals = {
  notFound: { status: 404 },
  wrongMethod: { status: 405, headers: { allow: 'POST' } },
  unauthorized: { status: 401, headers: { 'www-authenticate': 'Bearer' } },
  tooLarge: { status: 413 },
  notACheck: { status: 400 },
  busy: { status: 429, headers: { 'retry-after': '1' } },
  late: { status: 504 },
  answerTooLarge: { status: 422 },
  failed: { status: 500 },
} as const satisfies Readonly<Record<string, Refusal>>;

/** Serves POST /v1/checks: a check of one hostname for callers with a token, and what was found as JSON. */
export function createCheckServer(options: CheckServerOptions): Server | TlsServer {
  const { answered, failed, stopping, tls, limits = {} } = options;
  const check = bounded(options);
  const handle: RequestListener = (request, response) => {
    const answering = answerTo(request, response, options, check).catch((error: unknown) => {
      failed(error);
      return refusals.failed;
    });
    void answering.then((answer) => {
      const body = typeof answer === 'string' ? answer : '';
      const { status, headers = {} }: Refusal = typeof answer === 'string' ? { status: 200 } : answer;
      answered(status);
      // What is left of an unwanted body is not read.
      const close = stopping() || !request.complete ? { connection: 'close' } : {};
      response.writeHead(status, {
        ...headers,
        ...close,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
  };
  return createBoundedServer({ handle, tls, limits: { ...socketLimits, ...limits } });
}

type Check = (json: string, signal: AbortSignal) => Promise<string | Refusal>;

/** The document, or why there is none. Nothing of a request is read before its token. */
async function answerTo(
  request: IncomingMessage,
  response: ServerResponse,
  { isAuthorized }: CheckServerOptions,
  check: Check,
): Promise<string | Refusal> {
  if (request.url !== '/v1/checks') return refusals.notFound;
  if (request.method !== 'POST') return refusals.wrongMethod;
  if (!isAuthorized(request.headers.authorization)) return refusals.unauthorized;
  const body = await bodyOf(request);
  if (body === null) return refusals.tooLarge;
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  return check(body, gone.signal);
}

/** Null when the body is too large, or did not arrive whole. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= requestBytes) return void parts.push(part);
      request.pause();
      resolve(null);
    });
    request.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    request.on('close', () => resolve(null));
  });
}

/** A limited number of checks at a time, each within its deadline. */
function bounded({ dns, atMost, withinMs = checkWithinMs }: CheckServerOptions): Check {
  let running = 0;
  return async (json, signal) => {
    const wanted = readCheckRequest(json);
    if (wanted === null) return refusals.notACheck;
    if (running >= atMost) return refusals.busy;
    running += 1;
    try {
      const deadline = AbortSignal.timeout(withinMs);
      const facts = await dns.check(wanted, AbortSignal.any([signal, deadline]));
      if (deadline.aborted) return refusals.late;
      const document = writeFacts(facts);
      return Buffer.byteLength(document) > documentBytes ? refusals.answerTooLarge : document;
    } finally {
      running -= 1;
    }
  };
}

/** The tokens by which callers of a vantage point are known. */
export interface CallerTokens {
  /** Takes those of a file, one a line. Throws when there is none, or one that is too short to be secret. */
  readonly use: (content: string) => void;
  /** Whether an Authorization header carries one of them (RFC 6750 section 2.1); in constant time for each. */
  readonly isAuthorized: (header: string | undefined) => boolean;
}

/** bytes of entropy are not countable, characters are: `openssl rand -hex 32` gives 64 */
const leastCharacters = 32;

/** Nobody is authorized before the first use of a file; what `use` throws leaves the tokens from before. */
export function createCallerTokens(): CallerTokens {
  let digests: readonly Buffer[] = [];
  return {
    use(content) {
      digests = parseTokens(content).map(digest);
    },
    isAuthorized(header) {
      const given = digest(/^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '');
      return digests.map((known) => timingSafeEqual(known, given)).includes(true);
    },
  };
}

function parseTokens(content: string): readonly string[] {
  const tokens = content.split('\n').map((line) => line.trim());
  const given = tokens.filter((token) => token !== '');
  if (given.length === 0) throw new Error('the token file is empty');
  if (given.some((token) => token.length < leastCharacters || !/^[\x21-\x7e]+$/.test(token))) {
    throw new Error(`a token has at least ${leastCharacters} printable characters and no spaces`);
  }
  return given;
}

/** Of equal length whatever is given, as the comparison requires. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
