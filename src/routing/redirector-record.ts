import { ConfigMapKind } from '../resources/kinds.ts';
import type { RedirectorRecord } from '../resources/kubernetes-types.ts';

/** Beside the redirector's own Service. */
export const redirectorRecordName = 'projectdomain-redirector-endpoints';

/** The record with these addresses; `before` is what stands there, whose version must still hold. */
export const redirectorRecord = (
  namespace: string,
  addresses: readonly string[],
  before?: RedirectorRecord,
): RedirectorRecord & { readonly data: { readonly addresses: string } } => ({
  apiVersion: ConfigMapKind.apiVersion,
  kind: ConfigMapKind.kind,
  metadata: { ...before?.metadata, namespace, name: redirectorRecordName },
  data: { addresses: addresses.join(' ') },
});

export const recordedAddresses = (record: RedirectorRecord | undefined): readonly string[] =>
  record?.data?.addresses?.split(' ').filter((address) => address !== '') ?? [];
