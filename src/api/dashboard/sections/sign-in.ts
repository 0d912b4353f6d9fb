import type { Request } from 'express';
import { sessionSeconds } from '../../../session/port.ts';
import { callerOf } from '../../caller.ts';
import type { ApiWorld } from '../../world.ts';
import { agentOf, setCookie } from '../guard.ts';
import { bannedBecause } from '../visitor.ts';

/** The API key is exchanged for a session here, and seen no more. */
export async function signIn(
  world: ApiWorld,
  request: Request,
): Promise<{ readonly cookie: string } | { readonly problem: string }> {
  const { key } = (request.body ?? {}) as Record<string, unknown>;
  const given = typeof key === 'string' ? key.trim() : '';
  if (given === '') return { problem: 'enter an API key of your account; it begins with pd_' };
  const caller = callerOf(world.caches, given, world.now());
  if ('refused' in caller) return { problem: caller.refused };
  const banned = await bannedBecause(world, caller);
  if (banned !== null) return { problem: banned };
  const { account, keyId = '' } = caller.apiKey.spec;
  const secret = await world.sessions.open({ account, keyId, agent: agentOf(request) });
  return { cookie: setCookie(secret, sessionSeconds) };
}
