/* Generated from crds/ by `npm run generate`; never edited by hand. */

import type { Condition, ObjectMeta } from './object-meta.ts';

/**
 * A customer's published service. It is served at its platform hostname and at custom domains (ProjectDomain).
 */
export interface Project {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  /**
   * The project's Service, subdomain and domains.
   */
  readonly spec: {
    /**
     * The Service in this namespace that serves the project.
     */
    readonly service: {
      /**
       * Name of the Service.
       */
      readonly name: string;
      /**
       * Port of the Service.
       */
      readonly port: number;
    };
    /**
     * One DNS label under the platform's domain, refused where it is reserved or another project has it. Without one the project is served at its name, or, where that is not to be had, at one that is made of it; status.platformHostname tells it.
     */
    readonly subdomain?: string;
    /**
     * The routing class that serves the project's own hostnames, one of those that its plan permits. Defaults to the first of these.
     */
    readonly routingClass?: string;
    /**
     * Project-level configuration of domains; each entry becomes a ProjectDomain of the project.
     */
    readonly domains?: {
      /**
       * The project's own ProjectDomains that were made separately become its entries where they are listed here. Without it they win over the entries.
       */
      readonly adopt?: boolean;
      /**
       * The hostname that serves the project.
       */
      readonly primary?: string;
      /**
       * Hostnames that redirect.
       *
       * @maxItems 500
       */
      readonly redirects?: readonly {
        /**
         * The hostname that redirects.
         */
        readonly from: string;
        /**
         * The destination hostname; the primary when absent.
         */
        readonly to?: string;
        /**
         * HTTP status of the redirect.
         */
        readonly status?: 301 | 302 | 307 | 308;
      }[];
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
     * Where the platform itself serves the project; absent while the project does not hold that hostname.
     */
    readonly platformHostname?: string;
    /**
     * What customers' CNAME records of this project point to.
     */
    readonly target?: string;
    /**
     * The routing classes that are to serve the project's own hostnames.
     *
     * @maxItems 8
     */
    readonly routingClasses?: readonly string[];
    /**
     * The addresses that the target has to lead to, where the wildcard record of all targets does not lead there.
     *
     * @maxItems 16
     */
    readonly targetAddresses?: readonly string[];
    /**
     * When the Service was first seen with a ready endpoint. Never reset.
     */
    readonly deployedAt?: string;
    /**
     * The next certificate of the platform hostname, if each has its own.
     */
    readonly certificate?: {
      /**
       * Uid of the CertificateRequest waiting for its turn in the order ledger.
       */
      readonly request?: string;
      /**
       * Until when the next order waits, if known.
       */
      readonly waitsUntil?: string;
      /**
       * What the next order waits for, as one CamelCase word; one of a documented set.
       */
      readonly waitsFor?: string;
    };
    /**
     * Summary of the project's domains.
     *
     * @maxItems 10000
     */
    readonly domains?: readonly {
      /**
       * The hostname.
       */
      readonly hostname: string;
      /**
       * Its role in the project.
       */
      readonly role: 'Primary' | 'Redirect';
      /**
       * Its ProjectDomain's state.
       */
      readonly state: string;
    }[];
    /**
     * Observations, one per type.
     *
     * @maxItems 16
     */
    readonly conditions?: readonly Condition[];
  };
}
