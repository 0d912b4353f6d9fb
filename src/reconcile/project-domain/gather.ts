import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { isHolder, rankOf, rivalsOf } from '../../model/rank.ts';
import { standingOf } from '../../model/standing.ts';
import { childName, ownershipValue, projectTarget } from '../../model/target.ts';
import type { Account } from '../../generated/account.ts';
import { accountOf, limitsOf } from '../accounts.ts';
import type { Settings } from '../settings.ts';
import type { Caches } from '../world.ts';
import { indexKey } from '../world.ts';
import { recall } from './memory.ts';
import type { DomainSnapshot, HolderRecords } from './snapshot.ts';
import { verifyAnnotation } from '../../model/verify.ts';
import { verifyRequest } from './verify-request.ts';

/** The snapshot before anything is asked of DNS or the ingress. */
export type Gathered = Omit<DomainSnapshot, 'judgement' | 'probe'>;

/** Reads the caches once and freezes what was found. */
export function gather(caches: Caches, settings: Settings, domain: ProjectDomain, now: number): Gathered {
  const { namespace = '' } = domain.metadata;
  const { hostname, project: projectName, redirect } = domain.spec;
  const account = accountOf(caches, namespace);
  const claimOf = (name: string) => caches.claims.get({ namespace: '', name });
  const claim = claimOf(hostname);
  const standing = standingOf(domain, account?.spec.id ?? lastKnownAccount(domain, claim), claim);
  const child = { namespace, name: childName(hostname) };
  const memory = recall(domain);
  return Object.freeze({
    now,
    settings,
    domain,
    account,
    limits: limitsOf(caches, account),
    project: caches.projects.get({ namespace, name: projectName }),
    rank: rankOf(domain, claim),
    siblings: rivalsOf(domain, caches.domains.byIndex('project', indexKey(namespace, projectName)), claimOf),
    twins: rivalsOf(domain, twinsOf(caches, domain, account), claimOf),
    claim,
    standing,
    holder: standing.kind === 'Foreign' && claim ? holderRecords(caches, settings, claim) : null,
    ...proofs(settings, domain, account?.spec.id, standing.epoch),
    certificate: caches.certificates.get(child),
    requests: caches.requests.byIndex('certificate', indexKey(child.namespace, child.name)),
    ingress: caches.ingresses.get(child),
    destination: redirect && caches.ingresses.get({ namespace, name: childName(redirect.to) }),
    issuerAccountUri: issuerAccountUri(caches, settings),
    verify: verifyRequest(domain.metadata.annotations?.[verifyAnnotation], memory.verifySeen, now),
    memory,
  });
}

/**
 * Whose a domain is while its account is not to be seen (a partial restore): the claim says so of its holder. Nothing
 * new is made for it, for it is not accepted; but what it has goes on.
 */
const lastKnownAccount = (domain: ProjectDomain, claim: HostnameClaim | undefined): string | undefined =>
  claim && isHolder(claim, domain) ? claim.spec.account : undefined;

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

function twinsOf(caches: Caches, domain: ProjectDomain, account: Account | undefined): readonly ProjectDomain[] {
  return caches.domains
    .byIndex('hostname', domain.spec.hostname)
    .filter((other) => accountOf(caches, other.metadata.namespace ?? '')?.metadata.name === account?.metadata.name);
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
