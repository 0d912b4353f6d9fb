import { watchedKinds } from '../controllers/watched-kinds.ts';
import type { Reflector } from '../kubernetes/reflector.ts';
import { certManagerApiVersion } from '../resources/kinds.ts';

export type Phase = 'syncing' | 'standby' | 'starting' | 'leading';

type Reflectors = ReadonlyMap<string, Pick<Reflector, 'synced' | 'staleness'>>;

/** Kinds of cert-manager: without them no certificate is ordered, and everything else goes on. */
const certManagers: ReadonlySet<string> = new Set(
  Object.entries(watchedKinds).flatMap(([name, { kind }]) => (kind.apiVersion === certManagerApiVersion ? [name] : [])),
);

/** Silence longer than this from the API server is a fault. */
const staleAfterMs = 120_000;

const isSilent = ([, { staleness }]: readonly [string, Pick<Reflector, 'staleness'>]): boolean =>
  staleness() > staleAfterMs;

/**
 * Why the operator is not ready; null when it is. A standby with warm caches is ready too: it can take over at once. That
 * cert-manager is away is its own fault and takes nothing out of service.
 */
export function notReady(reflectors: Reflectors, phase: Phase): string | null {
  const silent = [...reflectors].filter(([name]) => !certManagers.has(name)).filter(isSilent);
  if (silent.length > 0) return `the API server has not spoken of: ${silent.map(([name]) => name).join(', ')}`;
  return phase === 'syncing' || phase === 'starting' ? phase : null;
}

/** Resolves when every kind that the operator cannot do without was listed. */
export async function untilListed(reflectors: Reflectors): Promise<void> {
  await Promise.all([...reflectors].flatMap(([name, { synced }]) => (certManagers.has(name) ? [] : [synced])));
}

/** What is known of cert-manager. */
export interface CertManagerWatch {
  /** Resolves when all of its kinds were listed. */
  readonly listed: Promise<void>;
  /** true until then, and while the API server does not speak of one of them: caches hold nothing, or what once was */
  readonly isAway: () => boolean;
}

export function watchCertManager(reflectors: Reflectors): CertManagerWatch {
  const own = [...reflectors].filter(([name]) => certManagers.has(name));
  let known = false;
  const all = Promise.all(own.map(([, { synced }]) => synced)).then(() => {
    known = true;
  });
  return { listed: all, isAway: () => !known || own.some(isSilent) };
}
