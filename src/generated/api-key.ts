/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * A key to the platform's API. Only its hash is kept.
 */
export interface ApiKey {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
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
  readonly spec: {
    /**
     * Name of an Account.
     */
    readonly account: string;
    /**
     * What the key may do.
     *
     * @minItems 1
     * @maxItems 8
     */
    readonly scopes: readonly ('domains:read' | 'domains:write' | 'keys:write')[];
    /**
     * From when on the key is refused.
     */
    readonly expiresAt?: string;
    /**
     * The public part of the key.
     */
    readonly keyId?: string;
    /**
     * SHA-256 of the whole key, in hexadecimal.
     */
    readonly sha256?: string;
  };
  /**
   * Written by the operator and the API server.
   */
  readonly status?: {
    /**
     * At most every five minutes.
     */
    readonly lastUsedAt?: string;
    /**
     * Until when the key is refused for going on regardless.
     */
    readonly bannedUntil?: string;
    /**
     * Observations, one per type.
     *
     * @maxItems 16
     */
    readonly conditions?: readonly {
      /**
       * What is observed.
       */
      readonly type: string;
      /**
       * True, False or Unknown.
       */
      readonly status: 'True' | 'False' | 'Unknown';
      /**
       * Why, in one word; documented constants.
       */
      readonly reason: string;
      /**
       * Why, for people, and what to do.
       */
      readonly message: string;
      /**
       * The generation of the spec this was observed of.
       */
      readonly observedGeneration?: number;
      /**
       * When the status last changed.
       */
      readonly lastTransitionTime: string;
    }[];
  };
}
