import { handoverPath } from '../rules/handover-path.ts';
import type { RequestContext, ApiDependencies, Caller } from './api-dependencies.ts';
import type { DomainPath } from './find-in-account.ts';
import { domainOf } from './find-in-account.ts';
import type { HandoverDays, HandoverLink } from './handover-links-port.ts';
import { linkSecretBytes, linksPerDomain } from './handover-links-port.ts';
import { timestamp } from '../rules/conditions.ts';
import { Problem } from './problem.ts';
import { useCase } from './use-case.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DnsHost } from '../rules/dns-hosts/known-dns-hosts.ts';
import { dnsHostOf } from '../rules/dns-hosts/dns-hosts.ts';
import { namespaceOf, openedBy } from './caller.ts';
import type { DomainView } from './domain-view.ts';
import { domainView } from './describe-domain.ts';

/** A hand-over link as its account sees it. Times are RFC 3339. */
export interface HandoverLinkView {
  readonly id: string;
  /** public part of the API key that made it */
  readonly createdBy: string;
  /** who sends it, as the page that it opens says; null where nobody is named */
  readonly from: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface CreatedHandoverLinkView extends HandoverLinkView {
  /** path of the page on the API's host; this is the only time it is shown */
  readonly path: string;
}

const linkView = ({ id, keyId, from, created, expires }: HandoverLink): HandoverLinkView => ({
  id,
  createdBy: keyId,
  from: from ?? null,
  createdAt: timestamp(created),
  expiresAt: timestamp(expires),
});

const uidOf = (context: RequestContext, path: DomainPath): string => domainOf(context, path).metadata.uid ?? '';

/** The domain's links that still open, oldest first. Rejects with links-unavailable. */
export const listHandoverLinks = useCase<DomainPath, readonly HandoverLinkView[]>(
  'domains:read',
  async (context, path) => {
    const all = await context.dependencies.handoverLinks.list(uidOf(context, path));
    return all.filter((link) => opensOf(context.dependencies, link) !== null).map(linkView);
  },
);

interface NewHandoverLink extends DomainPath {
  readonly days: HandoverDays;
  /** who sends it; nobody is named where it is empty */
  readonly from?: string;
}

const dayMs = 86_400_000;

/**
 * Makes a link to a page that shows the domain's records to whoever has the link, and nothing else. Rejects with
 * link-cap-reached, and with links-unavailable.
 */
export const createHandoverLink = useCase<NewHandoverLink, CreatedHandoverLinkView>(
  'domains:write',
  async (context, { days, from = '', ...path }) => {
    const { handoverLinks, now, random } = context.dependencies;
    const { namespace = '', name, uid = '' } = domainOf(context, path).metadata;
    const { account, keyId = '' } = context.caller.apiKey.spec;
    const created = now();
    const sender = from === '' ? {} : { from };
    const link = { account, keyId, namespace, name, uid, ...sender, created, expires: created + days * dayMs };
    const secret = Uint8Array.from({ length: linkSecretBytes }, () => random(256));
    const made = (await handoverLinks.create(link, secret)) ?? (await createInPlace(context, link, secret));
    if (made) return { ...linkView(made.link), path: handoverPath(made.token) };
    throw new Problem('link-cap-reached', `the domain has ${linksPerDomain} links; revoke one that is no longer used`);
  },
);

/**
 * Creates a link in the place of those whose key is gone, which open nothing. Only where there is no other place: what
 * a key is like is known from a cache, which may be behind.
 */
async function createInPlace({ dependencies }: RequestContext, link: Omit<HandoverLink, 'id'>, secret: Uint8Array) {
  const { handoverLinks } = dependencies;
  const ended = (await handoverLinks.list(link.uid)).filter((other) => opensOf(dependencies, other) === null);
  await Promise.all(ended.map(({ id }) => handoverLinks.revoke(link.uid, id)));
  return ended.length === 0 ? null : handoverLinks.create(link, secret);
}

interface RevokeHandoverLink extends DomainPath {
  readonly link: string;
}

/** Ends a link at once. Rejects with not-found, also for the links of other domains, and with links-unavailable. */
export const revokeHandoverLink = useCase<RevokeHandoverLink, void>('domains:write', async (context, input) => {
  const isRevoked = await context.dependencies.handoverLinks.revoke(uidOf(context, input), input.link);
  if (!isRevoked) throw new Problem('not-found', `domain ${input.hostname} has no such link; it may have expired`);
});

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
function opensOf({ caches, now }: ApiDependencies, link: HandoverLink): Opens | null {
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
