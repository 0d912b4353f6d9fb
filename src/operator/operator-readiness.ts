import { watchedKinds } from '../controllers/watched-kinds.ts';
import type { Reflector } from '../kubernetes/reflector.ts';
import { certManagerApiVersion } from '../resources/kinds.ts';

export type Phase = 'syncing' | 'standby' | 'starting' | 'leading';

type Reflectors = ReadonlyMap<string, Pick<Reflector, 'synced' | 'staleness'>>;

/** cert-manager's kinds: without them no certificate is ordered, and everything else continues. */
const certManagers: ReadonlySet<string> = new Set(
  Object.entries(watchedKinds).flatMap(([name, { kind }]) => (kind.apiVersion === certManagerApiVersion ? [name] : [])),
);

/** It is a fault when the kube-apiserver sends nothing about a kind for longer than this. */
const staleAfterMs = 120_000;

const isSilent = ([, { staleness }]: readonly [string, Pick<Reflector, 'staleness'>]): boolean =>
  staleness() > staleAfterMs;

/**
 * Why the operator is not ready; null when it is. A standby with warm caches is ready too: it can take over at once. An
 * unavailable cert-manager does not make the operator unready.
 */
export function notReady(reflectors: Reflectors, phase: Phase): string | null {
  const silent = [...reflectors].filter(([name]) => !certManagers.has(name)).filter(isSilent);
  if (silent.length > 0) return `the kube-apiserver has sent nothing about: ${silent.map(([name]) => name).join(', ')}`;
  return phase === 'syncing' || phase === 'starting' ? phase : null;
}

/** Resolves when every kind that the operator cannot do without has been listed. */
export async function untilListed(reflectors: Reflectors): Promise<void> {
  await Promise.all([...reflectors].flatMap(([name, { synced }]) => (certManagers.has(name) ? [] : [synced])));
}

/** Whether cert-manager is available. */
export function watchCertManager(reflectors: Reflectors) {
  const own = [...reflectors].filter(([name]) => certManagers.has(name));
  let isListed = false;
  return {
    /** resolves when all of its kinds have been listed */
    listed: Promise.all(own.map(([, { synced }]) => synced)).then(() => {
      isListed = true;
    }),
    /** true until then, and while the kube-apiserver sends nothing about one of them: the caches are empty or outdated */
    isUnavailable: (): boolean => !isListed || own.some(isSilent),
  };
}
