/* Generated from crds/ by `npm run generate`; never edited by hand. */

import type { Condition, ObjectMeta } from './object-meta.ts';

/**
 * Accounts at certificate authorities from which the operator orders certificates itself (ACME, RFC 8555), for CertificateRequests of cert-manager that name this issuer.
 */
export interface AcmeIssuer {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  /**
   * The accounts.
   */
  readonly spec: {
    /**
     * The accounts in order of preference. An order goes to the first that can take it; the next ones take over while it cannot, as far as the CAA records of the hostname permit them. One ACME account serves one cluster.
     *
     * @minItems 1
     * @maxItems 4
     */
    readonly accounts: readonly {
      /**
       * Name of the account within this issuer.
       */
      readonly name: string;
      /**
       * URL of the authority's directory.
       */
      readonly server: string;
      /**
       * Where the authority can reach you. Not every authority wants one.
       */
      readonly email?: string;
      /**
       * Secret in the operator's namespace with the account's private key in PEM under tls.key, as cert-manager keeps it. Created with a new key where the account was never registered; must be among the chart's issuer.accountSecrets.
       */
      readonly keySecret: string;
      /**
       * The account that you already have there, for authorities that want to know (RFC 8555, section 7.3.4).
       */
      readonly externalAccountBinding?: {
        /**
         * The key identifier that the authority gave you.
         */
        readonly keyId: string;
        /**
         * Secret in the operator's namespace with the MAC key that the authority gave you, in base64url, under secret; must be among the chart's issuer.accountSecrets.
         */
        readonly keySecret: string;
      };
      /**
       * Roots to trust of the authority's own server instead of the public ones, base64 of PEM.
       */
      readonly caBundle?: string;
      /**
       * The authority's profile of the certificates, if it has several (draft-ietf-acme-profiles).
       */
      readonly profile?: string;
      /**
       * Common name of the root below which chains are to end, where the authority offers several. Its own choice where it has none below that root.
       */
      readonly preferredChain?: string;
      /**
       * CAA issuer domains of the authority (RFC 8659). Without them, the chart's issuer.caDomains.
       *
       * @minItems 1
       * @maxItems 8
       */
      readonly caaDomains?: readonly string[];
      /**
       * How the authority reads CAA records, as Boulder (Let's Encrypt's software) or by the strictest reading of the RFCs. Without it, Boulder for letsencrypt.org and strict for all others.
       */
      readonly caaProfile?: 'boulder' | 'strict';
      /**
       * The authority's limits. What is not set is as the chart's issuer.limits.
       */
      readonly limits?: {
        /**
         * New orders of the ACME account.
         */
        readonly orders?: {
          /**
           * At most so many.
           */
          readonly count: number;
          /**
           * In any window of this length.
           */
          readonly seconds: number;
        };
        /**
         * Certificates below one registered domain, without renewals. All accounts at this authority count together.
         */
        readonly registeredDomain?: {
          /**
           * At most so many.
           */
          readonly count: number;
          /**
           * In any window of this length.
           */
          readonly seconds: number;
        };
        /**
         * Certificates for the same names. All accounts at this authority count together.
         */
        readonly exactSet?: {
          /**
           * At most so many.
           */
          readonly count: number;
          /**
           * In any window of this length.
           */
          readonly seconds: number;
        };
        /**
         * Failed authorizations of one name.
         */
        readonly failures?: {
          /**
           * At most so many.
           */
          readonly count: number;
          /**
           * In any window of this length.
           */
          readonly seconds: number;
        };
      };
    }[];
  };
  /**
   * Written by the operator.
   */
  readonly status?: {
    /**
     * The metadata.generation that the conditions are about; -1 before the operator has seen the object.
     */
    readonly observedGeneration?: number;
    /**
     * The accounts as the authorities have them.
     *
     * @maxItems 4
     */
    readonly accounts?: readonly {
      /**
       * As in spec.accounts.
       */
      readonly name: string;
      /**
       * The authority at which it was registered.
       */
      readonly server: string;
      /**
       * The account's URL. CAA records may name it (RFC 8657).
       */
      readonly uri?: string;
      /**
       * Thumbprint of the account's key (RFC 7638).
       */
      readonly thumbprint?: string;
      /**
       * Why it cannot be used now.
       */
      readonly problem?: string;
      /**
       * Since when its authority has not answered.
       */
      readonly unansweredSince?: string;
      /**
       * Whether it takes new orders. Next (the first that does), Standby (it takes over from those before it), Full (its limits are used up), Waits (the authority named a time), Down (the authority does not answer) or Unusable (as the problem says).
       */
      readonly use?: 'Next' | 'Standby' | 'Full' | 'Waits' | 'Down' | 'Unusable';
      /**
       * Orders left in its window when this was written; written when a tenth of the window is used or free again.
       */
      readonly ordersLeft?: number;
      /**
       * Until when the authority said to order nothing.
       */
      readonly waitsUntil?: string;
    }[];
    /**
     * Observations, one per type.
     *
     * @maxItems 16
     */
    readonly conditions?: readonly Condition[];
  };
}
