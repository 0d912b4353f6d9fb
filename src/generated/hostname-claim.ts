/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * Who proved a hostname. Named by the hostname, so it is held once in the cluster. Written by the operator only.
 */
export interface HostnameClaim {
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
   * Holder, phase and history.
   */
  spec: {
    /**
     * Account.spec.id of the holder.
     */
    account: string;
    /**
     * The ProjectDomain (or, for platform hostnames, the Project) that holds the name.
     */
    holder: {
      namespace: string;
      name: string;
    };
    /**
     * Held, Releasing (lost to another proof) or Tombstone (removed, kept for seven days).
     */
    phase: 'Held' | 'Releasing' | 'Tombstone';
    /**
     * Grows with each change of account; ownership tokens are drawn from it.
     */
    epoch: number;
    /**
     * How and when the hostname was proven.
     */
    proof: {
      /**
       * CNAME (the exact target), TXT, or Platform for platform hostnames.
       */
      method: 'CNAME' | 'TXT' | 'Platform';
      at: string;
    };
    /**
     * The ledger: certificate orders of this name, the newest last.
     *
     * @maxItems 20
     */
    orders?: {
      /**
       * Name of the CertificateRequest.
       */
      request: string;
      at: string;
      outcome: 'Pending' | 'Issued' | 'Failed';
    }[];
    /**
     * When it became a tombstone.
     */
    releasedAt?: string;
  };
}
