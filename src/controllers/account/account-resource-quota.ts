import { removeAction } from '../../controller-runtime/actions.ts';
import { ResourceQuotaKind } from '../../resources/kinds.ts';
import { resourceQuota } from './resource-quota-manifest.ts';
import type { WriteAction } from '../../controller-runtime/actions.ts';
import type { AccountSnapshot, ObservedQuota, Quantities } from './account-snapshot.ts';

/** The bounds on a wait; milliseconds. */
export interface BackoffBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * How long to wait before looking again at what somebody else has to mend: half of how long it has been so, within the
 * bounds. Thousands of accounts that wait for one administrator then cost little, and what is new is seen soon. Milliseconds.
 */
export const requeueBackoffMs = (lastedMs: number, { least, most }: BackoffBounds): number =>
  Math.min(most, Math.max(least, lastedMs / 2));

export interface ResourceQuotaStep {
  readonly writes: readonly WriteAction[];
  /** milliseconds since the Unix epoch; null when nothing is waited for */
  readonly requeueAt: number | null;
}

/** Kubernetes does not count our kinds yet; where it never will, old accounts ask seldom. */
const retryBounds = { least: 5_000, most: 300_000 } as const;
/** A quota that was just written is counted within a second or two. */
const recheckMs = 2_000;
/** The controller manager looks for new kinds every half minute. */
const recountMs = 30_000;

const nothing: ResourceQuotaStep = Object.freeze({ writes: [], requeueAt: null });

/**
 * Caps on what is made by kubectl. While the plan is unknown the ones of before go on to hold. A quota that is not counted
 * refuses everything: none is made before Kubernetes counts our kinds, and one that came otherwise is taken away. Pure.
 */
export function decideResourceQuota(snapshot: AccountSnapshot): ResourceQuotaStep {
  const { account, namespace, limits, quota, areQuotasCounted, now } = snapshot;
  if (namespace === null || limits === null) return nothing;
  const object = resourceQuota({ namespace, owner: account }, limits.maximum);
  if (quota !== null && refusesAll(quota))
    return { writes: [removeAction(ResourceQuotaKind, quota)], requeueAt: now + recountMs };
  if (quota === null && !areQuotasCounted) {
    return { writes: [], requeueAt: now + requeueBackoffMs(ageMs(snapshot), retryBounds) };
  }
  if (quota === null || !covers(quota.spec?.hard, object.spec.hard)) {
    return { writes: [{ verb: 'apply', kind: ResourceQuotaKind, object }], requeueAt: now + recheckMs };
  }
  return quota.status?.hard === undefined ? { writes: [], requeueAt: now + recountMs } : nothing;
}

function ageMs({ account: { metadata }, now }: AccountSnapshot): number {
  return metadata.creationTimestamp === undefined ? 0 : now - Date.parse(metadata.creationTimestamp);
}

/** Held to numbers whose use is not known (apiserver, admission plugin ResourceQuota: "status unknown for quota"). */
export const refusesAll = ({ status }: ObservedQuota): boolean =>
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
