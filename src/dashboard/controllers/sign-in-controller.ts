import type { Request } from 'express';
import { keyIdOf } from '../../rules/api-key-format.ts';
import type { Decision } from '../../quota/quota-port.ts';
import { sessionSeconds } from '../sessions/sessions-port.ts';
import { signInQuota, wrongTryQuota } from '../../use-cases/quota-admission.ts';
import { callerOf } from '../../use-cases/caller.ts';
import type { Caller } from '../../use-cases/api-dependencies.ts';
import type { DashboardDependencies } from '../dashboard-page.ts';
import { agentOf, setCookie } from '../request-guard.ts';
import { bannedBecause } from '../visitor.ts';

/** A key that was entered: whose it is, or why it opens nothing. */
export type Entered = { readonly caller: Caller } | { readonly problem: string; readonly keyId: string | null };

/** Looks at the key of the form. It is seen here and nowhere else. */
export function readKey({ caches, now }: DashboardDependencies, request: Request): Entered {
  const { key } = (request.body ?? {}) as Record<string, unknown>;
  const given = typeof key === 'string' ? key.trim() : '';
  if (given === '') return { problem: 'enter an API key of your account; it begins with pd_', keyId: null };
  const found = callerOf(caches, given, now());
  if (!('refused' in found)) return { caller: found };
  const keyId = keyIdOf(given);
  const isKnown = keyId !== null && caches.apiKeys.byIndex('keyId', keyId).length > 0;
  return { problem: found.refused, keyId: isKnown ? keyId : null };
}

/** A correct key signs in by a budget of its own, so that nobody else's tries keep it out. */
export const tryQuota = (dependencies: DashboardDependencies, entered: Entered, address: string): Promise<Decision> =>
  'caller' in entered ? signInQuota(dependencies, entered.caller) : wrongTryQuota(dependencies, address, entered.keyId);

/** The API key is exchanged for a session here. */
export async function signIn(
  dependencies: DashboardDependencies,
  request: Request,
  entered: Entered,
): Promise<{ readonly cookie: string } | { readonly problem: string }> {
  if ('problem' in entered) return entered;
  const banned = await bannedBecause(dependencies, entered.caller);
  if (banned !== null) return { problem: banned };
  const { account, keyId = '' } = entered.caller.apiKey.spec;
  const token = await dependencies.sessions.open({ account, keyId, agent: agentOf(request) });
  return { cookie: setCookie(token, sessionSeconds) };
}
