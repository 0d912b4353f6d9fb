import type { ProjectDomain } from '../../generated/project-domain.ts';
import { registrableDomain } from '../hostname.ts';
import type { OrderWait } from './order-limits.ts';

/** Index value of those that wait for the issuer's window. */
export const namespaceQueue = (namespace: string): string => `namespace ${namespace}`;
/** Index value of those that wait for the limit of their registered domain. */
export const domainQueue = (domain: string): string => `domain ${domain}`;

const ofDomain: OrderWait['reason'] = 'LedgerDomainFull';

/** Index value of a domain whose request waits for an order: its registered domain's where that is at its limit, else its namespace's. */
export function orderQueueOf({ metadata, spec, status }: ProjectDomain): readonly string[] {
  const { request, waitsFor } = status?.certificate ?? {};
  if (request === undefined) return [];
  const isAtLimit = waitsFor === ofDomain;
  return [isAtLimit ? domainQueue(registrableDomain(spec.hostname)) : namespaceQueue(metadata.namespace ?? '')];
}
