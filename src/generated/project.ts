/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * What a customer publishes. It is served at its platform hostname, and at domains of its own (ProjectDomain).
 */
export interface Project {
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
   * Where the project runs and what it is called.
   */
  spec: {
    /**
     * The Service in this namespace that answers for the project.
     */
    service: {
      /**
       * Name of the Service.
       */
      name: string;
      /**
       * Port of the Service.
       */
      port: number;
    };
    /**
     * One DNS label under the platform's domain; the project's name when absent.
     */
    subdomain?: string;
    /**
     * Project-level configuration of domains; each entry becomes a ProjectDomain of the project.
     */
    domains?: {
      /**
       * The hostname that serves the project.
       */
      primary?: string;
      /**
       * Hostnames that redirect.
       *
       * @maxItems 500
       */
      redirects?: {
        /**
         * The hostname that redirects.
         */
        from: string;
        /**
         * Where to; the primary when absent.
         */
        to?: string;
        /**
         * HTTP status of the redirect.
         */
        status?: 301 | 302 | 307 | 308;
      }[];
    };
  };
  /**
   * Written by the operator.
   */
  status?: {
    /**
     * Where the platform itself serves the project.
     */
    platformHostname?: string;
    /**
     * What customers' CNAME records of this project point to.
     */
    target?: string;
    /**
     * When the Service was first seen with a ready endpoint; remembered.
     */
    deployedAt?: string;
    /**
     * The project's domains at a glance.
     *
     * @maxItems 10000
     */
    domains?: {
      hostname: string;
      role: 'Primary' | 'Redirect';
      state: string;
    }[];
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
