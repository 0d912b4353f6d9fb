/* Generated from crds/ by `npm run generate`; never edited by hand. */

import type { Condition, ObjectMeta } from './object-meta.ts';

/**
 * One of a customer's own hostnames, connected to a project.
 */
export interface ProjectDomain {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  /**
   * The hostname, its project and its role.
   */
  readonly spec: {
    /**
     * Name of a Project in this namespace. Immutable.
     */
    readonly project: string;
    /**
     * The hostname, in lower case A-labels and without a trailing dot; or a wildcard, *.example.com, which stands for every hostname one label below its base. Immutable.
     */
    readonly hostname: string;
    /**
     * Primary serves the project; Redirect answers with a redirect to another hostname of the project.
     */
    readonly role?: 'Primary' | 'Redirect';
    /**
     * Obtains the certificate while the hostname still leads to its former server, by a record at its challenge name, so that the switch costs no request. Without it the certificate follows the switch.
     */
    readonly prepare?: boolean;
    /**
     * Part of the values by which the hostname is proven; set once by the operator. A domain that is removed and added again has another one, and a backup keeps it.
     */
    readonly nonce?: string;
    /**
     * What a platform calls the domain, such as customer: cus_123, to find it by in lists of the API. The names have 1 to 63 letters, digits and characters of ._/- and begin with a letter or digit; they and the values have 2,048 characters together. Nothing else reads them.
     */
    readonly labels?: {
      readonly [k: string]: string;
    };
    /**
     * Where a Redirect leads.
     */
    readonly redirect?: {
      /**
       * A hostname of the same project that is not a redirect itself.
       */
      readonly to: string;
      /**
       * HTTP status of the redirect.
       */
      readonly status?: 301 | 302 | 307 | 308;
    };
    /**
     * The customer's own certificate, as the API server stored it; nothing is ordered then. Absent: certificates are ordered automatically. What the API server did not write here is not served.
     */
    readonly certificate?: {
      /**
       * The TLS Secret in this namespace. Its name follows from everything else here.
       */
      readonly secretName: string;
      /**
       * SHA-256 of each certificate of the chain in hexadecimal, that of the hostname first.
       *
       * @minItems 1
       * @maxItems 5
       */
      readonly chain: readonly string[];
      /**
       * The hostnames that it is for.
       *
       * @minItems 1
       * @maxItems 32
       */
      readonly names: readonly string[];
      /**
       * Who issued it.
       */
      readonly issuer: string;
      /**
       * When it begins.
       */
      readonly notBefore: string;
      /**
       * When it ends, or a certificate of its chain does, whichever comes first.
       */
      readonly notAfter: string;
    };
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
     * Pending, Unverified, Verified, Live, Degraded or Suspended.
     */
    readonly state?: 'Pending' | 'Unverified' | 'Verified' | 'Live' | 'Degraded' | 'Suspended';
    /**
     * The role in which the domain was last accepted, with its redirect. Where the spec asks for another one that is not accepted, it is served on in this one.
     */
    readonly servedAs?: {
      /**
       * Primary or Redirect.
       */
      readonly role: 'Primary' | 'Redirect';
      /**
       * Where a Redirect leads.
       */
      readonly redirect?: {
        /**
         * The destination hostname.
         */
        readonly to: string;
        /**
         * HTTP status of the redirect.
         */
        readonly status?: 301 | 302 | 307 | 308;
      };
    };
    /**
     * DNS records that the customer must create, as entered in a registrar's form.
     *
     * @maxItems 4
     */
    readonly records?: readonly {
      /**
       * What the record is for.
       */
      readonly purpose: 'Routing' | 'Ownership' | 'Certificate';
      /**
       * Record type; ALIAS means ALIAS, ANAME, a flattened CNAME or the platform's addresses.
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
      /**
       * What the last check found. Stale means that only some servers of the zone have it, Conflicting that another record stands beside it, Unknown that nothing could be read.
       */
      readonly status?: 'Found' | 'Missing' | 'Wrong' | 'Stale' | 'Conflicting' | 'Unknown';
      /**
       * What is at that name, such as A 192.0.2.1.
       *
       * @maxItems 8
       */
      readonly found?: readonly string[];
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
       * The offending record in zone file format; empty when a record is missing.
       */
      readonly record: string;
      /**
       * What to delete and what to create.
       */
      readonly fix: string;
      /**
       * A Warning never keeps a domain from being served.
       */
      readonly severity?: 'Error' | 'Warning';
      /**
       * What has to be done, as one CamelCase word; one of a documented set.
       */
      readonly act?: string;
      /**
       * Who can do it; Owner is whoever edits the records of the zone.
       */
      readonly actor?: 'Owner' | 'DnsHost' | 'Registrar' | 'Cdn' | 'Platform';
      /**
       * What the sentences of the code and the act mention, by name.
       */
      readonly params?: {
        readonly [k: string]: string;
      };
      /**
       * Records to delete.
       *
       * @maxItems 16
       */
      readonly delete?: readonly {
        /**
         * Owner name relative to the zone, or @ for the zone itself.
         */
        readonly name: string;
        /**
         * Owner name in full.
         */
        readonly fqdn: string;
        /**
         * Record type; ALIAS means ALIAS, ANAME, a flattened CNAME or the platform's addresses.
         */
        readonly type: string;
        /**
         * The record's value; * for all records of the type.
         */
        readonly value: string;
      }[];
      /**
       * Records to create. Nothing else may stay at the name of a CNAME.
       *
       * @maxItems 16
       */
      readonly create?: readonly {
        /**
         * Owner name relative to the zone, or @ for the zone itself.
         */
        readonly name: string;
        /**
         * Owner name in full.
         */
        readonly fqdn: string;
        /**
         * Record type; ALIAS means ALIAS, ANAME, a flattened CNAME or the platform's addresses.
         */
        readonly type: string;
        /**
         * The record's value; * for all records of the type.
         */
        readonly value: string;
      }[];
      /**
       * What servers said.
       *
       * @maxItems 6
       */
      readonly servers?: readonly {
        /**
         * The server's name.
         */
        readonly server: string;
        /**
         * The address that was asked; empty if unknown.
         */
        readonly address: string;
        /**
         * Its answer, in a few words.
         */
        readonly answer: string;
      }[];
      /**
       * When a check first found this.
       */
      readonly since?: string;
    }[];
    /**
     * Summary of the certificate.
     */
    readonly certificate?: {
      /**
       * Name of the Certificate and of its Secret.
       */
      readonly name?: string;
      /**
       * When the certificate being served expires.
       */
      readonly notAfter?: string;
      /**
       * Number of orders that the claim records for this domain's account.
       */
      readonly attempts?: number;
      /**
       * When the last order was placed.
       */
      readonly requestedAt?: string;
      /**
       * Until when the next order waits, if known.
       */
      readonly waitsUntil?: string;
      /**
       * What the next order waits for, as one CamelCase word; one of a documented set.
       */
      readonly waitsFor?: string;
      /**
       * Uid of the CertificateRequest waiting for its turn in the order ledger.
       */
      readonly request?: string;
      /**
       * The accounts of the AcmeIssuer that it may be ordered with, where the CAA records do not permit all of them.
       *
       * @maxItems 4
       */
      readonly permittedAccounts?: readonly string[];
      /**
       * TLS Secrets with certificates of the customer's own that the operator knows of; those that are no longer used are deleted.
       *
       * @maxItems 8
       */
      readonly ownSecrets?: readonly {
        /**
         * Name of the Secret.
         */
        readonly name: string;
        /**
         * The hostnames that it is for.
         *
         * @minItems 1
         * @maxItems 32
         */
        readonly names: readonly string[];
        /**
         * When the certificate ends.
         */
        readonly notAfter: string;
        /**
         * The rules by which it was last seen to be right, as it is served.
         */
        readonly rules?: number;
        /**
         * Why it is no longer taken, and since when.
         */
        readonly refused?: {
          /**
           * A reason of invalid-certificate of the API, or NotShown where the ingress never answered with it.
           */
          readonly reason: string;
          /**
           * When that was found.
           */
          readonly at: string;
        };
      }[];
      /**
       * What the ingress was last seen to answer with, where that was ever a certificate of the customer's own.
       */
      readonly served?: {
        /**
         * Name of the Secret.
         */
        readonly secretName: string;
        /**
         * When it was first seen.
         */
        readonly since: string;
      };
    };
    /**
     * What earlier DNS checks found; the operator's own state.
     */
    readonly check?: {
      /**
       * When this series of checks began, with Add or Verify.
       */
      readonly startedAt?: string;
      /**
       * When the last check ended of which this status was written. A check that finds nothing new writes nothing.
       */
      readonly checkedAt?: string;
      /**
       * The last Verify request that was acted on.
       */
      readonly verifySeen?: string;
      /**
       * Whether the hostname points to the platform.
       */
      readonly routing?: 'Yes' | 'No' | 'Unknown';
      /**
       * Whether ownership is proven.
       */
      readonly ownership?: 'Yes' | 'No' | 'Unknown';
      /**
       * Whether CAA allows the certificate authority to issue.
       */
      readonly caa?: 'Yes' | 'No' | 'Unknown';
      /**
       * Whether two servers at different addresses agreed, if the zone has two.
       */
      readonly corroborated?: boolean;
      /**
       * What validating resolvers last said of the signatures (DNSSEC).
       */
      readonly dnssec?: 'Valid' | 'Bogus' | 'Unchecked';
      /**
       * The last combined answer to routing and CAA that was not Unknown.
       */
      readonly lastDefinite?: 'Yes' | 'No';
      /**
       * The accounts of the AcmeIssuer that the CAA records permit, where they do not permit all of them.
       *
       * @maxItems 4
       */
      readonly permittedAccounts?: readonly string[];
      /**
       * What last proved routing.
       */
      readonly routedBy?: 'target' | 'addresses' | 'token' | 'delegation';
      /**
       * What the redirector answers for the hostname while a server that is not the platform's stands in front of it. It proves nothing to anybody else.
       */
      readonly token?: {
        /**
         * Last part of the path that is asked for.
         */
        readonly nonce: string;
        /**
         * The body of the answer.
         */
        readonly answer: string;
      };
      /**
       * Apex of the zone that holds the hostname.
       */
      readonly zone?: string;
      /**
       * Names of the zone's servers, sorted, in lower case, without the trailing dot.
       *
       * @maxItems 13
       */
      readonly nameServers?: readonly string[];
      /**
       * Checks in a row that proved both; more than 2 are not counted.
       */
      readonly successes?: number;
      /**
       * Checks of a held name in a row that said no; more than 3 are not counted.
       */
      readonly failures?: number;
      /**
       * When they began.
       */
      readonly failingSince?: string;
      /**
       * Since when all checks have been inconclusive.
       */
      readonly unknownSince?: string;
      /**
       * While DNS does not lead here: the names from the hostname along its aliases, and how long caches keep the answer at each.
       *
       * @maxItems 9
       */
      readonly wrongChain?: readonly {
        /**
         * A fully qualified domain name.
         */
        readonly name: string;
        /**
         * How long caches keep the answer at this name, in seconds.
         */
        readonly ttl: number;
      }[];
      /**
       * Until when caches may still give what was there before the last change of the records.
       */
      readonly lingersUntil?: string;
    };
    /**
     * What happened to the domain, oldest first: the states it entered, and the findings, orders and certificates in between. Each kind keeps a share of the places, so that none pushes out another.
     *
     * @maxItems 50
     */
    readonly timeline?: readonly {
      /**
       * When it happened.
       */
      readonly at: string;
      /**
       * What it is about; absent means State, the state that was entered.
       */
      readonly kind?: 'State' | 'Finding' | 'Order' | 'Certificate';
      /**
       * The state that was entered, or that the domain was in.
       */
      readonly state: string;
      /**
       * One CamelCase word. For a State the reason of Ready, otherwise one of a documented set: a Finding has Appeared or Gone, an Order Ordered or Failed, a Certificate Issued, Renewed or Revoked, or Own, OwnEnding or OwnEnded.
       */
      readonly reason: string;
      /**
       * The issue's code, for a Finding.
       */
      readonly code?: string;
      /**
       * The issue's severity, for a Finding.
       */
      readonly severity?: 'Error' | 'Warning';
      /**
       * What sentences about it mention, by name.
       */
      readonly params?: {
        readonly [k: string]: string;
      };
      /**
       * Explanation for people.
       */
      readonly message: string;
    }[];
    /**
     * Observations, one per type.
     *
     * @maxItems 16
     */
    readonly conditions?: readonly Condition[];
  };
}
