import type { ReconcileResult, WriteAction } from '../controller-runtime/actions.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import { HostnameClaimKind } from '../resources/kinds.ts';
import { refusalOf } from '../rules/write-refusal.ts';
import type { CommonNeeds } from './needs.ts';
import { refusalEvent } from './refused-write.ts';

type Telling = Pick<CommonNeeds, 'refusedWrites' | 'recordEvent'> & {
  readonly caches: { readonly claims: Pick<CommonNeeds['caches']['claims'], 'get'> };
};

/**
 * A reconcile of what is recorded on the claim of this name, write by write: a refusal is told in an Event about the claim, and stands until the
 * reconcile succeeds, so that the hostname's domain can say it. The error is thrown as ever.
 */
export async function tellingRefusals(
  { refusedWrites, recordEvent, caches }: Telling,
  name: string,
  reconcile: () => Promise<ReconcileResult>,
): Promise<ReconcileResult> {
  const claim = caches.claims.get({ namespace: '', name });
  if (!claim || !refusedWrites) return reconcile();
  try {
    const result = await reconcile();
    refusedWrites.done(recording(claim));
    return result;
  } catch (error) {
    const refusal = refusedWrites.hasTold(error) ? null : refusalOf(error);
    if (refusal) recordEvent(refusalEvent(claim, [refusedWrites.refused(recording(claim), refusal, error)]));
    throw error;
  }
}

/** The write that stands for all of them. */
export const recording = (claim: HostnameClaim): WriteAction => ({
  verb: 'replace',
  kind: HostnameClaimKind,
  object: claim,
});
