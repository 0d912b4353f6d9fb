import type { AcmeClients } from '../../acme/acme-clients.ts';
import type { AccountLooks } from './account-looks.ts';
import type { AuthorityHealth } from './authority-health.ts';
import type { RegisteredAccounts } from './registered-accounts.ts';
import type { CommonNeeds } from '../needs.ts';

/** What reconciles of this kind need of the outside. */
export interface AcmeIssuerNeeds extends CommonNeeds {
  readonly accounts: RegisteredAccounts;
  readonly accountLooks: AccountLooks;
  readonly acmeClients: AcmeClients;
  readonly authorityHealth: AuthorityHealth;
}
