/* Generated from crds/ by `npm run generate`; never edited by hand. */

import type { ObjectMeta } from './object-meta.ts';

/**
 * What an account on this plan may do. Missing defaults (free, pro, business, enterprise) are created by the operator and never overwritten.
 */
export interface Plan {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  /**
   * The plan's limits.
   */
  readonly spec: {
    /**
     * Requests to the platform's API, counted per account across all of its keys.
     */
    readonly rateLimit: {
      /**
       * Requests in any sliding minute.
       */
      readonly requestsPerMinute: number;
      /**
       * Requests in a calendar day (UTC).
       */
      readonly requestsPerDay: number;
    };
    /**
     * A limit that is tried out, counted beside the one in force and refusing nothing. The metric projectdomain_quota_shadow_total tells what it would refuse.
     */
    readonly shadowRateLimit?: {
      /**
       * Requests in any sliding minute.
       */
      readonly requestsPerMinute: number;
      /**
       * Requests in a calendar day (UTC).
       */
      readonly requestsPerDay: number;
    };
    /**
     * Whether each account's limits are agreed with it (Account.spec.overrides), so that comparisons of plans say so in place of numbers. Defaults to false.
     */
    readonly negotiated?: boolean;
    /**
     * Whether comparisons of plans show this one to every account. Otherwise only the accounts on it see it. Defaults to false.
     */
    readonly listed?: boolean;
    /**
     * Customers' own domains.
     */
    readonly customDomains: {
      /**
       * Whether projects may be served at domains of the customer's own.
       */
      readonly enabled: boolean;
      /**
       * How many domains a project may have.
       */
      readonly maxPerProject: number;
    };
    /**
     * How many objects of each kind an account may have.
     */
    readonly maximum?: {
      /**
       * How many Projects the account may have. Defaults to 100.
       */
      readonly projects?: number;
      /**
       * How many ProjectDomains the account may have, across all of its projects. Defaults to 10,000.
       */
      readonly domains?: number;
      /**
       * How many ApiKeys the account may create through REST or the dashboard. Defaults to 50.
       */
      readonly apiKeys?: number;
    };
    /**
     * The routing classes that may serve the hostnames of a project, in order of preference. A project names one of them, or gets the first. Where there are none, every class serves it that is not for those alone that choose it.
     *
     * @maxItems 8
     */
    readonly routingClasses?: readonly string[];
  };
}
