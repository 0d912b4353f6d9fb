import { handoverPath } from '../rules/handover-path.ts';
import type { RequestContext } from './api-dependencies.ts';
import type { DomainPath } from './find-in-account.ts';
import { domainOf } from './find-in-account.ts';
import type { HandoverDays, HandoverLink } from './handover-links-port.ts';
import { linksPerDomain } from './handover-links-port.ts';
import { opensOf } from './open-handover-link.ts';
import { Problem } from './problem.ts';
import { useCase } from './use-case.ts';

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

const timestamp = (ms: number): string => new Date(ms).toISOString();

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
    const { handoverLinks, now } = context.dependencies;
    const { namespace = '', name, uid = '' } = domainOf(context, path).metadata;
    const { account, keyId = '' } = context.caller.apiKey.spec;
    const created = now();
    const sender = from === '' ? {} : { from };
    const link = { account, keyId, namespace, name, uid, ...sender, created, expires: created + days * dayMs };
    const made = (await handoverLinks.create(link)) ?? (await createInPlace(context, link));
    if (made) return { ...linkView(made.link), path: handoverPath(made.token) };
    throw new Problem('link-cap-reached', `the domain has ${linksPerDomain} links; revoke one that is no longer used`);
  },
);

/**
 * Creates a link in the place of those whose key is gone, which open nothing. Only where there is no other place: what
 * a key is like is known from a cache, which may be behind.
 */
async function createInPlace({ dependencies }: RequestContext, link: Omit<HandoverLink, 'id'>) {
  const { handoverLinks } = dependencies;
  const ended = (await handoverLinks.list(link.uid)).filter((other) => opensOf(dependencies, other) === null);
  await Promise.all(ended.map(({ id }) => handoverLinks.revoke(link.uid, id)));
  return ended.length === 0 ? null : handoverLinks.create(link);
}

interface RevokeHandoverLink extends DomainPath {
  readonly link: string;
}

/** Ends a link at once. Rejects with not-found, also for the links of other domains, and with links-unavailable. */
export const revokeHandoverLink = useCase<RevokeHandoverLink, void>('domains:write', async (context, input) => {
  const isRevoked = await context.dependencies.handoverLinks.revoke(uidOf(context, input), input.link);
  if (!isRevoked) throw new Problem('not-found', `domain ${input.hostname} has no such link; it may have expired`);
});
