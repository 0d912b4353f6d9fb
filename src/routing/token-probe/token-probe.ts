import type { DomainToken, TokenAnswer } from '../../rules/domain-token.ts';
import type { TokenLimits } from './token-limits.ts';
import { askForToken } from './token-request.ts';

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
