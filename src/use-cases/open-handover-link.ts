import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DnsHost } from '../rules/dns-hosts/dns-host-advice.ts';
import { dnsHostOf } from '../rules/dns-hosts/dns-hosts.ts';
import type { ApiDependencies, Caller } from './api-dependencies.ts';
import { namespaceOf, openedBy } from './caller.ts';
import type { DomainView } from './domain-view.ts';
import { domainView } from './describe-domain.ts';
import type { HandoverLink } from './handover-links-port.ts';

/** What a hand-over link shows: the records of one domain. Nothing of the account, the project or the plan but who sends it. */
export interface HandoverView {
  readonly hostname: string;
  /** what decides about its records */
  readonly domain: Pick<DomainView, 'state' | 'reason' | 'records' | 'issues'>;
  /** who hosts the zone, with what its form calls the fields; null for an unknown one */
  readonly dnsHost: DnsHost | null;
  /** who sends it, in the sender's own words; null where nobody is named */
  readonly from: string | null;
  /** whether DNS has been checked at all */
  readonly isChecked: boolean;
  /** when DNS is checked next; RFC 3339, null while a check is under way or none is planned */
  readonly nextCheckAt: string | null;
  /** when the link ends; RFC 3339 */
  readonly expiresAt: string;
}

interface Opens {
  /** whoever made the link, with the limits of today */
  readonly maker: Caller;
  readonly domain: ProjectDomain;
}

/**
 * What a link opens; null once it has ended with its key, its account or its domain. The key may not have lost the
 * scope either, and the domain must still be in the account's namespace.
 */
export function opensOf({ caches, now }: ApiDependencies, link: HandoverLink): Opens | null {
  const { account, keyId, namespace, name, uid } = link;
  const apiKey = caches.apiKeys.byIndex('keyId', keyId).find(({ spec }) => spec.account === account);
  const maker = openedBy(caches, apiKey, now());
  if ('refused' in maker || !maker.apiKey.spec.scopes.includes('domains:write')) return null;
  const domain = caches.domains.get({ namespace, name });
  if (domain?.metadata.uid !== uid || domain.metadata.deletionTimestamp) return null;
  return namespaceOf(caches, maker) === namespace ? { maker, domain } : null;
}

/** The records that a link shows; null for a link that has ended. Looks nothing up but in the caches. */
export function showHandover(dependencies: ApiDependencies, link: HandoverLink): HandoverView | null {
  const opens = opensOf(dependencies, link);
  if (opens === null) return null;
  const { maker: caller, domain } = opens;
  const { hostname, state, reason, records, issues, nextCheckAt } = domainView({ dependencies, caller }, domain);
  const { nameServers = [], checkedAt } = domain.status?.check ?? {};
  return {
    hostname,
    domain: { state, reason, records, issues },
    dnsHost: dnsHostOf(nameServers),
    from: link.from ?? null,
    isChecked: checkedAt !== undefined,
    nextCheckAt,
    expiresAt: new Date(link.expires).toISOString(),
  };
}
