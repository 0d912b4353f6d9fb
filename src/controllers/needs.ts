import type { Cache, HeadOf, ObjectOf } from '../kubernetes/kubernetes-port.ts';
import type { ObservedRoutes } from '../routing/observed-routes.ts';
import type { Ingress } from '../resources/kubernetes-types.ts';
import type { WatchedKinds } from './watched-kinds.ts';
import type { FailureCounts } from '../rules/domain-state.ts';
import type { ApplyDependencies } from './apply-actions.ts';
import type { PrecedenceIndex } from './precedence-index.ts';
import type { ControllerSettings } from './controller-settings.ts';

/**
 * Addresses that targets resolved to in the last 24 hours: what a flattened record may still show (docs/concepts/
 * dns-rules.md). Times are milliseconds since the Unix epoch.
 */
export interface TargetAddresses {
  of(target: string): readonly string[];
  saw(target: string, addresses: readonly string[]): void;
}

const keptFor = 24 * 3_600_000;

/** Keeps nothing of a target that leads to the platform's configured addresses alone, as those count anyway. */
export function createTargetAddresses(now: () => number, configured: readonly string[]): TargetAddresses {
  const seen = new Map<string, Map<string, number>>();
  const recent = (target: string) => [...(seen.get(target) ?? [])].filter(([, at]) => now() - at <= keptFor);
  return {
    of: (target) => recent(target).map(([address]) => address),
    saw(target, addresses) {
      const others = addresses.filter((address) => !configured.includes(address));
      const kept = new Map([...recent(target), ...others.map((address) => [address, now()] as const)]);
      if (kept.size > 0) seen.set(target, kept);
      else seen.delete(target);
    },
  };
}

/** What observing reads: one cache a kind, filled before anything is decided, and what is kept up to date over them. */
export type Caches = {
  readonly [Name in keyof WatchedKinds]: Cache<ObjectOf<WatchedKinds[Name]>, HeadOf<WatchedKinds[Name]>>;
} & {
  readonly routes: ObservedRoutes;
  /** Ingresses of others, by the index `host` */
  readonly otherIngresses: Pick<Cache<Ingress>, 'byIndex'>;
  readonly precedenceIndex: PrecedenceIndex;
  readonly failureCounts: () => FailureCounts;
};

/** What every controller needs of the outside: what it reads from, and what it writes through. Each folder says what it needs besides. */
export interface CommonNeeds extends ApplyDependencies {
  readonly settings: ControllerSettings;
  readonly caches: Caches;
}
