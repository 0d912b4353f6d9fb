import type { Payer } from './fair-share.ts';
import { freeFor } from './fair-share.ts';
import type { OrderLimits, OrderWait } from './order-limits.ts';
import { windowMs } from './order-limits.ts';
import { windowUsage } from './window-usage.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { registrableDomain } from '../hostname.ts';

/** Who waits before a request, as far as that is known. */
export interface PlaceInQueue {
  /** number of requests of the same account that wait for the window and came earlier */
  readonly inAccount: number;
  /** number of requests, of whichever account, that wait for the limit of the same registered domain and came earlier */
  readonly inDomain: number;
}

export const firstInQueue: PlaceInQueue = Object.freeze({ inAccount: 0, inDomain: 0 });

/** Of what is free in a window, orders other than renewals use at most this much: half of what is left in any sixth (fair-share.ts). */
const usable = 6 / 7;

/** More than half of the orders are not taken for repeated ones. */
const mostRepeated = 1 / 2;

interface Competition {
  /** number of the account's requests that come before */
  readonly before: number;
  /** of all accounts that wait, its own included, added up */
  readonly weights: number;
  /** what part of the window's orders failed: so many are made for the same names again */
  readonly failing: number;
}

/**
 * About when the turn of a payer's request comes whose account has others before it: milliseconds since the Unix epoch, never before
 * `firstTurn`, that of the first of them. The account then has its weight's part of what all that wait may use of a window.
 */
export function turnInWindow(
  firstTurn: number,
  limits: OrderLimits,
  { weight, kind }: Pick<Payer, 'weight' | 'kind'>,
  { before, weights, failing }: Competition,
): number {
  const all = Math.max(weights, weight);
  const free = Math.max(1, freeFor(windowUsage([], limits, firstTurn), limits, kind));
  const each = (free * Math.min(all / (1 + all), usable) * (1 - Math.min(mostRepeated, failing)) * weight) / all;
  return Math.round(firstTurn + (before / each) * windowMs(limits.orders));
}

/** Index value of those that wait for the issuer's window. */
export const namespaceQueue = (namespace: string): string => `namespace ${namespace}`;
/** Index value of those that wait for the limit of their registered domain. */
export const domainQueue = (domain: string): string => `domain ${domain}`;

/** Index value of a domain whose request waits for an order: its registered domain's where that is at its limit, else its namespace's. */
export function orderQueueOf({ metadata, spec, status }: ProjectDomain): readonly string[] {
  const { request, waitsFor } = status?.certificate ?? {};
  if (request === undefined) return [];
  const isAtLimit = waitsFor === ('LedgerDomainFull' satisfies OrderWait['reason']);
  return [isAtLimit ? domainQueue(registrableDomain(spec.hostname)) : namespaceQueue(metadata.namespace ?? '')];
}
