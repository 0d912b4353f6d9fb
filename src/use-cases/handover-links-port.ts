/** Days that a hand-over link may last. */
export const handoverDays = [1, 7, 30] as const;
export type HandoverDays = (typeof handoverDays)[number];

/** Characters of who sends a link. */
export const senderMaximum = 60;

/** Maximum number of links of a domain at a time. One more is refused: ending a link would surprise whoever has it. */
export const linksPerDomain = 5;

/** Bytes of the secret in a link's token. */
export const linkSecretBytes = 18;

/** A hand-over link as stored: which domain it shows, and who made it. It contains nothing that opens it. */
export interface HandoverLink {
  /** a hash of the token's secret */
  readonly id: string;
  /** name of the account */
  readonly account: string;
  /** public part of the API key that made it; the link ends with the key */
  readonly keyId: string;
  readonly namespace: string;
  /** of the ProjectDomain */
  readonly name: string;
  /** of the ProjectDomain: one that is removed and added again has no links */
  readonly uid: string;
  /** who sends it, in the sender's own words, which whoever opens it reads; absent where nobody is named */
  readonly from?: string;
  /** milliseconds since the Unix epoch */
  readonly created: number;
  /** milliseconds since the Unix epoch */
  readonly expires: number;
}

/** Hand-over links. Every method rejects with HandoverLinksUnavailable while the store is unreachable. */
export interface HandoverLinks {
  /**
   * Makes a link that a secret of `linkSecretBytes` random bytes opens; the same secret makes the same link. Resolves to it and to the token that
   * opens it, or to null if the domain has as many links as it may have.
   */
  create(
    link: Omit<HandoverLink, 'id'>,
    secret: Uint8Array,
  ): Promise<{ readonly link: HandoverLink; readonly token: string } | null>;
  /** The link that a token opens; null for a token that is forged, and for a link that expired or was revoked. */
  find(token: string): Promise<HandoverLink | null>;
  /** The links of a domain that have not expired, oldest first. */
  list(uid: string): Promise<readonly HandoverLink[]>;
  /** Resolves to false if the domain has no such link. */
  revoke(uid: string, id: string): Promise<boolean>;
}

/** Links cannot be looked up right now; this ends none. */
export class HandoverLinksUnavailable extends Error {
  override readonly name = 'HandoverLinksUnavailable';
}
