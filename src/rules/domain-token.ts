/** Path below which the redirector answers with the tokens of hostnames: each at its nonce. */
export const tokenPath = '/.well-known/projectdomain/';

/** Below it an authority asks for the answers to its HTTP-01 challenges (RFC 8555, section 8.3), which the redirector gives as well. */
export const challengePath = '/.well-known/acme-challenge/';

/**
 * The token of one ProjectDomain. Whoever asks its hostname for `tokenPath` and the nonce, and gets the answer, has reached
 * the platform's redirector on the way that visitors take. Both are drawn from the installation key (dns-target.ts).
 */
export interface DomainToken {
  readonly nonce: string;
  /** nothing that can be made from the nonce: a server that repeats what it is asked does not give it */
  readonly answer: string;
}

/** What came of asking one address for a token (docs/concepts/proof.md). */
export type TokenAnswer =
  /** the answer itself: requests reach the platform */
  | 'token'
  /** another server answered for the hostname */
  | 'other'
  /** 401, 403 or 429: we, or everybody, are kept out */
  | 'forbidden'
  /** redirects that lead back to where they began */
  | 'redirectLoop'
  /** the CDN refuses the certificate that the platform shows to it (525, 526) */
  | 'originCertificate'
  /** another 5xx */
  | 'failing'
  /** no answer in time, or none that is HTTP */
  | 'silent'
  /** not asked, as the address or the account has been asked too often */
  | 'busy'
  /** not asked, as no packet may be sent to the address */
  | 'notAllowed';
