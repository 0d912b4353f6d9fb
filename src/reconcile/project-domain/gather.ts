import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { childName, ownershipValue, projectTarget } from '../../model/target.ts';
import type { Account } from '../../generated/account.ts';
import { accountOf, limitsOf } from '../accounts.ts';
import type { Settings } from '../settings.ts';
import type { Caches } from '../world.ts';
import { indexKey } from '../world.ts';
import { recall } from './memory.ts';
import type { DomainSnapshot, HolderRecords, Rival, Standing } from './snapshot.ts';
import { verifyAnnotation, verifyRequest } from './verify-request.ts';

/** The snapshot before anything is asked of DNS or the ingress. */
export type Gathered = Omit<DomainSnapshot, 'judgement' | 'probe'>;

/** Reads the caches once and freezes what was found. */
export function gather(caches: Caches, settings: Settings, domain: ProjectDomain, now: number): Gathered {
  const { namespace = '' } = domain.metadata;
  const { hostname, project: projectName } = domain.spec;
  const account = accountOf(caches, namespace);
  const claim = caches.claims.get({ namespace: '', name: hostname });
  const standing = standingOf(domain, account, claim);
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
    siblings: rivals(caches, domain, caches.domains.byIndex('project', indexKey(namespace, projectName))),
    twins: twinsOf(caches, domain, account),
    claim,
    standing,
    holder: standing.kind === 'Foreign' && claim ? holderRecords(caches, settings, claim) : null,
    ...proofs(settings, domain, account?.spec.id, standing.epoch),
    certificate: caches.certificates.get(child),
    requests: caches.requests.byIndex('certificate', indexKey(child.namespace, child.name)),
    ingress: caches.ingresses.get(child),
    issuerAccountUri: caches.issuers.get({ namespace: '', name: settings.issuer.name })?.status?.acme?.uri ?? null,
    verify: verifyRequest(domain.metadata.annotations?.[verifyAnnotation], memory.verifySeen, now),
    memory,
  });
}

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

function standingOf(domain: ProjectDomain, account: Account | undefined, claim: HostnameClaim | undefined): Standing {
  if (!claim) return { kind: 'Free', epoch: 1 };
  const { phase, epoch, account: holder } = claim.spec;
  if (holder !== account?.spec.id) return { kind: 'Foreign', phase, epoch: epoch + 1 };
  if (phase === 'Tombstone') return { kind: 'Free', epoch };
  if (!holds(domain, claim)) return { kind: 'Sibling', epoch };
  return { kind: phase === 'Releasing' ? 'Releasing' : 'Held', epoch };
}

const holds = ({ metadata }: ProjectDomain, claim: HostnameClaim): boolean =>
  claim.spec.holder.namespace === metadata.namespace && claim.spec.holder.name === metadata.name;

function rankOf(domain: ProjectDomain, claim: HostnameClaim | undefined) {
  const { namespace = '', name, creationTimestamp = '' } = domain.metadata;
  const held = claim?.spec.phase === 'Held' && holds(domain, claim);
  return {
    held,
    provedAt: held ? claim.spec.proof.at : '',
    createdAt: creationTimestamp,
    key: indexKey(namespace, name),
  };
}

function twinsOf(caches: Caches, domain: ProjectDomain, account: Account | undefined): readonly Rival[] {
  const same = caches.domains
    .byIndex('hostname', domain.spec.hostname)
    .filter((other) => accountOf(caches, other.metadata.namespace ?? '')?.metadata.name === account?.metadata.name);
  return rivals(caches, domain, same);
}

function rivals(caches: Caches, domain: ProjectDomain, others: readonly ProjectDomain[]): readonly Rival[] {
  return others
    .filter((other) => other.metadata.uid !== domain.metadata.uid && !other.metadata.deletionTimestamp)
    .map((other) => ({
      namespace: other.metadata.namespace ?? '',
      name: other.metadata.name,
      hostname: other.spec.hostname,
      role: other.spec.role ?? 'Primary',
      rank: rankOf(other, caches.claims.get({ namespace: '', name: other.spec.hostname })),
    }));
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
