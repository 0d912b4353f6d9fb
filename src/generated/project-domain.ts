/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * One hostname that a customer brings to a project.
 */
export interface ProjectDomain {
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
   * Which hostname, for which project, and what it does.
   */
  readonly spec: {
    /**
     * Name of a Project in this namespace. Immutable.
     */
    readonly project: string;
    /**
     * The hostname, in lower case A-labels and without a trailing dot. Immutable.
     */
    readonly hostname: string;
    /**
     * Primary serves the project; Redirect answers with a redirect to another hostname of the project.
     */
    readonly role?: 'Primary' | 'Redirect';
    /**
     * Where a Redirect leads.
     */
    readonly redirect?: {
      /**
       * A hostname of the same project that is no redirect itself.
       */
      readonly to: string;
      /**
       * HTTP status of the redirect.
       */
      readonly status?: 301 | 302 | 307 | 308;
    };
  };
  /**
   * Written by the operator.
   */
  readonly status?: {
    /**
     * Pending, Unverified, Verified, Live, Degraded or Suspended.
     */
    readonly state?: 'Pending' | 'Unverified' | 'Verified' | 'Live' | 'Degraded' | 'Suspended';
    /**
     * What the customer must create in DNS, as a registrar's form wants it.
     *
     * @maxItems 4
     */
    readonly records?: readonly {
      /**
       * What the record proves.
       */
      readonly purpose: 'Routing' | 'Ownership';
      /**
       * Record type; ALIAS stands for ALIAS or ANAME or a flattened CNAME or the platform's addresses.
       */
      readonly type: 'CNAME' | 'ALIAS' | 'TXT';
      /**
       * Owner name relative to the zone: www, shop.eu, or @ for the zone itself.
       */
      readonly name: string;
      /**
       * Owner name in full.
       */
      readonly fqdn: string;
      /**
       * The record's value.
       */
      readonly value: string;
      /**
       * Time to live, in seconds.
       */
      readonly ttl: number;
    }[];
    /**
     * Why the domain is not Live: what was found and what to change.
     *
     * @maxItems 32
     */
    readonly issues?: readonly {
      /**
       * Stable code.
       */
      readonly code: string;
      /**
       * What is wrong.
       */
      readonly message: string;
      /**
       * The offending record as a line of a master file; empty when a record is missing.
       */
      readonly record: string;
      /**
       * What to delete and what to create.
       */
      readonly fix: string;
    }[];
    /**
     * The certificate's life in short.
     */
    readonly certificate?: {
      /**
       * Name of the Certificate and of its Secret.
       */
      readonly name?: string;
      /**
       * End of the certificate that is served.
       */
      readonly notAfter?: string;
      /**
       * Orders on the ledger.
       */
      readonly attempts?: number;
      /**
       * When the last order was placed.
       */
      readonly requestedAt?: string;
      /**
       * Until when the next order waits, as far as can be told.
       */
      readonly waitsUntil?: string;
      /**
       * What the next order waits for, in one word; documented constants.
       */
      readonly waitsFor?: string;
      /**
       * Uid of the CertificateRequest that is ready and waits for its turn in the order ledger.
       */
      readonly request?: string;
    };
    /**
     * What earlier DNS checks found; the operator's own memory.
     */
    readonly check?: {
      /**
       * When this series of checks began: Add or Verify.
       */
      readonly startedAt?: string;
      /**
       * When DNS was last looked at.
       */
      readonly checkedAt?: string;
      /**
       * The Verify request that was honoured last.
       */
      readonly verifySeen?: string;
      /**
       * Does DNS lead to the platform.
       */
      readonly routing?: 'Yes' | 'No' | 'Unknown';
      /**
       * Is ownership proven.
       */
      readonly ownership?: 'Yes' | 'No' | 'Unknown';
      /**
       * May the certificate authority issue.
       */
      readonly caa?: 'Yes' | 'No' | 'Unknown';
      /**
       * Was it said by two servers at different addresses, wherever the zone has two.
       */
      readonly corroborated?: boolean;
      /**
       * The last answer to routing and CAA together that was no Unknown.
       */
      readonly lastDefinite?: 'Yes' | 'No';
      /**
       * What proved routing last.
       */
      readonly routedBy?: 'target' | 'addresses';
      /**
       * Apex of the zone that holds the hostname.
       */
      readonly zone?: string;
      /**
       * Servers of that zone by name, sorted, lower case, without the dot at the end.
       *
       * @maxItems 13
       */
      readonly nameServers?: readonly string[];
      /**
       * Checks in a row that proved both.
       */
      readonly successes?: number;
      /**
       * Checks in a row that said no.
       */
      readonly failures?: number;
      /**
       * When they began.
       */
      readonly failingSince?: string;
      /**
       * Since when no check could tell.
       */
      readonly unknownSince?: string;
    };
    /**
     * The last transitions of state.
     *
     * @maxItems 50
     */
    readonly timeline?: readonly {
      /**
       * When the state was entered.
       */
      readonly at: string;
      /**
       * The state that was entered.
       */
      readonly state: string;
      /**
       * Why, in one word.
       */
      readonly reason: string;
      /**
       * Why, for people.
       */
      readonly message: string;
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
