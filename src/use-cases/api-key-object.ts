import type { ApiKey } from '../generated/api-key.ts';
import type { Intent } from '../kubernetes/kubernetes-port.ts';
import { ApiKeyKind } from '../resources/kinds.ts';
import { drawKey } from '../rules/api-key-format.ts';
import type { Scope } from '../rules/scopes.ts';

/** Whose key it is to be, and what it may do until when. */
export interface ApiKeyRequest {
  readonly account: string;
  readonly scopes: readonly Scope[];
  /** RFC 3339; absent: it does not expire */
  readonly expiresAt?: string | undefined;
}

/** A key that was just drawn: for its owner, once, and as the object that is kept of it. */
export interface DrawnApiKey {
  /** pd_<keyId>_<secret><checksum> */
  readonly key: string;
  readonly keyId: string;
  /** holds the key's hash, and nothing that opens anything */
  readonly object: ApiKey & Intent;
}

/** Draws a key. `random(n)` gives a whole number in [0, n), from a source fit for secrets. */
export function drawApiKey(random: (below: number) => number, request: ApiKeyRequest): DrawnApiKey {
  const { account, scopes, expiresAt } = request;
  const { key, keyId, sha256 } = drawKey(random);
  const { apiVersion, kind } = ApiKeyKind;
  const expiry = expiresAt === undefined ? {} : { expiresAt };
  const spec = { account, keyId, sha256, scopes: [...new Set(scopes)], ...expiry };
  return { key, keyId, object: { apiVersion, kind, metadata: { name: `key-${keyId}` }, spec } };
}
