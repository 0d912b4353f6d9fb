/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * A customer of the platform. Its namespace is the one that carries the label projectdomain.io/account with this name.
 */
export interface Account {
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
   * What the customer agreed to.
   */
  spec: {
    /**
     * Name of a Plan.
     */
    plan: string;
    /**
     * Limits agreed with this account alone; they replace the plan's, one by one.
     */
    overrides?: {
      /**
       * As in Plan.
       */
      rateLimit?: {
        /**
         * Requests in any sliding minute.
         */
        requestsPerMinute?: number;
        /**
         * Requests in a calendar day (UTC).
         */
        requestsPerDay?: number;
      };
      /**
       * As in Plan.
       */
      customDomains?: {
        /**
         * Whether projects may be served at domains of the customer's own.
         */
        enabled?: boolean;
        /**
         * How many domains a project may have.
         */
        maxPerProject?: number;
      };
    };
    /**
     * Random, set once by the operator. Targets, claims and tombstones mean it by "the same account".
     */
    id?: string;
  };
  /**
   * Written by the operator.
   */
  status?: {
    /**
     * Observations, one per type.
     *
     * @maxItems 16
     */
    conditions?: {
      /**
       * What is observed.
       */
      type: string;
      /**
       * True, False or Unknown.
       */
      status: 'True' | 'False' | 'Unknown';
      /**
       * Why, in one word; documented constants.
       */
      reason: string;
      /**
       * Why, for people, and what to do.
       */
      message: string;
      /**
       * The generation of the spec this was observed of.
       */
      observedGeneration?: number;
      /**
       * When the status last changed.
       */
      lastTransitionTime: string;
    }[];
  };
}
