/* Generated from crds/ by `npm run generate`; never edited by hand. */

import type { ObjectMeta } from './object-meta.ts';

/**
 * Records who proved a hostname. Named after the hostname, so only one can exist in the cluster; that of a wildcard by its base, below the label wc--wildcard, which no hostname can have. Written by the operator only, but for spec.revocation, which administrators write.
 */
export interface HostnameClaim {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
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
     * The claim is for every hostname one label below the base that it is named by, and not for the base.
     */
    readonly wildcard?: boolean;
    /**
     * Namespaces that held the name before, the latest last. If a restored backup brings back a TLS Secret of the name there, it is deleted.
     *
     * @maxItems 8
     */
    readonly formerHolders?: readonly string[];
    /**
     * Pending (proven, and not yet compared with what overlaps), Held, Releasing (lost to another proof) or Tombstone (removed, kept for seven days).
     */
    readonly phase: 'Pending' | 'Held' | 'Releasing' | 'Tombstone';
    /**
     * Increases with each change of account; ownership values are derived from it.
     */
    readonly epoch: number;
    /**
     * How and when the hostname was proven.
     */
    readonly proof: {
      /**
       * CNAME (the exact target), TXT, Delegation (of the challenge name), or Platform for platform hostnames.
       */
      readonly method: 'CNAME' | 'TXT' | 'Delegation' | 'Platform';
      /**
       * When it was proven.
       */
      readonly at: string;
    };
    /**
     * Certificate orders of this name under any holder, the newest last.
     *
     * @maxItems 40
     */
    readonly orders?: readonly {
      /**
       * Uid of the CertificateRequest.
       */
      readonly request: string;
      /**
       * When it was placed; written before the request is approved.
       */
      readonly at: string;
      /**
       * Outcome of the order. Failed is one that was refused; Abandoned one that ended without a certificate although nobody refused it, as when its authority was silent and another was ordered instead. Only what failed makes the next one wait.
       */
      readonly outcome: 'Pending' | 'Issued' | 'Failed' | 'Abandoned';
      /**
       * When its certificate was issued, or it failed. From then on the authority counts that.
       */
      readonly endedAt?: string;
      /**
       * First (or ordered again) or Renewal (within the certificate's renewal window).
       */
      readonly kind?: 'First' | 'Renewal';
      /**
       * DNS was inconclusive. The renewal was allowed for the same holder because the last definite answer was yes and the certificate was about to expire.
       */
      readonly unconfirmed?: boolean;
      /**
       * The check of DNS that the order rests on, where the operator places it; it does within a minute.
       */
      readonly checkedAt?: string;
      /**
       * The name in the installation's challenge zone, without the zone, to which the hostname delegates its challenge name. The order's challenges are answered there, over DNS.
       */
      readonly delegation?: string;
      /**
       * The account of the AcmeIssuer that it is placed with.
       */
      readonly issuerAccount?: string;
      /**
       * The accounts of the AcmeIssuer that the hostname's CAA records permit; absent where all are.
       *
       * @maxItems 4
       */
      readonly permittedAccounts?: readonly string[];
      /**
       * When the authority said to retry.
       */
      readonly waitsUntil?: string;
      /**
       * Whose authority said that, where the order went on with another account since.
       */
      readonly waitsAccount?: string;
      /**
       * What that time applies to, this name, its registered domain or every order of the issuer.
       */
      readonly scope?: 'Name' | 'Domain' | 'Issuer';
      /**
       * The order at its authority, where the operator places it there. While it is open the redirector answers its challenges.
       */
      readonly acme?: {
        /**
         * URL of the ACME account.
         */
        readonly account: string;
        /**
         * Thumbprint of the account's key (RFC 7638), with which each challenge is answered.
         */
        readonly thumbprint: string;
        /**
         * How often it was about to be placed, written before it is. More than once where the operator ended in between.
         */
        readonly placed: number;
        /**
         * URL of the order, once the authority has it.
         */
        readonly order?: string;
        /**
         * How the authority names the certificate that came of it (RFC 9773), so that the next order says what it replaces.
         */
        readonly certificate?: string;
        /**
         * URL at which the authority gives that certificate to its account. Written before the proofs are given up; from then on not every authority names it in the order.
         */
        readonly download?: string;
        /**
         * When that certificate ends.
         */
        readonly notAfter?: string;
      };
      /**
       * The certificate of this order has to be revoked, or was. Only of orders that the operator placed itself.
       */
      readonly revocation?: {
        /**
         * What the authority is told (RFC 5280, section 5.3.1). cessationOfOperation where another account proved the hostname.
         */
        readonly reason: 'unspecified' | 'keyCompromise' | 'superseded' | 'cessationOfOperation';
        /**
         * When that was decided; for a request of an administrator, its requestedAt.
         */
        readonly since: string;
        /**
         * How it ended; open without. Revoked, also where it was before; Expired before it could be; NotIssued, as no certificate came of the order; AccountGone, as no AcmeIssuer has the ACME account that ordered it; Unavailable, as the certificate cannot be had any more; Refused for good.
         */
        readonly result?: 'Revoked' | 'Expired' | 'NotIssued' | 'AccountGone' | 'Unavailable' | 'Refused';
        /**
         * When it ended.
         */
        readonly endedAt?: string;
        /**
         * Why it is not revoked, in the authority's words where it refused.
         */
        readonly message?: string;
      };
    }[];
    /**
     * What an administrator requests (`projectdomain revoke`): that every certificate ordered before is revoked. Where the hostname is served, a new certificate comes first, unless that cannot be waited for.
     */
    readonly revocation?: {
      /**
       * What the authority is told. With keyCompromise nothing is waited for.
       */
      readonly reason: 'unspecified' | 'keyCompromise' | 'superseded' | 'cessationOfOperation';
      /**
       * When it was requested; what it is told apart by.
       */
      readonly requestedAt: string;
      /**
       * Do not wait for the new certificate.
       */
      readonly atOnce?: boolean;
      /**
       * When the operator had the new certificate issued. What is ordered from then on is not revoked.
       */
      readonly replacingSince?: string;
      /**
       * When nothing was left to do.
       */
      readonly doneAt?: string;
    };
    /**
     * When it became a tombstone.
     */
    readonly releasedAt?: string;
  };
}
