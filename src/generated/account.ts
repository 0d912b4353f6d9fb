/* Generated from crds/ by `npm run generate`; never edited by hand. */

import type { Condition, ObjectMeta } from './object-meta.ts';

/**
 * A customer of the platform. Its namespace is the one that carries the label projectdomain.io/account with this name.
 */
export interface Account {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  /**
   * What the customer agreed to.
   */
  readonly spec: {
    /**
     * Name of a Plan.
     */
    readonly plan: string;
    /**
     * Limits agreed with this account only; each replaces the plan's limit.
     */
    readonly overrides?: {
      /**
       * Replaces the plan's values; absent fields keep them.
       */
      readonly rateLimit?: {
        /**
         * Requests in any sliding minute.
         */
        readonly requestsPerMinute?: number;
        /**
         * Requests in a calendar day (UTC).
         */
        readonly requestsPerDay?: number;
      };
      /**
       * Replaces the plan's values; absent fields keep them.
       */
      readonly customDomains?: {
        /**
         * Whether projects may be served at domains of the customer's own.
         */
        readonly enabled?: boolean;
        /**
         * How many domains a project may have.
         */
        readonly maxPerProject?: number;
      };
      /**
       * Replaces the plan's values; absent fields keep them.
       */
      readonly maximum?: {
        /**
         * How many Projects the account may have.
         */
        readonly projects?: number;
        /**
         * How many ProjectDomains the account may have, across all of its projects.
         */
        readonly domains?: number;
        /**
         * How many ApiKeys the account may create through REST or the dashboard.
         */
        readonly apiKeys?: number;
      };
    };
    /**
     * Random, set once by the operator. It identifies the account in targets, claims and tombstones.
     */
    readonly id?: string;
  };
  /**
   * Written by the operator.
   */
  readonly status?: {
    /**
     * The metadata.generation that the conditions are about; -1 before the operator has seen the object.
     */
    readonly observedGeneration?: number;
    /**
     * Observations, one per type.
     *
     * @maxItems 16
     */
    readonly conditions?: readonly Condition[];
  };
}
