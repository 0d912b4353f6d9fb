import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Decision } from '../../quota/port.ts';
import { quotaOf } from '../admission.ts';
import { openedBy } from '../caller.ts';
import type { ApiWorld, Caller } from '../world.ts';
import { agentOf, csrfOf, secretOf } from './guard.ts';
import type { Visitor } from './page.ts';

/** Why nobody is signed in: null for somebody who has not tried. */
export interface Stranger {
  readonly because: string | null;
}

/** Whose session the cookie opens. Rejects with SessionsUnavailable when that cannot be looked up. */
export async function visitorOf(world: ApiWorld, request: IncomingMessage): Promise<Visitor | Stranger> {
  const secret = secretOf(request);
  if (secret === null) return { because: null };
  const session = await world.sessions.find(secret);
  // Another browser with this cookie is told what one with an invented cookie is told, and ends nothing.
  if (!session || session.agent !== agentOf(request)) return { because: 'your session has ended; sign in again' };
  const { caches } = world;
  const apiKey = caches.apiKeys.byIndex('keyId', session.keyId).find(({ spec }) => spec.account === session.account);
  const caller = openedBy(caches, apiKey, world.now());
  const because = 'refused' in caller ? caller.refused : await bannedBecause(world, caller);
  if (because === null && !('refused' in caller)) return { caller, session, secret, csrf: csrfOf(secret) };
  await world.sessions.end(secret);
  return { because: `${because}; sign in with another key` };
}

/** A sentence while the key is banned, else null; asked only where a ban was written down. */
export async function bannedBecause(world: ApiWorld, caller: Caller): Promise<string | null> {
  const { bannedUntil } = caller.apiKey.status ?? {};
  if (bannedUntil === undefined || Date.parse(bannedUntil) <= world.now()) return null;
  const { ban } = await quotaOf(world, caller, 0);
  if (ban === null) return null;
  return `the API key is banned until ${new Date(ban.until * 1_000).toISOString()}, because requests went on although they were refused`;
}

/** What a session may ask for: pages and actions, apart from the account's API quota. */
const sessionLimits = { perMinute: 120, perDay: null } as const;

export function sessionQuota({ limiter }: ApiWorld, { secret }: Visitor): Promise<Decision> {
  const id = createHash('sha256').update(`budget ${secret}`).digest('base64url').slice(0, 22);
  return limiter.decide({ budget: `s:${id}`, key: null, limits: sessionLimits, liftedAt: null, spend: 1 });
}
