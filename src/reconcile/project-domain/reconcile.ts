import { carryOut } from '../apply.ts';
import type { Outcome } from '../plan.ts';
import type { World } from '../world.ts';
import { parseKey } from '../keys.ts';
import { decide } from './decide.ts';
import { gather } from './gather.ts';
import { observe } from './observe.ts';

/** One visit to one ProjectDomain: gather, observe, decide, carry out, say when to come back. */
export async function reconcileProjectDomain(world: World, key: string, signal: AbortSignal): Promise<Outcome> {
  const domain = world.caches.domains.get(parseKey(key));
  if (!domain || domain.metadata.deletionTimestamp) return {};
  const snapshot = await observe(world, gather(world.caches, world.settings, domain, world.now()), signal);
  return carryOut(world, decide(snapshot));
}
