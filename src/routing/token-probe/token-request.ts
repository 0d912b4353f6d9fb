import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { DomainToken, TokenAnswer } from '../../rules/domain-token.ts';
import { tokenPath } from '../../rules/domain-token.ts';

export interface AddressRequest {
  readonly address: string;
  readonly ports: { readonly http: number; readonly https: number };
  readonly hostname: string;
  readonly token: DomainToken;
  readonly userAgent: string;
}

/** What is asked for next, always of the same hostname at the same address. */
interface Place {
  readonly scheme: 'http' | 'https';
  /** path and query */
  readonly path: string;
}

/** Redirects that are followed, from http to https and on. */
const redirectsAtMost = 2;
/** Characters of a redirect's path and query. */
const pathAtMost = 512;
/** Bytes of a body that are read. */
const bodyAtMost = 1_024;
/** Bytes of the header fields that are read. */
const headAtMost = 16_384;
/** Interim answers, such as 103 (Early Hints), that are waited through: a server may send them without end. */
const interimAtMost = 4;

/**
 * Asks one address for a token, over HTTP first and over HTTPS where a redirect leads there; always the same address and
 * hostname. Certificates are not verified: what matters is who answers, and that the answer says. Never rejects; `signal`
 * must end it.
 */
export async function askForToken(request: AddressRequest, signal: AbortSignal): Promise<TokenAnswer> {
  const visited = new Set<string>();
  let place: Place = { scheme: 'http', path: `${tokenPath}${request.token.nonce}` };
  while (visited.size <= redirectsAtMost) {
    visited.add(`${place.scheme} ${place.path}`);
    const reply = await exchange(request, place, signal);
    if (reply === null) return 'silent';
    if (reply.location === null) return answerOf(reply, request.token);
    const next = redirectTo(reply.location, place, request.hostname);
    if (next === null) return 'other';
    if (visited.has(`${next.scheme} ${next.path}`) || isDowngrade(place, next)) return 'redirectLoop';
    if (next.scheme === 'http') return 'other';
    place = next;
  }
  return 'redirectLoop';
}

/**
 * Where a Location leads; null unless it is the same hostname on the scheme's own port, without credentials. A relative one
 * is read as the place's own (RFC 9110 section 10.2.2).
 */
function redirectTo(location: string, from: Place, hostname: string): Place | null {
  const url = URL.parse(location, `${from.scheme}://${hostname}${from.path}`);
  if (url === null || url.hostname !== hostname || url.port !== '' || url.username !== '' || url.password !== '')
    return null;
  const path = `${url.pathname}${url.search}`;
  if (path.length > pathAtMost) return null;
  if (url.protocol === 'http:') return { scheme: 'http', path };
  return url.protocol === 'https:' ? { scheme: 'https', path } : null;
}

const isDowngrade = (from: Place, to: Place): boolean => from.scheme === 'https' && to.scheme === 'http';

interface Reply {
  readonly status: number;
  /** of a redirect; null for every other answer */
  readonly location: string | null;
  /** of a 200; '' for every other answer */
  readonly body: string;
}

function answerOf({ status, body }: Reply, { answer }: DomainToken): TokenAnswer {
  if (status === 200 && body.trim() === answer) return 'token';
  if (status === 401 || status === 403 || status === 429) return 'forbidden';
  if (status === 525 || status === 526) return 'originCertificate';
  return status >= 500 ? 'failing' : 'other';
}

/** One request; null when no answer came. */
function exchange(request: AddressRequest, place: Place, signal: AbortSignal): Promise<Reply | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    const sent = send(request, place, signal);
    sent.on('response', (response) => void readReply(response).then(resolve, () => resolve(null)));
    let interim = 0;
    sent.on('information', () => {
      interim += 1;
      if (interim > interimAtMost) sent.destroy();
    });
    // A change of protocol is an answer, and none of ours.
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ status: 101, location: null, body: '' });
    });
    sent.on('error', () => resolve(null));
    sent.on('close', () => resolve(null));
    sent.end();
  });
}

function send(
  { address, ports, hostname, userAgent }: AddressRequest,
  { scheme, path }: Place,
  signal: AbortSignal,
): ClientRequest {
  const options: RequestOptions = {
    host: address,
    path,
    method: 'GET',
    headers: { host: hostname, 'user-agent': userAgent, accept: 'text/plain' },
    agent: false,
    maxHeaderSize: headAtMost,
    signal,
  };
  return scheme === 'http'
    ? httpRequest({ ...options, port: ports.http })
    : httpsRequest({ ...options, port: ports.https, servername: hostname, rejectUnauthorized: false });
}

/** The body of a 200 alone is read, and no more of it than an answer of ours may have. Closes the connection. */
async function readReply(response: IncomingMessage): Promise<Reply> {
  const { statusCode: status = 0, headers } = response;
  const isRedirect = status >= 300 && status < 400;
  try {
    const body = status === 200 ? await readBody(response) : '';
    return { status, location: isRedirect ? (headers.location ?? null) : null, body };
  } finally {
    response.destroy();
  }
}

/** '' for a body that is too long. */
async function readBody(response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > bodyAtMost) return '';
  }
  return Buffer.concat(chunks).toString();
}
