import type { Transport } from './transport.ts';

/** Whose token, for how long, and what it ends with. */
export interface TokenOf {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly lifetimeSeconds: number;
  /** a Secret of the same namespace: the token is worth nothing once that very object is gone */
  readonly boundTo: { readonly name: string; readonly uid: string };
}

export interface MintedToken {
  readonly token: string;
  /** RFC 3339; may be sooner than asked for */
  readonly expiresAt: string;
}

interface TokenRequest {
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}

/** A token of another ServiceAccount (authentication.k8s.io/v1 TokenRequest). Rejects as a call does. */
export async function mintToken(transport: Transport, of: TokenOf): Promise<MintedToken> {
  const { status } = await transport.call<TokenRequest>({
    method: 'POST',
    path: `/api/v1/namespaces/${of.namespace}/serviceaccounts/${of.serviceAccount}/token`,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {
        expirationSeconds: of.lifetimeSeconds,
        boundObjectRef: { apiVersion: 'v1', kind: 'Secret', ...of.boundTo },
      },
    },
  });
  return { token: status.token, expiresAt: status.expirationTimestamp };
}
