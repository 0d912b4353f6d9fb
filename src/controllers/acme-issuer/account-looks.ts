import type { AccountObservation } from './observe-account.ts';

/** What was found of an issuer's accounts when they were last looked at. */
export interface AccountLook {
  /** milliseconds since the Unix epoch */
  readonly at: number;
  /** of the issuer's spec */
  readonly generation: number;
  /** in the order of spec.accounts */
  readonly observations: readonly AccountObservation[];
}

/** The last look at each issuer's accounts: what else changes of its status asks no authority. */
export interface AccountLooks {
  of(issuer: string): AccountLook | undefined;
  record(issuer: string, look: AccountLook): void;
  forget(issuer: string): void;
}

export function createAccountLooks(): AccountLooks {
  const known = new Map<string, AccountLook>();
  return {
    of: (issuer) => known.get(issuer),
    record: (issuer, look) => void known.set(issuer, look),
    forget: (issuer) => void known.delete(issuer),
  };
}
