import type { OrderLimits } from './order-limits.ts';

/** An order, as far as it shows whose it is. */
export interface PlacedWith {
  /** name of the account; absent where the issuer had none to name */
  readonly issuerAccount?: string | undefined;
}

/** An account that orders are placed with, as they are counted. */
export interface IssuerAccount {
  /** as in spec.accounts of an AcmeIssuer; null for the account of an issuer that has one alone, without a name */
  readonly name: string | null;
  readonly limits: OrderLimits;
  /** the issuer has no other */
  readonly isAlone: boolean;
  /** True for an order of this very account: its authority counts new orders by account. */
  readonly isOwn: (order: PlacedWith) => boolean;
  /** True for an order at the same authority, with whichever account: names and registered domains are counted over all of them. */
  readonly isHere: (order: PlacedWith) => boolean;
}

/** An account as it is configured. */
export interface ConfiguredAccount extends Pick<IssuerAccount, 'limits'> {
  readonly name: string | null;
  /** URL of its authority */
  readonly server: string;
}

const always = (): boolean => true;

/**
 * Which orders each account counts. One that names no account is the first one's; with one account all are, as it may have been
 * renamed. What another account that is gone has placed is counted by nobody.
 */
export function countingAccounts<A extends ConfiguredAccount>(accounts: readonly A[]): readonly (A & IssuerAccount)[] {
  const serverOf = new Map(accounts.map(({ name, server }) => [name, server]));
  const isAlone = accounts.length < 2;
  const nameIn = ({ issuerAccount }: PlacedWith): string | null => issuerAccount ?? accounts[0]?.name ?? null;
  return accounts.map((account) => ({
    ...account,
    isAlone,
    isOwn: isAlone ? always : (order: PlacedWith) => nameIn(order) === account.name,
    isHere: isAlone ? always : (order: PlacedWith) => serverOf.get(nameIn(order)) === account.server,
  }));
}

/** Those of the accounts that may be used, where a list of names says so. */
export const permittedOf = <A extends Pick<IssuerAccount, 'name'>>(
  accounts: readonly A[],
  permitted: readonly string[] | undefined | null,
): readonly A[] => (permitted ? accounts.filter(({ name }) => name === null || permitted.includes(name)) : accounts);

/** What an order says of the account that it is placed with. */
export const placedWith = ({ name }: Pick<IssuerAccount, 'name'>): { readonly issuerAccount?: string } =>
  name === null ? {} : { issuerAccount: name };
