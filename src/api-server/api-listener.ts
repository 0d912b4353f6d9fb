import type { RequestListener, Server } from 'node:http';
import type { SocketLimits } from '../lib/bounded-server.ts';
import { createBoundedServer } from '../lib/bounded-server.ts';
import { answerBroken } from '../server/broken-request.ts';
import { trustedPeers } from '../server/client-address.ts';
import type { AppOptions } from '../server/app-options.ts';
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
