/* Generated from crds/ by `npm run generate`; never edited by hand. */

import type { Condition, ObjectMeta } from './object-meta.ts';

/**
 * A key to the platform's API. Only its hash is kept.
 */
export interface ApiKey {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
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
    readonly conditions?: readonly Condition[];
  };
}
