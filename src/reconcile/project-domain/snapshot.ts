import type { Account } from '../../generated/account.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { OrderLedger } from '../../generated/order-ledger.ts';
import type { DomainBook } from '../../model/ledger/domain.ts';
import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Certificate, CertificateRequest } from '../../model/cert-manager.ts';
import type { Ingress } from '../../model/kubernetes.ts';
import type { FailureCounts } from '../../model/failures.ts';
import type { Limits } from '../../model/limits.ts';
import type { Rank, Rival } from '../../model/rank.ts';
import type { Standing } from '../../model/standing.ts';
import type { Judgement } from '../../verdict/judgement.ts';
import type { ProbeResult } from '../../probe/port.ts';
import type { Settings } from '../settings.ts';
import type { CheckMemory } from './memory.ts';
import type { VerifyRequest } from './verify-request.ts';

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
  /** nothing is known of certificate and requests now; left out where something is */
  readonly certManagerAway?: boolean;
  readonly certificate: Certificate | undefined;
  readonly requests: readonly CertificateRequest[];
  /** what was ordered of the issuer; undefined before its first order */
  readonly orderLedger: OrderLedger | undefined;
  /** what was ordered below the same registered domain; read only while a request waits */
  readonly domainBook: DomainBook;
  /** the account's first orders of a week; read only while a request waits */
  readonly served: number;
  readonly ingress: Ingress | undefined;
  /** route of the hostname a Redirect leads to */
  readonly destination: Ingress | undefined;
  readonly issuerAccountUri: string | null;
  readonly verify: VerifyRequest;
  readonly memory: CheckMemory;
  /** of all domains, to tell one that fails from a world that does */
  readonly failures: FailureCounts;
  /** this visit's look at DNS, null when it was not due */
  readonly judgement: Judgement | null;
  /** this visit's look at the route, null when it was not due */
  readonly probe: ProbeResult | null;
}
