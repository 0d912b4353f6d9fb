import type { WriteAction } from '../controller-runtime/actions.ts';
import type { CertificateRequest } from '../resources/cert-manager-types.ts';
import { CertificateRequestKind } from '../resources/kinds.ts';

/** Writes all that is ours of a request's status. Fails with a conflict where the request has changed since it was read. */
export function requestStatus(request: CertificateRequest, status: object): WriteAction {
  const { apiVersion, kind } = CertificateRequestKind;
  const { name, namespace, uid, resourceVersion } = request.metadata;
  const metadata = {
    name,
    ...(namespace ? { namespace } : {}),
    ...(uid ? { uid } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
  };
  return { verb: 'applyStatus', kind: CertificateRequestKind, object: { apiVersion, kind, metadata, status } };
}
