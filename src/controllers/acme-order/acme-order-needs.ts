import type { AcmeClients } from '../../acme/acme-clients.ts';
import type { ChallengeZone } from '../../dns/challenge-zone.ts';
import type { ChallengeProbe } from '../../routing/challenge-probe.ts';
import type { AuthorityHealth } from '../acme-issuer/authority-health.ts';
import type { RegisteredAccounts } from '../acme-issuer/registered-accounts.ts';
import type { Attempts, OrderAttempt } from './order-attempts.ts';
import type { CommonNeeds } from '../needs.ts';

/** What reconciles of this kind need of the outside. */
export interface AcmeOrderNeeds extends CommonNeeds {
  readonly accounts: RegisteredAccounts;
  readonly acmeClients: AcmeClients;
  readonly authorityHealth: AuthorityHealth;
  readonly orderAttempts: Attempts<OrderAttempt>;
  readonly challengeProbe: ChallengeProbe;
  /** null where hostnames cannot be prepared */
  readonly challengeZone: ChallengeZone | null;
  /** true while the caches of cert-manager's kinds hold nothing yet, or what once was */
  readonly certManagerUnavailable: () => boolean;
}
