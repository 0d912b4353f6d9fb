import type { IncomingMessage } from 'node:http';
import { quotaOf } from '../use-cases/quota-admission.ts';
import { openedBy } from '../use-cases/caller.ts';
import type { Caller } from '../use-cases/api-dependencies.ts';
import type { DashboardDependencies, Visitor } from './dashboard-page.ts';
import { agentOf, csrfOf, tokenOf } from './request-guard.ts';
import type { SignInRefusal } from './notice.ts';
import { refusalOf } from './notice.ts';

/** Nobody is signed in. */
export interface SignedOut {
  /** null without a session cookie */
  readonly because: SignInRefusal | null;
}

/** The visitor of the cookie's session. Rejects with SessionsUnavailable if the session cannot be looked up. */
export async function visitorOf(
  dependencies: DashboardDependencies,
  request: IncomingMessage,
): Promise<Visitor | SignedOut> {
  const token = tokenOf(request);
  if (token === null) return { because: null };
  const session = await dependencies.sessions.find(token);
  // Another browser with this cookie gets the same response as one with a made-up cookie, and does not end the session.
  if (!session || session.agent !== agentOf(request)) return { because: { code: 'session-ended' } };
  const { caches } = dependencies;
  const apiKey = caches.apiKeys.byIndex('keyId', session.keyId).find(({ spec }) => spec.account === session.account);
  const caller = openedBy(caches, apiKey, dependencies.now());
  const because = 'refused' in caller ? refusalOf(caller) : await banOf(dependencies, caller);
  if (because === null && !('refused' in caller)) return { caller, session, token, csrf: csrfOf(token) };
  await dependencies.sessions.end(token);
  return { because };
}

/** The key's ban; null without one. The quota is read only if the ApiKey's status has a ban. */
export async function banOf(dependencies: DashboardDependencies, caller: Caller): Promise<SignInRefusal | null> {
  const { bannedUntil } = caller.apiKey.status ?? {};
  if (bannedUntil === undefined || Date.parse(bannedUntil) <= dependencies.now()) return null;
  const { ban } = await quotaOf(dependencies, caller, 0);
  if (ban === null) return null;
  return { code: 'banned', at: new Date(ban.until * 1_000).toISOString() };
}
