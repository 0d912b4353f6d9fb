import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { Decision } from '../quota/quota-port.ts';
import { keyIdOf } from '../rules/api-key-format.ts';
import type { Caller } from '../use-cases/api-dependencies.ts';
import { callerOf, openedBy } from '../use-cases/caller.ts';
import { quotaOf, signInQuota, wrongTryQuota } from '../use-cases/quota-admission.ts';
import type { DashboardDependencies, Visitor } from './dashboard-page.ts';
import type { SignInRefusal } from './notice.ts';
import { refusalOf } from './notice.ts';
import { agentOf, csrfOf, isNavigation, setCookie, tokenOf } from './request-guard.ts';
import { sessionSeconds } from './sessions/sessions-port.ts';

/** Nobody is signed in. */
interface SignedOut {
  /** null without a session cookie */
  readonly because: SignInRefusal | null;
}

/**
 * The visitor of the cookie's session. One whose key no longer opens anything ends where that is said, so that a page whose script asks first
 * still leads to the reason. Rejects with SessionsUnavailable if the session cannot be looked up.
 */
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
  if (isNavigation(request)) await dependencies.sessions.end(token);
  return { because };
}

/** The key's ban; null without one. The quota is read only if the ApiKey's status has a ban. */
async function banOf(dependencies: DashboardDependencies, caller: Caller): Promise<SignInRefusal | null> {
  const { bannedUntil } = caller.apiKey.status ?? {};
  if (bannedUntil === undefined || Date.parse(bannedUntil) <= dependencies.now()) return null;
  const { ban } = await quotaOf(dependencies, caller, 0);
  if (ban === null) return null;
  return { code: 'banned', at: new Date(ban.until * 1_000).toISOString() };
}

/** An entered key: its caller, or why it is not accepted and the key's id, if a key with that id exists. */
type Entered = { readonly caller: Caller } | { readonly refusal: SignInRefusal; readonly keyId: string | null };

/** Checks the key in the form. It is read here and nowhere else. */
export function readKey({ caches, now }: DashboardDependencies, request: Request): Entered {
  const { key } = (request.body ?? {}) as Record<string, unknown>;
  const given = typeof key === 'string' ? key.trim() : '';
  if (given === '') return { refusal: { code: 'missing' }, keyId: null };
  const found = callerOf(caches, given, now());
  if (!('refused' in found)) return { caller: found };
  const keyId = keyIdOf(given);
  const isKnown = keyId !== null && caches.apiKeys.countByIndex('keyId', keyId) > 0;
  return { refusal: refusalOf(found), keyId: isKnown ? keyId : null };
}

/** Sign-ins with a correct key have a budget of their own, so that nobody else's attempts can lock it out. */
export const tryQuota = (dependencies: DashboardDependencies, entered: Entered, address: string): Promise<Decision> =>
  'caller' in entered ? signInQuota(dependencies, entered.caller) : wrongTryQuota(dependencies, address, entered.keyId);

/** Exchanges the API key for a session. */
export async function signIn(
  dependencies: DashboardDependencies,
  request: Request,
  entered: Entered,
): Promise<{ readonly cookie: string } | { readonly refusal: SignInRefusal }> {
  if ('refusal' in entered) return entered;
  const banned = await banOf(dependencies, entered.caller);
  if (banned !== null) return { refusal: banned };
  const { account, keyId = '' } = entered.caller.apiKey.spec;
  const token = await dependencies.sessions.open({ account, keyId, agent: agentOf(request) });
  return { cookie: setCookie(token, sessionSeconds) };
}
