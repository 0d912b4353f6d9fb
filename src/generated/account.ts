/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * A customer of the platform. Its namespace is the one that carries the label projectdomain.io/account with this name.
 */
export interface Account {
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
   * What the customer agreed to.
   */
  readonly spec: {
    /**
     * Name of a Plan.
     */
    readonly plan: string;
    /**
     * Limits agreed with this account alone; they replace the plan's, one by one.
     */
    readonly overrides?: {
      /**
       * In place of the plan's; what is absent is as the plan says.
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
       * In place of the plan's; what is absent is as the plan says.
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
       * In place of the plan's; what is absent is as the plan says.
       */
      readonly maximum?: {
        /**
         * How many Projects the account may have.
         */
        readonly projects?: number;
        /**
         * How many ProjectDomains the account may have, over all of its projects.
         */
        readonly domains?: number;
        /**
         * How many ApiKeys the account may make by REST or in the dashboard.
         */
        readonly apiKeys?: number;
      };
    };
    /**
     * Random, set once by the operator. Targets, claims and tombstones mean it by "the same account".
     */
    readonly id?: string;
  };
  /**
   * Written by the operator.
   */
  readonly status?: {
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
