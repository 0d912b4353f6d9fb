import type { AuthorityHealth } from '../acme-issuer/authority-health.ts';
import type { RegisteredAccounts } from '../acme-issuer/registered-accounts.ts';
import type { CommonNeeds } from '../needs.ts';

/** What reconciles of this kind need of the outside. */
export interface OrderLedgerNeeds extends CommonNeeds {
  readonly accounts: RegisteredAccounts;
  readonly authorityHealth: AuthorityHealth;
}
