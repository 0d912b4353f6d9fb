import type { IncomingMessage } from 'node:http';
import { quotaOf } from '../use-cases/quota-admission.ts';
import { openedBy } from '../use-cases/caller.ts';
import type { Caller } from '../use-cases/api-dependencies.ts';
import type { DashboardDependencies, Visitor } from './dashboard-page.ts';
import { agentOf, csrfOf, tokenOf } from './request-guard.ts';

/** Why nobody is signed in: null for somebody who has not tried. */
export interface Stranger {
  readonly because: string | null;
}

/** Whose session the cookie opens. Rejects with SessionsUnavailable when that cannot be looked up. */
export async function visitorOf(
  dependencies: DashboardDependencies,
  request: IncomingMessage,
): Promise<Visitor | Stranger> {
  const token = tokenOf(request);
  if (token === null) return { because: null };
  const session = await dependencies.sessions.find(token);
  // Another browser with this cookie is told what one with an invented cookie is told, and ends nothing.
  if (!session || session.agent !== agentOf(request)) return { because: 'your session has ended; sign in again' };
  const { caches } = dependencies;
  const apiKey = caches.apiKeys.byIndex('keyId', session.keyId).find(({ spec }) => spec.account === session.account);
  const caller = openedBy(caches, apiKey, dependencies.now());
  const because = 'refused' in caller ? caller.refused : await bannedBecause(dependencies, caller);
  if (because === null && !('refused' in caller)) return { caller, session, token, csrf: csrfOf(token) };
  await dependencies.sessions.end(token);
  return { because: `${because}; sign in with another key` };
}

/** A sentence while the key is banned, else null; asked only where a ban was written down. */
export async function bannedBecause(dependencies: DashboardDependencies, caller: Caller): Promise<string | null> {
  const { bannedUntil } = caller.apiKey.status ?? {};
  if (bannedUntil === undefined || Date.parse(bannedUntil) <= dependencies.now()) return null;
  const { ban } = await quotaOf(dependencies, caller, 0);
  if (ban === null) return null;
  return `the API key is banned until ${new Date(ban.until * 1_000).toISOString()}, because requests went on although they were refused`;
}
