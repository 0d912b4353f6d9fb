import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Limits } from '../../model/limits.ts';
import type { Rank, Rival } from '../../model/rank.ts';
import { namesHolder, rankOf } from '../../model/rank.ts';
import { standingOf } from '../../model/standing.ts';
import { childName, ownershipValue, projectTarget } from '../../model/target.ts';
import type { Account } from '../../generated/account.ts';
import { accountOf, limitsOf, namespacesOf } from '../accounts.ts';
import { ahead } from '../ranking.ts';
import type { Settings } from '../settings.ts';
import type { Caches } from '../world.ts';
import { indexKey } from '../keys.ts';
import { undecided } from '../approval.ts';
import { read, unread } from '../books.ts';
import { recall } from './memory.ts';
import type { DomainSnapshot, HolderRecords } from './snapshot.ts';
import { verifyAnnotation } from '../../model/verify.ts';
import { verifyRequest } from './verify-request.ts';

/** The snapshot before anything is asked of the neighbours: DNS, the ingress, cert-manager. */
export type Gathered = Omit<DomainSnapshot, 'judgement' | 'probe' | 'certManagerAway'>;

/** Reads the caches once and freezes what was found. */
export function gather(caches: Caches, settings: Settings, domain: ProjectDomain, now: number): Gathered {
  const { namespace = '' } = domain.metadata;
  const { hostname, project: projectName, redirect } = domain.spec;
  const account = accountOf(caches, namespace);
  const claim = caches.claims.get({ namespace: '', name: hostname });
  const limits = limitsOf(caches, account);
  const accountId = account?.spec.id ?? lastKnownAccount(domain, claim);
  const rank = rankOf(domain, claim, accountId);
  const standing = standingOf(domain, accountId, claim);
  const child = { namespace, name: childName(hostname) };
  const memory = recall(domain);
  const requests = caches.requests.byIndex('certificate', indexKey(child.namespace, child.name));
  return Object.freeze({
    now,
    settings,
    domain,
    account,
    limits,
    project: caches.projects.get({ namespace, name: projectName }),
    rank,
    siblings: siblingsThatMatter(caches, domain, { rank, limits }),
    twins: firstTwins(caches, domain, account),
    claim,
    standing,
    holder: standing.kind === 'Foreign' && claim ? holderRecords(caches, settings, claim) : null,
    ...proofs(settings, domain, account?.spec.id, standing.epoch),
    certificate: caches.certificates.get(child),
    requests,
    orderLedger: caches.orderLedgers.get({ namespace: '', name: settings.issuer.name }),
    ...(undecided(requests).length > 0 ? read({ caches, settings, now }, hostname, account?.spec.id) : unread),
    ingress: caches.ingresses.get(child),
    destination: redirect && caches.ingresses.get({ namespace, name: childName(redirect.to) }),
    issuerAccountUri: issuerAccountUri(caches, settings),
    verify: verifyRequest(domain.metadata.annotations?.[verifyAnnotation], memory.verifySeen, now),
    memory,
    failures: caches.failures(),
  });
}

/**
 * Whose a domain is while its account is not to be seen (a partial restore): the claim says so of its holder. Nothing
 * new is made for it, for it is not accepted; but what it has goes on.
 */
const lastKnownAccount = (domain: ProjectDomain, claim: HostnameClaim | undefined): string | undefined =>
  claim && namesHolder(claim, domain) ? claim.spec.account : undefined;

const issuerAccountUri = ({ issuers }: Caches, { issuer }: Settings): string | null =>
  issuers.get({ namespace: '', name: issuer.name })?.status?.acme?.uri ?? null;

function proofs(
  { secret, cnameDomain }: Settings,
  { spec }: ProjectDomain,
  accountId: string | undefined,
  epoch: number,
) {
  if (!accountId) return { target: null, ownership: null };
  return {
    target: projectTarget(secret, { accountId, name: spec.project }, cnameDomain),
    ownership: ownershipValue(secret, { accountId, hostname: spec.hostname, epoch }),
  };
}

/** More siblings ahead than any cap changes nothing that is decided, except under a cap that is larger yet. */
const aheadAtLeast = 50;

/**
 * Those siblings that anything is decided from: the first ones ahead, one more than the cap, and where a redirect leads
 * to. So many at most, however many there are.
 */
function siblingsThatMatter(
  { ranking, domains }: Caches,
  { metadata: { namespace = '' }, spec }: ProjectDomain,
  { rank, limits }: { readonly rank: Rank; readonly limits: Limits | null },
): readonly Rival[] {
  const atMost = Math.max(limits?.customDomains.maxPerProject ?? 0, aheadAtLeast) + 1;
  const first = ahead(ranking.ofProject(namespace, spec.project), rank, atMost);
  const { redirect } = spec;
  if (!redirect) return first;
  const destination = ranking
    .ofHostname(namespace, redirect.to)
    .slice(0, aheadAtLeast)
    .find((rival) => rival.rank.key !== rank.key && domains.get(rival)?.spec.project === spec.project);
  return destination === undefined || first.includes(destination) ? first : [...first, destination];
}

/** The best of the account's other objects with this hostname, from each of its namespaces. */
function firstTwins(caches: Caches, { metadata, spec }: ProjectDomain, account: Account | undefined): readonly Rival[] {
  const { namespace = '', name } = metadata;
  const places = new Set([namespace, ...(account ? namespacesOf(caches, account.metadata.name) : [])]);
  const isSelf = (rival: Rival) => rival.namespace === namespace && rival.name === name;
  return [...places].flatMap(
    (place) =>
      caches.ranking
        .ofHostname(place, spec.hostname)
        .slice(0, 2)
        .find((rival) => !isSelf(rival)) ?? [],
  );
}

/** What would still be in DNS if the foreign holder had not left: its own target and its own ownership value. */
function holderRecords(caches: Caches, settings: Settings, claim: HostnameClaim): HolderRecords {
  const { account: accountId, holder, epoch } = claim.spec;
  const project = caches.domains.get(holder)?.spec.project;
  const { secret, cnameDomain } = settings;
  return {
    target: project ? projectTarget(secret, { accountId, name: project }, cnameDomain) : null,
    ownership: ownershipValue(secret, { accountId, hostname: claim.metadata.name, epoch }),
  };
}
