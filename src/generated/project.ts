/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * What a customer publishes. It is served at its platform hostname, and at domains of its own (ProjectDomain).
 */
export interface Project {
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
   * Where the project runs and what it is called.
   */
  readonly spec: {
    /**
     * The Service in this namespace that answers for the project.
     */
    readonly service: {
      /**
       * Name of the Service.
       */
      readonly name: string;
      /**
       * Port of the Service.
       */
      readonly port: number;
    };
    /**
     * One DNS label under the platform's domain; the project's name when absent.
     */
    readonly subdomain?: string;
    /**
     * Project-level configuration of domains; each entry becomes a ProjectDomain of the project.
     */
    readonly domains?: {
      /**
       * The hostname that serves the project.
       */
      readonly primary?: string;
      /**
       * Hostnames that redirect.
       *
       * @maxItems 500
       */
      readonly redirects?: readonly {
        /**
         * The hostname that redirects.
         */
        readonly from: string;
        /**
         * Where to; the primary when absent.
         */
        readonly to?: string;
        /**
         * HTTP status of the redirect.
         */
        readonly status?: 301 | 302 | 307 | 308;
      }[];
    };
  };
  /**
   * Written by the operator.
   */
  readonly status?: {
    /**
     * Where the platform itself serves the project.
     */
    readonly platformHostname?: string;
    /**
     * What customers' CNAME records of this project point to.
     */
    readonly target?: string;
    /**
     * When the Service was first seen with a ready endpoint; remembered.
     */
    readonly deployedAt?: string;
    /**
     * The next certificate of the platform hostname, where each has its own.
     */
    readonly certificate?: {
      /**
       * Uid of the CertificateRequest that is ready and waits for its turn in the order ledger.
       */
      readonly request?: string;
      /**
       * Until when the next order waits, as far as can be told.
       */
      readonly waitsUntil?: string;
      /**
       * What the next order waits for, in one word; documented constants.
       */
      readonly waitsFor?: string;
    };
    /**
     * The project's domains at a glance.
     *
     * @maxItems 10000
     */
    readonly domains?: readonly {
      /**
       * The hostname.
       */
      readonly hostname: string;
      /**
       * What it does for the project.
       */
      readonly role: 'Primary' | 'Redirect';
      /**
       * Its ProjectDomain's state.
       */
      readonly state: string;
    }[];
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
