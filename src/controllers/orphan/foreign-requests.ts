import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import type { IssuerRef } from '../../issuing/issuer-ref.ts';
import { isNamed, isOrderedHere } from '../../issuing/issuer-ref.ts';
import { denyRequest, undecided } from '../../issuing/request-status.ts';
import { foreignObjection } from '../../issuing/request-mismatch.ts';
import type { ObjectKey } from '../../kubernetes/kubernetes-port.ts';
import { keyOf } from '../../kubernetes/object-keys.ts';
import type { CertificateRequest } from '../../resources/cert-manager-types.ts';
import { certificateNameAnnotation } from '../../resources/cert-manager-types.ts';
import { CertificateKind } from '../../resources/kinds.ts';
import { applyWrites } from '../apply-actions.ts';
import type { ReconcileKeys } from '../reconcile-requests.ts';
import type { Caches, CommonNeeds } from '../needs.ts';
import { orphanKey } from './orphan-keys.ts';

/** Requests of others that name our AcmeIssuer: nobody would ever decide on them. */
export const requestsCache = 'certificateRequests';

const certificateOf = ({ metadata }: CertificateRequest): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: metadata.annotations?.[certificateNameAnnotation] ?? '',
});

/** It waits for a decision about our issuer. */
const concernsUs = (request: CertificateRequest, issuer: IssuerRef): boolean =>
  isOrderedHere(issuer) && isNamed(issuer, request.spec.issuerRef) && undecided([request]).length > 0;

/** The key of a request that, as far as the caches show, is of no Certificate of ours; the reconcile confirms it live. */
export function foreignRequestKeys(
  { certificates }: Pick<Caches, 'certificates'>,
  issuer: IssuerRef,
  request: CertificateRequest,
): ReconcileKeys {
  const isForeign =
    concernsUs(request, issuer) && foreignObjection(request, certificates.get(certificateOf(request))) !== null;
  return isForeign ? { orphan: [orphanKey(requestsCache, keyOf(request))] } : {};
}

/** The same of every request, one at a time. */
export function* allForeignRequests(
  caches: Pick<Caches, 'certificates' | 'certificateRequests'>,
  issuer: IssuerRef,
): Iterable<ReconcileKeys> {
  if (!isOrderedHere(issuer)) return;
  for (const key of caches.certificateRequests.keys()) {
    const request = caches.certificateRequests.get(key);
    yield request ? foreignRequestKeys(caches, issuer, request) : {};
  }
}

/** Denies a request that is of no Certificate of ours: with one write, and without any order. */
export async function denyForeignRequest(dependencies: CommonNeeds, key: ObjectKey): Promise<ReconcileResult> {
  const { caches, cluster, settings, now } = dependencies;
  const request = caches.certificateRequests.get(key);
  if (!request || !concernsUs(request, settings.issuer)) return {};
  const named = certificateOf(request);
  const certificate = named.name === '' ? undefined : await cluster.get(CertificateKind, named);
  const why = foreignObjection(request, certificate ?? undefined);
  if (why === null) return {};
  return applyWrites(dependencies, [denyRequest(request, why, now())]);
}
