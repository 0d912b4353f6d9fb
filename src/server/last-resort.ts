import type { ServerResponse } from 'node:http';
import type { ApiDependencies } from '../use-cases/api-dependencies.ts';
import { addressQuota } from '../use-cases/quota-admission.ts';
import { setQuotaHeaders } from './quota-answer.ts';

/** Has a response carry the quota's headers where it failed before anybody was admitted: its address pays. */
export async function ensureQuotaHeaders(
  response: ServerResponse,
  dependencies: ApiDependencies,
  address: string,
): Promise<void> {
  if (response.headersSent || response.hasHeader('x-ratelimit-limit')) return;
  setQuotaHeaders(response, await addressQuota(dependencies, address), true);
}
