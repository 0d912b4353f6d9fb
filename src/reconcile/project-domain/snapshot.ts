import type { Account } from '../../generated/account.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Certificate, CertificateRequest } from '../../model/cert-manager.ts';
import type { Ingress } from '../../model/kubernetes.ts';
import type { Limits } from '../../model/limits.ts';
import type { Judgement } from '../../verdict/judgement.ts';
import type { ProbeResult } from '../../probe/port.ts';
import type { Settings } from '../settings.ts';
import type { CheckMemory } from './memory.ts';
import type { Rank } from './rank.ts';
import type { VerifyRequest } from './verify-request.ts';

/** Another ProjectDomain that competes with this one, for the hostname or for a place in the project. */
export interface Rival {
  readonly namespace: string;
  readonly name: string;
  readonly hostname: string;
  readonly role: 'Primary' | 'Redirect';
  readonly rank: Rank;
}

/** How the claim on the hostname stands to this domain. */
export type Standing =
  /** nobody's, or a tombstone of this account: proof creates or revives the claim */
  | { readonly kind: 'Free'; readonly epoch: number }
  | { readonly kind: 'Held'; readonly epoch: number }
  /** this domain lost the name to a better proof; its route is being withdrawn */
  | { readonly kind: 'Releasing'; readonly epoch: number }
  /** another object of the same account holds it */
  | { readonly kind: 'Sibling'; readonly epoch: number }
  /** another account's, held or tombstoned; `epoch` is the one a transfer would begin */
  | { readonly kind: 'Foreign'; readonly phase: 'Held' | 'Releasing' | 'Tombstone'; readonly epoch: number };

/** The records that keep a foreign holder in place: while either is visible the name does not move. */
export interface HolderRecords {
  readonly target: string | null;
  readonly ownership: string;
}

/** Everything that is decided from, frozen: caches read once, and what was asked of DNS and the ingress this time. */
export interface DomainSnapshot {
  readonly now: number;
  readonly settings: Settings;
  readonly domain: ProjectDomain;
  readonly account: Account | undefined;
  /** null when the account's plan does not exist */
  readonly limits: Limits | null;
  readonly project: Project | undefined;
  readonly rank: Rank;
  /** other domains of the same project */
  readonly siblings: readonly Rival[];
  /** other objects of the same account with the same hostname */
  readonly twins: readonly Rival[];
  readonly claim: HostnameClaim | undefined;
  readonly standing: Standing;
  readonly holder: HolderRecords | null;
  /** null while account or project are unknown */
  readonly target: string | null;
  /** this domain's ownership value; null while the account is unknown */
  readonly ownership: string | null;
  readonly certificate: Certificate | undefined;
  readonly requests: readonly CertificateRequest[];
  readonly ingress: Ingress | undefined;
  readonly issuerAccountUri: string | null;
  readonly verify: VerifyRequest;
  readonly memory: CheckMemory;
  /** this visit's look at DNS, null when it was not due */
  readonly judgement: Judgement | null;
  /** this visit's look at the route, null when it was not due */
  readonly probe: ProbeResult | null;
}
