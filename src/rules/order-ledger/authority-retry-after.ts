/** A certificate authority's rate limit answer: what it applies to, and when to try again. */
export interface AuthorityRetryAfter {
  /** what it applies to: this name, every name of its registered domain, or every order of our ACME account */
  readonly scope: 'Name' | 'Domain' | 'Issuer';
  /** milliseconds since the Unix epoch */
  readonly until: number;
}

/**
 * How cert-manager reports that the authority refused to create an order. Only such messages contain nothing but the
 * authority's own text: that of a failed challenge quotes the customer's server, which could write anything.
 */
const refused =
  /^Failed to wait for order resource "[^"]*" to become ready: order is in "errored" state: Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: (.*)$/s;

const hour = 3_600_000;
const day = 24 * hour;
/** The pause when the authority named no time; a named one is cut to the longest limit of its scope. */
const withoutTime = hour;
const longest = { Name: 7 * day, Domain: 7 * day, Issuer: day } as const;

/** Phrases of Boulder, Let's Encrypt's software; any other text is taken to apply to the whole account. */
const scopes = [
  [
    /exact(?: same)? set of (?:domains|identifiers)|failed authorizations|prevented from requesting certificates for/,
    'Name',
  ],
  [/too many certificates .*already issued for/, 'Domain'],
] as const;

/**
 * Reads the message of a failed CertificateRequest; null when it does not report a rate limit. `now` is the time of the
 * failure, in milliseconds since the Unix epoch.
 */
export function authorityRetryAfter(message: string | undefined, now: number): AuthorityRetryAfter | null {
  const detail = refused.exec(message ?? '')?.[1];
  return detail === undefined ? null : rateLimitOf({ detail, retryAfterMs: null }, now);
}

/** What an authority says of its limit. */
interface RateLimited {
  readonly detail: string;
  /** of the header Retry-After, milliseconds; null without one */
  readonly retryAfterMs: number | null;
}

/** What a refusal by rate limit applies to, and until when: the text names an exact time, the header seconds from now. */
export function rateLimitOf({ detail, retryAfterMs }: RateLimited, now: number): AuthorityRetryAfter {
  const scope = scopes.find(([phrase]) => phrase.test(detail))?.[1] ?? 'Issuer';
  const named = /retry after (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(detail);
  const inText = named ? Date.parse(`${named[1]}T${named[2]}Z`) : Number.NaN;
  const until = Number.isNaN(inText) ? now + (retryAfterMs ?? withoutTime) : inText;
  return { scope, until: Math.min(until, now + longest[scope]) };
}
