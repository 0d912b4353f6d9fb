import type { AcmeClients } from '../acme/acme-clients.ts';
import type { ChallengeProbe } from '../routing/challenge-probe.ts';
import type { AccountLooks } from './acme-issuer/account-looks.ts';
import type { AuthorityHealth } from './acme-issuer/authority-health.ts';
import type { RegisteredAccounts } from './acme-issuer/registered-accounts.ts';
import type { OrderAttempts } from './acme-order/order-attempts.ts';
import type { RevocationAttempts } from './revocation/revocation-attempts.ts';
import type { EndedRevocation } from './revocation/ended-revocation.ts';
import type { Cache, HeadOf, ObjectOf } from '../kubernetes/kubernetes-port.ts';
import type { EdgeControllers } from '../routing/route-findings.ts';
import type { ObservedRoutes } from '../routing/observed-routes.ts';
import type { Ingress } from '../resources/kubernetes-types.ts';
import type { Tracer } from '../lib/tracer.ts';
import type { WatchedKinds } from './watched-kinds.ts';
import type { ChallengeZone } from '../dns/challenge-zone.ts';
import type { Dns } from '../dns/dns-facts.ts';
import type { Finding } from '../rules/conditions.ts';
import type { IssuerReason } from '../rules/reasons.ts';
import type { FailureCounts } from '../rules/domain-state.ts';
import type { Probe } from '../routing/https-probe.ts';
import type { TokenProbe } from '../routing/token-probe/token-probe.ts';
import type { GatewayGuard } from './gateway-guard.ts';
import type { ApplyDependencies } from './apply-actions.ts';
import type { RedirectorRollout } from './redirector-endpoints/redirector-rollout.ts';
import type { ForeignLooks } from './project/foreign-looks.ts';
import type { RecentChecks } from './project-domain/recent-checks.ts';
import type { PrecedenceIndex } from './precedence-index.ts';
import type { ControllerSettings } from './controller-settings.ts';

/**
 * Addresses that targets resolved to in the last 24 hours: what a flattened record may still show (docs/concepts/
 * dns-rules.md). Times are milliseconds since the Unix epoch.
 */
export interface TargetAddresses {
  of(target: string): readonly string[];
  saw(target: string, addresses: readonly string[]): void;
}

const keptFor = 24 * 3_600_000;

/** Keeps nothing of a target that leads to the platform's configured addresses alone, as those count anyway. */
export function createTargetAddresses(now: () => number, configured: readonly string[]): TargetAddresses {
  const seen = new Map<string, Map<string, number>>();
  const recent = (target: string) => [...(seen.get(target) ?? [])].filter(([, at]) => now() - at <= keptFor);
  return {
    of: (target) => recent(target).map(([address]) => address),
    saw(target, addresses) {
      const others = addresses.filter((address) => !configured.includes(address));
      const kept = new Map([...recent(target), ...others.map((address) => [address, now()] as const)]);
      if (kept.size > 0) seen.set(target, kept);
      else seen.delete(target);
    },
  };
}

/** What observing reads: one cache a kind, filled before anything is decided, and what is kept up to date over them. */
export type Caches = {
  readonly [Name in keyof WatchedKinds]: Cache<ObjectOf<WatchedKinds[Name]>, HeadOf<WatchedKinds[Name]>>;
} & {
  readonly routes: ObservedRoutes;
  /** Ingresses of others, by the index `host` */
  readonly otherIngresses: Pick<Cache<Ingress>, 'byIndex'>;
  readonly precedenceIndex: PrecedenceIndex;
  readonly failureCounts: () => FailureCounts;
};

/** Everything outside that a reconcile touches: read through caches, dns and probe, changed through the cluster. */
export interface ReconcilerDependencies extends ApplyDependencies {
  readonly settings: ControllerSettings;
  readonly caches: Caches;
  readonly dns: Dns;
  readonly tracer: Tracer;
  readonly probe: Probe;
  readonly tokenProbe: TokenProbe;
  readonly challengeProbe: ChallengeProbe;
  /** null where hostnames cannot be prepared */
  readonly challengeZone: ChallengeZone | null;
  readonly acmeClients: AcmeClients;
  readonly accounts: RegisteredAccounts;
  readonly accountLooks: AccountLooks;
  readonly authorityHealth: AuthorityHealth;
  readonly orderAttempts: OrderAttempts;
  readonly revocationAttempts: RevocationAttempts;
  /** called with how each certificate's revocation ended */
  readonly observeRevocation: (ended: EndedRevocation) => void;
  readonly targets: TargetAddresses;
  readonly recentChecks: RecentChecks;
  readonly foreignLooks: ForeignLooks;
  /** called when a check finds the right record, with the milliseconds since the last one that did not */
  readonly observeRecordFound: (ms: number) => void;
  /** where the redirector's addresses have got to */
  readonly rollout: RedirectorRollout;
  /** true while the caches of cert-manager's kinds hold nothing yet, or what once was */
  readonly certManagerUnavailable: () => boolean;
  /** how cert-manager is set up; null when the installation does not look */
  readonly issuerGuard: () => Promise<Finding<IssuerReason> | null>;
  /** whether nobody else can attach to the Gateway; null where none serves hostnames */
  readonly gatewayGuard: () => Promise<GatewayGuard | null>;
  /** whose the Gateways are that serve hostnames */
  readonly edgeControllers: () => Promise<EdgeControllers>;
  /** whether Kubernetes counts our kinds, so that a ResourceQuota of them may be made */
  readonly areQuotasCounted: () => Promise<boolean>;
}
