import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { SocketLimits } from '../lib/bounded-server.ts';
import { createBoundedServer } from '../lib/bounded-server.ts';
import { quotaHeaders } from '../quota/quota-port.ts';
import { problemType } from '../server/answer-problem.ts';
import type { AppOptions } from '../server/app-options.ts';
import type { ClientAddress } from '../server/client-address.ts';
import { trustedPeers } from '../server/client-address.ts';
import type { ApiDependencies } from '../use-cases/api-dependencies.ts';
import { Problem } from '../use-cases/problem.ts';
import { addressQuota, refusal } from '../use-cases/quota-admission.ts';
import type { ApiConfig } from './config.ts';

export interface ApiListenerOptions extends Pick<AppOptions, 'dependencies' | 'address'> {
  /** other than the shipped ones */
  readonly limits?: Partial<SocketLimits>;
}

/** Of 5,000 connections; more than a network of people behind one address has. */
const perAddress = 1_000;

/**
 * The server of REST and dashboard, and that of authorize: whatever is sent is answered with the quota's headers. Trusted proxies are exempt
 * from what one address may have, as all their clients come from there; these pay for each request instead.
 */
export const createApiListener = (
  handle: RequestListener,
  { dependencies, address, limits = {} }: ApiListenerOptions,
  { trustedProxies }: Pick<ApiConfig, 'trustedProxies'>,
): Server =>
  createBoundedServer({
    handle,
    refuse: answerBroken(dependencies, address),
    isExempt: trustedPeers(trustedProxies),
    limits: { perAddress, ...limits },
  });

/** What is no request that express could be given. */
interface BrokenRequest {
  readonly reason: 'malformed' | 'headers-too-large' | 'late' | 'tunnel';
  /** its head, where that was read */
  readonly request: IncomingMessage | null;
  readonly peer: string | undefined;
}

/** Spends the address's budget, and resolves to the answer as it goes over the wire: with the usual quota headers, the last of its connection. */
function answerBroken(
  dependencies: ApiDependencies,
  address: ClientAddress,
): (broken: BrokenRequest) => Promise<string> {
  return async ({ reason, request, peer }) => {
    const decision = await addressQuota(dependencies, address(peer, request?.headers ?? {}));
    const problem = refusal(decision) ?? problems[reason]();
    const requestId = randomUUID();
    const body = JSON.stringify(problem.document(requestId));
    const headers = {
      ...quotaHeaders(decision),
      'content-type': problemType,
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'x-request-id': requestId,
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
  };
}

const problems: Readonly<Record<BrokenRequest['reason'], () => Problem>> = {
  malformed: () => new Problem('malformed-request', 'this is not HTTP/1.1'),
  tunnel: () => new Problem('malformed-request', 'this server is no proxy; send no CONNECT'),
  late: () => new Problem('request-timeout', 'send the headers within ten seconds, and the body within five more'),
  'headers-too-large': () => new Problem('headers-too-large', 'the headers may be at most 64 KiB, in 1,000 lines'),
};
