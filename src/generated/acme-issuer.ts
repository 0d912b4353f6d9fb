/* Generated from crds/ by `npm run generate`; never edited by hand. */

/**
 * Accounts at certificate authorities from which the operator orders certificates itself (ACME, RFC 8555), for CertificateRequests of cert-manager that name this issuer.
 */
export interface AcmeIssuer {
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
   * The accounts.
   */
  readonly spec: {
    /**
     * The account; one for now. One ACME account serves one cluster.
     *
     * @minItems 1
     * @maxItems 1
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
    }[];
  };
  /**
   * Written by the operator.
   */
  readonly status?: {
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
    }[];
    /**
     * Observations, one per type.
     *
     * @maxItems 16
     */
    readonly conditions?: readonly {
      /**
       * Type of the condition.
       */
      readonly type: string;
      /**
       * True, False or Unknown.
       */
      readonly status: 'True' | 'False' | 'Unknown';
      /**
       * The reason as one CamelCase word; one of a documented set.
       */
      readonly reason: string;
      /**
       * Explanation for people, with what to do.
       */
      readonly message: string;
      /**
       * The metadata.generation that this was observed for.
       */
      readonly observedGeneration?: number;
      /**
       * When the status last changed.
       */
      readonly lastTransitionTime: string;
    }[];
  };
}
