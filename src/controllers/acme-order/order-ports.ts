import type { AcmeAccount } from '../../acme/acme-client.ts';
import type { ChallengeKind } from '../../acme/acme-objects.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';

/** What is remembered of an order outside of processes: the hostname's claim has it. */
export type AcmeOrder = NonNullable<NonNullable<HostnameClaim['spec']['orders']>[number]['acme']>;

/** What is ordered. */
export interface WantedCertificate {
  readonly hostname: string;
  /** PKCS#10, DER */
  readonly signingRequest: Buffer;
  /** how its authority validates it */
  readonly challenge: ChallengeKind;
  /** of draft-ietf-acme-profiles; null for the authority's own choice */
  readonly profile: string | null;
  /** common name of the root below which its chain is to end; null for the authority's own choice */
  readonly preferredChain: string | null;
  /** the id of the certificate that this one follows (RFC 9773, section 5); null for none */
  readonly replaces: string | null;
  /** until when a new order may be sent, milliseconds since the Unix epoch, as what permits it ages; null for any time */
  readonly placeBefore: number | null;
}

/** What an order acts through. */
export interface OrderPorts {
  readonly account: AcmeAccount;
  /** thumbprint of the account's key */
  readonly thumbprint: string;
  /** Writes it where a process that follows finds it. Rejects where that is not certain, and then nothing is placed. */
  readonly remember: (order: AcmeOrder) => Promise<void>;
  /** Those of the tokens that are answered by now wherever the authority may ask. */
  readonly answered: (tokens: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Challenges that this process triggered: an authority may call them pending until it has validated them. */
  readonly triggered: Pick<Set<string>, 'has' | 'add'>;
  /** milliseconds since the Unix epoch */
  readonly now: () => number;
}
