import type { DomainToken, TokenAnswer } from '../../rules/domain-token.ts';
import { tokenPath } from '../../rules/domain-token.ts';
import type { HttpReply } from '../http-exchange.ts';
import { exchange } from '../http-exchange.ts';
import type { TokenLimits } from './token-limits.ts';

interface TokenRequest {
  readonly hostname: string;
  readonly token: DomainToken;
  /** what DNS showed in this check; no name is ever resolved here */
  readonly addresses: readonly string[];
  /** the account whose share the requests are paid from */
  readonly payer: string;
}

/** What came of each address. */
type TokenAnswers = Readonly<Record<string, TokenAnswer>>;

/** Asks for a hostname's token at addresses that are not the platform's. Bounded in time, bytes and rate; never rejects. */
export interface TokenProbe {
  ask(request: TokenRequest, signal: AbortSignal): Promise<TokenAnswers>;
}

export interface TokenProbeOptions {
  /** may a packet be sent to this address? (dns/lookup/address-safety.ts) */
  readonly isAllowed: (address: string) => boolean;
  readonly limits: TokenLimits;
  /** whose installation asks, for the User-Agent */
  readonly platformDomain: string;
  /** called with each answer */
  readonly observe?: (answer: TokenAnswer) => void;
  readonly ports?: { readonly http: number; readonly https: number };
}

/** For all addresses of one request together. */
const deadlineMs = 5_000;

export function createTokenProbe(options: TokenProbeOptions): TokenProbe {
  const { isAllowed, limits, platformDomain, observe, ports = { http: 80, https: 443 } } = options;
  const userAgent = `projectdomain-token-probe (${platformDomain})`;
  const askOne = async (request: TokenRequest, address: string, signal: AbortSignal): Promise<TokenAnswer> => {
    if (!isAllowed(address)) return 'notAllowed';
    const release = limits.take({ address, payer: request.payer });
    if (release === null) return 'busy';
    try {
      return await askForToken({ address, ports, userAgent, hostname: request.hostname, token: request.token }, signal);
    } finally {
      release();
    }
  };
  return {
    async ask(request, signal) {
      const ended = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
      const answers = await Promise.all(
        request.addresses.map(async (address) => [address, await askOne(request, address, ended)] as const),
      );
      for (const [, answer] of answers) observe?.(answer);
      return Object.fromEntries(answers);
    },
  };
}

interface AddressRequest {
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

/**
 * Asks one address for a token, over HTTP first and over HTTPS where a redirect leads there; always the same address and
 * hostname. Certificates are not verified: what matters is who answers, and that the answer says. Never rejects; `signal`
 * must end it.
 */
async function askForToken(request: AddressRequest, signal: AbortSignal): Promise<TokenAnswer> {
  const { address, ports, hostname, userAgent } = request;
  const visited = new Set<string>();
  let place: Place = { scheme: 'http', path: `${tokenPath}${request.token.nonce}` };
  while (visited.size <= redirectsAtMost) {
    visited.add(`${place.scheme} ${place.path}`);
    const reply = await exchange({ ...place, address, port: ports[place.scheme], hostname, userAgent }, signal);
    if (reply === null) return 'silent';
    if (reply.location === null) return answerOf(reply, request.token);
    const next = redirectTo(reply.location, place, hostname);
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

function answerOf({ status, body }: HttpReply, { answer }: DomainToken): TokenAnswer {
  if (status === 200 && body.trim() === answer) return 'token';
  if (status === 401 || status === 403 || status === 429) return 'forbidden';
  if (status === 525 || status === 526) return 'originCertificate';
  return status >= 500 ? 'failing' : 'other';
}
