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
    readonly finalizers?: readonly string[];
  };
  /**
   * The key's account and scopes.
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
     * What its owner calls the key, such as the program that uses it.
     */
    readonly displayName?: string;
    /**
     * When the key expires.
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
     * The metadata.generation that the conditions are about; -1 before the operator has seen the object.
     */
    readonly observedGeneration?: number;
    /**
     * When the key was last used; updated at most every five minutes.
     */
    readonly lastUsedAt?: string;
    /**
     * When the ban ends; a key is banned for ignoring rate limits.
     */
    readonly bannedUntil?: string;
    /**
     * The key's last bans, the newest first.
     *
     * @maxItems 5
     */
    readonly bans?: readonly {
      /**
       * When it began.
       */
      readonly from: string;
      /**
       * When it ended or ends, if it was not lifted before.
       */
      readonly until: string;
      /**
       * How many bans of the account counted, this one included; the higher, the longer it lasts.
       */
      readonly step: number;
    }[];
    /**
     * The last refusal by a limit of the account; updated at most every five minutes.
     */
    readonly limited?: {
      /**
       * When a request of the key was refused.
       */
      readonly at: string;
      /**
       * Which limit was reached.
       */
      readonly window: 'minute' | 'day';
    };
    /**
     * Observations, one per type.
     *
     * @maxItems 16
     */
    readonly conditions?: readonly {
      /**
       * Type of the condition.
       */
      readonly type: string;
      /**
       * True, False or Unknown.
       */
      readonly status: 'True' | 'False' | 'Unknown';
      /**
       * The reason as one CamelCase word; one of a documented set.
       */
      readonly reason: string;
      /**
       * Explanation for people, with what to do.
       */
      readonly message: string;
      /**
       * The metadata.generation that this was observed for.
       */
      readonly observedGeneration?: number;
      /**
       * When the status last changed.
       */
      readonly lastTransitionTime: string;
    }[];
  };
}
