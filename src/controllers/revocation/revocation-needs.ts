import type { AcmeClients } from '../../acme/acme-clients.ts';
import type { AuthorityHealth } from '../acme-issuer/authority-health.ts';
import type { RegisteredAccounts } from '../acme-issuer/registered-accounts.ts';
import type { EndedRevocation } from './decide-revocation.ts';
import type { Attempts, RevocationAttempt } from '../acme-order/order-attempts.ts';
import type { CommonNeeds } from '../needs.ts';

/** What reconciles of this kind need of the outside. */
export interface RevocationNeeds extends CommonNeeds {
  readonly acmeClients: AcmeClients;
  readonly accounts: RegisteredAccounts;
  readonly authorityHealth: AuthorityHealth;
  readonly revocationAttempts: Attempts<RevocationAttempt>;
  /** called with how each certificate's revocation ended */
  readonly observeRevocation: (ended: EndedRevocation) => void;
  /** true while the caches of cert-manager's kinds hold nothing yet, or what once was */
  readonly certManagerUnavailable: () => boolean;
}
