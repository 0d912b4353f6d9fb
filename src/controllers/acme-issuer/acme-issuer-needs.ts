import type { AcmeClients } from '../../acme/acme-clients.ts';
import type { AuthorityHealth } from './authority-health.ts';
import type { AccountLook } from './observe-account.ts';
import type { RegisteredAccounts } from './registered-accounts.ts';
import type { CommonNeeds } from '../needs.ts';

/** What reconciles of this kind need of the outside. */
export interface AcmeIssuerNeeds extends CommonNeeds {
  readonly accounts: RegisteredAccounts;
  /** by the name of the issuer */
  readonly accountLooks: Map<string, AccountLook>;
  readonly acmeClients: AcmeClients;
  readonly authorityHealth: AuthorityHealth;
}
