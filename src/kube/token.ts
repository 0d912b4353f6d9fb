import type { Transport } from './transport.ts';

/** Whose token, and for how long. */
export interface TokenOf {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly lifetimeSeconds: number;
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
      spec: { expirationSeconds: of.lifetimeSeconds },
    },
  });
  return { token: status.token, expiresAt: status.expirationTimestamp };
}
