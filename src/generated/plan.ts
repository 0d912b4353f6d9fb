/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * What an account on this plan may do. Missing defaults (free, pro, business, enterprise) are created by the operator and never overwritten.
 */
export interface Plan {
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
   * The plan's limits.
   */
  spec: {
    /**
     * Requests to the platform's API, counted per account over all of its keys.
     */
    rateLimit: {
      /**
       * Requests in any sliding minute.
       */
      requestsPerMinute: number;
      /**
       * Requests in a calendar day (UTC).
       */
      requestsPerDay: number;
    };
    /**
     * Domains that customers bring.
     */
    customDomains: {
      /**
       * Whether projects may be served at domains of the customer's own.
       */
      enabled: boolean;
      /**
       * How many domains a project may have.
       */
      maxPerProject: number;
    };
  };
}
