import type { Request } from 'express';
import { keyIdOf } from '../../rules/api-key-format.ts';
import type { Decision } from '../../quota/quota-port.ts';
import { sessionSeconds } from '../sessions/sessions-port.ts';
import { signInQuota, wrongTryQuota } from '../../use-cases/quota-admission.ts';
import { callerOf } from '../../use-cases/caller.ts';
import type { Caller } from '../../use-cases/api-dependencies.ts';
import type { DashboardDependencies } from '../dashboard-page.ts';
import { agentOf, setCookie } from '../request-guard.ts';
import type { SignInRefusal } from '../notice.ts';
import { refusalOf } from '../notice.ts';
import { banOf } from '../visitor.ts';

/** An entered key: its caller, or why it is not accepted and the key's id, if a key with that id exists. */
export type Entered = { readonly caller: Caller } | { readonly refusal: SignInRefusal; readonly keyId: string | null };

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
