import type { KubernetesObject } from '../../model/kubernetes.ts';
import { ResourceQuotaKind } from '../../model/kinds.ts';
import { resourceQuota } from '../../routes/resource-quota.ts';
import type { Action } from '../plan.ts';
import { lookAgainAfter } from './look-again.ts';
import type { AccountSnapshot } from './snapshot.ts';

type Quantities = Readonly<Record<string, string>>;

/** What is read of a ResourceQuota (core/v1); `status` is what Kubernetes holds writers to. */
export interface SeenQuota extends KubernetesObject {
  readonly spec?: { readonly hard?: Quantities };
  readonly status?: { readonly hard?: Quantities; readonly used?: Quantities };
}

export interface MaximumStep {
  readonly actions: readonly Action[];
  /** milliseconds since the Unix epoch; null when nothing is waited for */
  readonly revisitAt: number | null;
}

/** Kubernetes does not count our kinds yet; where it never will, old accounts ask seldom. */
const tryAgain = { least: 5_000, most: 300_000 } as const;
/** A quota that was just written is counted within a second or two. */
const lookAgain = 2_000;
/** The controller manager looks for new kinds every half minute. */
const countAgain = 30_000;

const nothing: MaximumStep = Object.freeze({ actions: [], revisitAt: null });

/**
 * Caps on what is made by kubectl. While the plan is unknown the ones of before go on to hold. A quota that is not counted
 * refuses everything: none is made before Kubernetes counts our kinds, and one that came otherwise is taken away. Pure.
 */
export function keepMaximum(snapshot: AccountSnapshot): MaximumStep {
  const { account, namespace, limits, quota, counts, now } = snapshot;
  if (namespace === null || limits === null) return nothing;
  const object = resourceQuota({ namespace, owner: account }, limits.maximum);
  if (quota !== null && refusesAll(quota)) return { actions: [removal(quota)], revisitAt: now + countAgain };
  if (quota === null && !counts) {
    return { actions: [], revisitAt: now + lookAgainAfter(ageMs(snapshot), tryAgain) };
  }
  if (quota === null || !covers(quota.spec?.hard, object.spec.hard)) {
    return { actions: [{ verb: 'apply', kind: ResourceQuotaKind, object }], revisitAt: now + lookAgain };
  }
  return quota.status?.hard === undefined ? { actions: [], revisitAt: now + countAgain } : nothing;
}

function ageMs({ account: { metadata }, now }: AccountSnapshot): number {
  return metadata.creationTimestamp === undefined ? 0 : now - Date.parse(metadata.creationTimestamp);
}

/** Held to numbers whose use is not known (apiserver, admission plugin ResourceQuota: "status unknown for quota"). */
export const refusesAll = ({ status }: SeenQuota): boolean =>
  Object.keys(status?.hard ?? {}).some((name) => status?.used?.[name] === undefined);

const covers = (seen: Quantities | undefined, wanted: Quantities): boolean =>
  Object.entries(wanted).every(([name, count]) => wholeOf(seen?.[name]) === wholeOf(count));

const powers: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6 };

/** A count as the API server writes quantities: 1000 comes back as 1k (apimachinery, resource.Quantity). */
function wholeOf(quantity: string | undefined): number | undefined {
  const [, digits = '', suffix = ''] = /^(\d+)([kM]?)$/.exec(quantity ?? '') ?? [];
  const power = powers[suffix];
  return digits === '' || power === undefined ? undefined : Number(digits) * power;
}

function removal({ metadata }: SeenQuota): Action {
  const { namespace = '', name, uid } = metadata;
  return { verb: 'remove', kind: ResourceQuotaKind, key: { namespace, name }, preconditions: uid ? { uid } : {} };
}
