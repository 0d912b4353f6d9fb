/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * What was ordered of one issuer within the authority's window, so that its limits are never met. Named by the issuer. Written by the operator only, before an order is approved; what a name's own orders were stands on its HostnameClaim.
 */
export interface OrderLedger {
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
   * The orders that count, and what they leave.
   */
  readonly spec: {
    /**
     * Orders in the window when this was written.
     */
    readonly used?: number;
    /**
     * Orders that the window still had.
     */
    readonly left?: number;
    /**
     * Requests that waited for an order.
     */
    readonly waiting?: number;
    /**
     * When the window has an order for one of those that wait.
     */
    readonly nextSlot?: string;
    /**
     * Until when the authority said to order nothing at all.
     */
    readonly waitsUntil?: string;
    /**
     * Orders in the window, the newest last.
     *
     * @maxItems 3000
     */
    readonly orders?: readonly {
      /**
       * Uid of the CertificateRequest.
       */
      readonly request: string;
      /**
       * When it was granted.
       */
      readonly at: string;
      /**
       * Account.spec.id of who pays for it.
       */
      readonly account: string;
      /**
       * What the certificate is for.
       */
      readonly hostname: string;
      /**
       * The registered domain of the hostname (public suffix list).
       */
      readonly domain: string;
      /**
       * First (or once more), Renewal (inside the certificate's window) or Platform (a platform hostname).
       */
      readonly kind: 'First' | 'Renewal' | 'Platform';
      /**
       * Granted (may be approved for a minute and a half), Pending (approved) and what became of it.
       */
      readonly state: 'Granted' | 'Pending' | 'Issued' | 'Failed';
    }[];
  };
}
