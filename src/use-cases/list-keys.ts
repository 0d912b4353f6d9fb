import type { ApiKey } from '../generated/api-key.ts';
import type { Scope } from '../rules/scopes.ts';
import type { PageRequest, ResultPage } from './pagination.ts';
import { pageOf } from './pagination.ts';
import { useCase } from './use-case.ts';

/** An API key as it is shown: nothing that opens anything, and no hash. Times are RFC 3339. */
export interface KeyView {
  /** the public part of the key */
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly createdAt: string;
  /** exact to five minutes */
  readonly lastUsedAt: string | null;
  readonly bannedUntil: string | null;
}

export const keyView = ({ metadata, spec, status }: ApiKey): KeyView => ({
  id: spec.keyId ?? '',
  scopes: [...spec.scopes],
  expiresAt: spec.expiresAt ?? null,
  createdAt: metadata.creationTimestamp ?? '',
  lastUsedAt: status?.lastUsedAt ?? null,
  bannedUntil: status?.bannedUntil ?? null,
});

/** The account's API keys, by their ids; those that nobody has drawn yet are left out. */
export const listKeys = useCase<PageRequest, ResultPage<KeyView>>('keys:write', ({ dependencies, caller }, page) => {
  const mine = dependencies.caches.apiKeys
    .byIndex('account', caller.account.metadata.name)
    .filter(({ metadata, spec }) => spec.keyId !== undefined && !metadata.deletionTimestamp);
  const { items, nextCursor } = pageOf(mine, ({ spec }) => spec.keyId ?? '', page);
  return { items: items.map(keyView), nextCursor };
});
