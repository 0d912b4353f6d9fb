import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { CheckRequest, DnsFacts } from '../dns-facts.ts';
import { documentBytes, readFacts } from './check-documents.ts';
import type { VantagePointConfig } from './vantage-point-config.ts';

/** Why a vantage point gave no facts; the operator's metrics have these words. */
export type Silence =
  /** no connection, or it broke */
  | 'unreachable'
  /** no whole answer within the deadline */
  | 'timeout'
  /** its certificate is not valid for its name, or not trusted */
  | 'untrusted'
  /** the token is not accepted there, or cannot be read here */
  | 'unauthorized'
  /** it has as many checks as it takes */
  | 'busy'
  /** any other status */
  | 'failed'
  /** an answer that is too large or not what was asked for */
  | 'malformed';

type Answer =
  { readonly facts: DnsFacts; readonly silence: null } | { readonly facts: null; readonly silence: Silence };

/** A remote vantage point. Never rejects. */
export interface VantagePoint {
  readonly name: string;
  ask(request: CheckRequest, signal: AbortSignal): Promise<Answer>;
}

/** A check there takes at most 6 s, by its own budget. */
const deadlineMs = 8_000;

/** As many as the operator has workers. */
const connections = 64;

/** Asks over HTTPS with the token, on connections that are kept. Redirects are not followed. `late` aborts when an answer has taken too long. */
export function createVantagePoint(
  config: VantagePointConfig,
  late = () => AbortSignal.timeout(deadlineMs),
): VantagePoint {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' });
  return {
    name: config.name,
    async ask(request, signal) {
      const deadline = late();
      const exchange = { config, agent, request, signal: AbortSignal.any([signal, deadline]) };
      const answer = await ask(exchange);
      return answer.facts === null && deadline.aborted ? silent('timeout') : answer;
    },
  };
}

interface Exchange {
  readonly config: VantagePointConfig;
  readonly agent: Agent;
  readonly request: CheckRequest;
  readonly signal: AbortSignal;
}

const silent = (silence: Silence): Answer => ({ facts: null, silence });

async function ask(exchange: Exchange): Promise<Answer> {
  const { tokenFile, caFile } = exchange.config;
  const token = await tokenIn(tokenFile);
  if (token === null) return silent('unauthorized');
  try {
    const ca = caFile === null ? null : await readFile(caFile, 'utf8');
    return await post(exchange, { token, ca });
  } catch {
    return silent('untrusted'); // the roots cannot be read
  }
}

/** The file may hold several tokens, one a line, while they are replaced: the first is sent. */
async function tokenIn(file: string): Promise<string | null> {
  const content = await readFile(file, 'utf8').catch(() => '');
  const [first = ''] = content.trim().split(/\s+/);
  return /^[\x21-\x7e]+$/.test(first) ? first : null;
}

interface Credentials {
  readonly token: string;
  readonly ca: string | null;
}

/** Where a kept connection was closed before it could be used, the request is repeated once, as it changes nothing. */
function post(exchange: Exchange, credentials: Credentials, isAgain = false): Promise<Answer> {
  const { config, agent, request, signal } = exchange;
  const { token, ca } = credentials;
  const body = JSON.stringify(request);
  return new Promise((resolve) => {
    const sent = httpsRequest(new URL('/v1/checks', config.url), {
      agent,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
      signal,
      ...(ca === null ? {} : { ca }),
    });
    let isAnswered = false;
    sent.on('response', (response) => {
      isAnswered = true;
      void factsIn(response, request.hostname).then((answer) => {
        resolve(answer);
        if (!response.complete) sent.destroy();
      });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = sent.reusedSocket && error.code === 'ECONNRESET';
      resolve(isClosed && !isAgain ? post(exchange, credentials, true) : silent(silenceOf(error)));
    });
    // However else the exchange ends, the promise must resolve; a response is read to its end first.
    sent.on('close', () => isAnswered || resolve(silent('unreachable')));
    sent.end(body);
  });
}

const untrusted = /CERT|SIGNATURE|ISSUER|SELF_SIGNED/;

const silenceOf = ({ code }: NodeJS.ErrnoException): Silence =>
  untrusted.test(code ?? '') ? 'untrusted' : 'unreachable';

const silences: ReadonlyMap<number | undefined, Silence> = new Map([
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [429, 'busy'],
  [503, 'busy'],
]);

async function factsIn(response: IncomingMessage, hostname: string): Promise<Answer> {
  if (response.statusCode !== 200) {
    response.resume();
    return silent(silences.get(response.statusCode) ?? 'failed');
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > documentBytes) return silent('malformed');
      parts.push(part);
    }
  } catch {
    return silent('unreachable');
  }
  const facts = readFacts(Buffer.concat(parts).toString('utf8'), hostname);
  return facts === null ? silent('malformed') : { facts, silence: null };
}
