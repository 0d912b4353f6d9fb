import type { DnsHost } from '../rules/dns-hosts/known-dns-hosts.ts';
import type { DomainSituation } from '../use-cases/domain-view.ts';
import type { ProjectView } from '../use-cases/projects.ts';

/** One of several domains that are set up together. */
export interface SetupDomain {
  readonly situation: DomainSituation;
  /** the provider that serves the zone, if recognised */
  readonly dnsHost: DnsHost | null;
  /** somebody asked for a check that has not been made */
  readonly isVerifyAhead: boolean;
}

/** The page of several domains that are set up together. */
export interface SetupModel {
  readonly project: ProjectView;
  readonly domains: readonly SetupDomain[];
  /** hostnames that were asked for, and that the project does not have */
  readonly gone: readonly string[];
  /** whether the key that opened the session may change domains */
  readonly mayWrite: boolean;
}

/** The most domains of such a page: their records are one table. */
export const setupMaximum = 10;
