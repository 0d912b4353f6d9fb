/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * A key to the platform's API. Only its hash is kept.
 */
export interface ApiKey {
  apiVersion: string;
  kind: string;
  metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly {
      readonly apiVersion: string;
      readonly kind: string;
      readonly name: string;
      readonly uid: string;
      readonly controller?: boolean;
    }[];
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
  };
  /**
   * Whose key it is and what it opens.
   */
  spec: {
    /**
     * Name of an Account.
     */
    account: string;
    /**
     * What the key may do.
     *
     * @minItems 1
     * @maxItems 8
     */
    scopes: ('domains:read' | 'domains:write' | 'keys:write')[];
    /**
     * From when on the key is refused.
     */
    expiresAt?: string;
    /**
     * The public part of the key.
     */
    keyId?: string;
    /**
     * SHA-256 of the whole key, in hexadecimal.
     */
    sha256?: string;
  };
  /**
   * Written by the operator and the API server.
   */
  status?: {
    /**
     * At most every five minutes.
     */
    lastUsedAt?: string;
    /**
     * Until when the key is refused for going on regardless.
     */
    bannedUntil?: string;
  };
}
