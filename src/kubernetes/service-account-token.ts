import type { Transport } from './transport.ts';

/** The ServiceAccount of a token, its lifetime, and the object it is bound to. */
export interface TokenOf {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly lifetimeSeconds: number;
  /** a Secret in the same namespace; deleting exactly this object revokes the token */
  readonly boundTo: { readonly name: string; readonly uid: string };
}

export interface MintedToken {
  readonly token: string;
  /** RFC 3339; may be earlier than requested */
  readonly expiresAt: string;
}

interface TokenRequest {
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}

/** Requests a token of a ServiceAccount (authentication.k8s.io/v1 TokenRequest). Rejects as Transport.call does. */
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
