/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * What an account on this plan may do. Missing defaults (free, pro, business, enterprise) are created by the operator and never overwritten.
 */
export interface Plan {
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
   * The plan's limits.
   */
  readonly spec: {
    /**
     * Requests to the platform's API, counted per account over all of its keys.
     */
    readonly rateLimit: {
      /**
       * Requests in any sliding minute.
       */
      readonly requestsPerMinute: number;
      /**
       * Requests in a calendar day (UTC).
       */
      readonly requestsPerDay: number;
    };
    /**
     * Domains that customers bring.
     */
    readonly customDomains: {
      /**
       * Whether projects may be served at domains of the customer's own.
       */
      readonly enabled: boolean;
      /**
       * How many domains a project may have.
       */
      readonly maxPerProject: number;
    };
    /**
     * How many things an account may have.
     */
    readonly maximum?: {
      /**
       * How many Projects the account may have. 100 when absent.
       */
      readonly projects?: number;
      /**
       * How many ProjectDomains the account may have, over all of its projects. 10,000 when absent.
       */
      readonly domains?: number;
      /**
       * How many ApiKeys the account may make by REST or in the dashboard. 50 when absent.
       */
      readonly apiKeys?: number;
    };
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
