/* Generated from crds/ by `npm run generate`; never edited by hand. */

import type { ObjectMeta } from './object-meta.ts';

/**
 * What was ordered from one issuer within the authority's window, so that its limits are never reached. Named after the issuer. Written by the operator only, before an order is approved. The orders of a single hostname are on its HostnameClaim.
 */
export interface OrderLedger {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  /**
   * The orders that count, and how many are left.
   */
  readonly spec: {
    /**
     * Orders in the window when this was written.
     */
    readonly used?: number;
    /**
     * Orders left in the window when this was written.
     */
    readonly left?: number;
    /**
     * Requests waiting for an order when this was written.
     */
    readonly waiting?: number;
    /**
     * The weights of the accounts that these requests are of, added up. From it follows about when the turn of each one comes.
     */
    readonly waitingWeight?: number;
    /**
     * When the window next has an order for a waiting request.
     */
    readonly nextSlot?: string;
    /**
     * Until when the authority said to order nothing at all.
     */
    readonly waitsUntil?: string;
    /**
     * The same by account of an AcmeIssuer, in order of preference.
     *
     * @maxItems 4
     */
    readonly accounts?: readonly {
      /**
       * As in the issuer's spec.accounts.
       */
      readonly name: string;
      /**
       * Orders in its window when this was written.
       */
      readonly used: number;
      /**
       * Orders left in its window when this was written.
       */
      readonly left: number;
      /**
       * Until when its authority said to order nothing at all.
       */
      readonly waitsUntil?: string;
      /**
       * Why it takes no order. Down (its authority does not answer) or Unusable (the issuer's status says why).
       */
      readonly away?: 'Down' | 'Unusable';
    }[];
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
       * Account.spec.id of the account whose share it uses.
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
       * First (or ordered again), Renewal (within the certificate's renewal window) or Platform (a platform hostname).
       */
      readonly kind: 'First' | 'Renewal' | 'Platform';
      /**
       * Granted (can be approved for 90 seconds), Pending (approved), then Issued, Failed (refused) or Abandoned.
       */
      readonly state: 'Granted' | 'Pending' | 'Issued' | 'Failed' | 'Abandoned';
      /**
       * The account of an AcmeIssuer that it was granted for. An order that went on with another account has an entry for each.
       */
      readonly issuerAccount?: string;
      /**
       * How often it may have come to the authority, where that is more than once; each counts.
       */
      readonly placed?: number;
    }[];
  };
}
