/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * Who proved a hostname. Named by the hostname, so it is held once in the cluster. Written by the operator only.
 */
export interface HostnameClaim {
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
   * Holder, phase and history.
   */
  readonly spec: {
    /**
     * Account.spec.id of the holder.
     */
    readonly account: string;
    /**
     * The ProjectDomain (or, for platform hostnames, the Project) that holds the name.
     */
    readonly holder: {
      /**
       * Its namespace.
       */
      readonly namespace: string;
      /**
       * Its name.
       */
      readonly name: string;
    };
    /**
     * Namespaces that held the name before, the latest last. A TLS Secret of the name that a backup brings back there is deleted.
     *
     * @maxItems 8
     */
    readonly formerHolders?: readonly string[];
    /**
     * Held, Releasing (lost to another proof) or Tombstone (removed, kept for seven days).
     */
    readonly phase: 'Held' | 'Releasing' | 'Tombstone';
    /**
     * Grows with each change of account; ownership tokens are drawn from it.
     */
    readonly epoch: number;
    /**
     * How and when the hostname was proven.
     */
    readonly proof: {
      /**
       * CNAME (the exact target), TXT, or Platform for platform hostnames.
       */
      readonly method: 'CNAME' | 'TXT' | 'Platform';
      /**
       * When it was proven.
       */
      readonly at: string;
    };
    /**
     * The ledger: certificate orders of this name whoever held it, the newest last.
     *
     * @maxItems 40
     */
    readonly orders?: readonly {
      /**
       * Uid of the CertificateRequest.
       */
      readonly request: string;
      /**
       * When it was placed; written before its request is approved.
       */
      readonly at: string;
      /**
       * What became of it.
       */
      readonly outcome: 'Pending' | 'Issued' | 'Failed';
      /**
       * First (or once more) or Renewal (inside the certificate's window).
       */
      readonly kind?: 'First' | 'Renewal';
      /**
       * Nobody could say whether DNS still leads here. A renewal of the same holder was let through on the last yes, as little was left of the certificate.
       */
      readonly unconfirmed?: boolean;
      /**
       * What the authority named as the time to come again.
       */
      readonly waitsUntil?: string;
      /**
       * Whom that time concerns, this name, its registered domain or every order of the issuer.
       */
      readonly scope?: 'Name' | 'Domain' | 'Issuer';
    }[];
    /**
     * When it became a tombstone.
     */
    readonly releasedAt?: string;
  };
}
