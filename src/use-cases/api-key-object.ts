import type { ApiKey } from '../generated/api-key.ts';
import type { Intent } from '../kubernetes/kubernetes-port.ts';
import { ApiKeyKind } from '../resources/kinds.ts';
import { drawKey } from '../rules/api-key-format.ts';
import type { Scope } from '../rules/api-key-format.ts';

/** A request for a new key: its account, name, scopes and expiry. */
export interface ApiKeyRequest {
  readonly account: string;
  readonly scopes: readonly Scope[];
  /** what its owner calls it; absent: nothing */
  readonly name?: string | undefined;
  /** RFC 3339; absent: it does not expire */
  readonly expiresAt?: string | undefined;
}

/** A newly generated key: the key itself, which its owner sees once, and the object that is stored. */
export interface DrawnApiKey {
  /** pd_<keyId>_<secret><checksum> */
  readonly key: string;
  readonly keyId: string;
  /** holds only the key's hash, never the key */
  readonly object: ApiKey & Intent;
}

/** Generates a key. `random(n)` returns an integer in [0, n) from a cryptographically secure source. */
export function drawApiKey(random: (below: number) => number, request: ApiKeyRequest): DrawnApiKey {
  const { account, scopes, name, expiresAt } = request;
  const { key, keyId, sha256 } = drawKey(random);
  const { apiVersion, kind } = ApiKeyKind;
  const optional = {
    ...(name === undefined ? {} : { displayName: name }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  const spec = { account, keyId, sha256, scopes: [...new Set(scopes)], ...optional };
  return { key, keyId, object: { apiVersion, kind, metadata: { name: `key-${keyId}` }, spec } };
}
