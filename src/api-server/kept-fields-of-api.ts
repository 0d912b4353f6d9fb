import type { Account } from '../generated/account.ts';
import type { Namespace } from '../resources/kubernetes-types.ts';
import { accountLabel } from '../resources/object-metadata.ts';

/** What the API server's caches keep of kinds that it reads and never writes. Fields that are absent stay absent. */

/** Without status, labels and annotations. */
export function keptOfAccount({ apiVersion, kind, metadata, spec }: Account): Account {
  return { apiVersion, kind, metadata: identityOf(metadata), spec };
}

/** Which account it belongs to. */
export function keptOfNamespace({ apiVersion, kind, metadata }: Namespace): Namespace {
  const account = metadata.labels?.[accountLabel];
  const labels = account === undefined ? {} : { labels: { [accountLabel]: account } };
  return { apiVersion, kind, metadata: { ...identityOf(metadata), ...labels } };
}

function identityOf({ name, uid = '', resourceVersion = '', deletionTimestamp }: Account['metadata']) {
  return { name, uid, resourceVersion, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) };
}
