import type { AcmeAccount, AcmeClient } from '../../acme/acme-client.ts';

/** An account that orders can be placed with. */
export interface RegisteredAccount {
  /** as in spec.accounts */
  readonly name: string;
  /** URL of its authority's directory */
  readonly server: string;
  /** thumbprint of its key (RFC 7638) */
  readonly thumbprint: string;
  /** of draft-ietf-acme-profiles; null for the authority's own choice */
  readonly profile: string | null;
  /** common name of the root below which chains are to end; null for the authority's own choice */
  readonly preferredChain: string | null;
  readonly acme: AcmeAccount;
  /** its authority, for what needs no account */
  readonly authority: Pick<AcmeClient, 'renewalWindow'>;
}

/** The accounts that this process can use, by the name of their AcmeIssuer: their keys leave its memory nowhere. */
export interface RegisteredAccounts {
  /** In order of preference; none before the issuer was reconciled. */
  of(issuer: string): readonly RegisteredAccount[];
  /** The account at this URL, whichever AcmeIssuer has it; undefined where none can be used. */
  at(url: string): RegisteredAccount | undefined;
  record(issuer: string, accounts: readonly RegisteredAccount[]): void;
}

export function createRegisteredAccounts(): RegisteredAccounts {
  const known = new Map<string, readonly RegisteredAccount[]>();
  return {
    of: (issuer) => known.get(issuer) ?? [],
    at: (url) => [...known.values()].flat().find(({ acme }) => acme.url === url),
    record: (issuer, accounts) => void known.set(issuer, accounts),
  };
}
