import { fullOf } from '../../model/full.ts';
import { carryOut } from '../apply.ts';
import type { Outcome } from '../plan.ts';
import type { World } from '../world.ts';
import { parseKey } from '../keys.ts';
import { decide, wantsProbe } from './decide.ts';
import type { ProjectSnapshot } from './snapshot.ts';
import { gather } from './snapshot.ts';

/** One visit to one Project. That its account is full is the user's matter and a condition, not a fault to be tried again. */
export async function reconcileProject(world: World, key: string, signal: AbortSignal): Promise<Outcome> {
  const project = world.caches.projects.get(parseKey(key));
  if (!project || project.metadata.deletionTimestamp) return {};
  const snapshot = await observe(world, gather(world.caches, world.settings, project, world.now()), signal);
  try {
    return await carryOut(world, decide(snapshot));
  } catch (error) {
    if (fullOf(error) !== 'domains') throw error;
    return carryOut(world, decide(Object.freeze({ ...snapshot, full: true })));
  }
}

async function observe(world: World, snapshot: ProjectSnapshot, signal: AbortSignal): Promise<ProjectSnapshot> {
  const notAfter = snapshot.certificate?.status?.notAfter;
  if (!wantsProbe(snapshot) || !notAfter) return snapshot;
  const probe = await world.probe.ask({ hostname: snapshot.hostname, notAfter }, signal);
  return Object.freeze({ ...snapshot, probe });
}
