/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * One hostname that a customer brings to a project.
 */
export interface ProjectDomain {
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
   * Which hostname, for which project, and what it does.
   */
  spec: {
    /**
     * Name of a Project in this namespace. Immutable.
     */
    project: string;
    /**
     * The hostname, in lower case A-labels and without a trailing dot. Immutable.
     */
    hostname: string;
    /**
     * Primary serves the project; Redirect answers with a redirect to another hostname of the project.
     */
    role?: 'Primary' | 'Redirect';
    /**
     * Where a Redirect leads.
     */
    redirect?: {
      /**
       * A hostname of the same project that is no redirect itself.
       */
      to: string;
      /**
       * HTTP status of the redirect.
       */
      status?: 301 | 302 | 307 | 308;
    };
  };
  /**
   * Written by the operator.
   */
  status?: {
    /**
     * Pending, Unverified, Verified, Live, Degraded or Suspended.
     */
    state?: 'Pending' | 'Unverified' | 'Verified' | 'Live' | 'Degraded' | 'Suspended';
    /**
     * What the customer must create in DNS, as a registrar's form wants it.
     *
     * @maxItems 4
     */
    records?: {
      /**
       * What the record proves.
       */
      purpose: 'Routing' | 'Ownership';
      /**
       * Record type; ALIAS stands for ALIAS or ANAME or a flattened CNAME or the platform's addresses.
       */
      type: 'CNAME' | 'ALIAS' | 'TXT';
      /**
       * Owner name relative to the zone: www, shop.eu, or @ for the zone itself.
       */
      name: string;
      /**
       * Owner name in full.
       */
      fqdn: string;
      /**
       * The record's value.
       */
      value: string;
      /**
       * Seconds.
       */
      ttl: number;
    }[];
    /**
     * Why the domain is not Live: what was found and what to change.
     *
     * @maxItems 32
     */
    issues?: {
      /**
       * Stable code.
       */
      code: string;
      /**
       * What is wrong.
       */
      message: string;
      /**
       * The offending record.
       */
      record: string;
      /**
       * What to delete and what to create.
       */
      fix: string;
    }[];
    /**
     * The certificate's life in short.
     */
    certificate?: {
      /**
       * Name of the Certificate and of its Secret.
       */
      name?: string;
      /**
       * End of the certificate that is served.
       */
      notAfter?: string;
      /**
       * Orders on the ledger.
       */
      attempts?: number;
      /**
       * When the last order was placed.
       */
      requestedAt?: string;
      /**
       * Until when the ledger allows no order.
       */
      waitsUntil?: string;
    };
    /**
     * What earlier DNS checks found; the operator's own memory.
     */
    check?: {
      /**
       * When this series of checks began: Add or Verify.
       */
      startedAt?: string;
      /**
       * When DNS was last looked at.
       */
      checkedAt?: string;
      /**
       * The Verify request that was honoured last.
       */
      verifySeen?: string;
      /**
       * Does DNS lead to the platform.
       */
      routing?: 'Yes' | 'No' | 'Unknown';
      /**
       * Is ownership proven.
       */
      ownership?: 'Yes' | 'No' | 'Unknown';
      /**
       * May the certificate authority issue.
       */
      caa?: 'Yes' | 'No' | 'Unknown';
      /**
       * What proved routing last.
       */
      routedBy?: 'target' | 'addresses';
      /**
       * Apex of the zone that holds the hostname.
       */
      zone?: string;
      /**
       * Checks in a row that proved both.
       */
      successes?: number;
      /**
       * Checks in a row that said no.
       */
      failures?: number;
      /**
       * When they began.
       */
      failingSince?: string;
      /**
       * Since when no check could tell.
       */
      unknownSince?: string;
    };
    /**
     * The last transitions of state.
     *
     * @maxItems 50
     */
    timeline?: {
      at: string;
      state: string;
      reason: string;
      message: string;
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
