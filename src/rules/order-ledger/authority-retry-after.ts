/** What a certificate authority said about when to come again. */
export interface AuthorityRetryAfter {
  /** whom it concerns: this name, every name of its registered domain, or everything this account orders */
  readonly scope: 'Name' | 'Domain' | 'Issuer';
  /** milliseconds since the Unix epoch */
  readonly until: number;
}

/**
 * How cert-manager reports that the authority refused to begin an order. Only this far is the text the authority's own:
 * what follows a failed challenge quotes the customer's server, which could write anything.
 */
const refused =
  /^Failed to wait for order resource "[^"]*" to become ready: order is in "errored" state: Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: (.*)$/s;

const hour = 3_600_000;
const day = 24 * hour;
/** Without a time in it; and no time is believed that is longer than the longest limit of its kind. */
const withoutTime = hour;
const longest = { Name: 7 * day, Domain: 7 * day, Issuer: day } as const;

/** Phrases of Boulder, Let's Encrypt's software; what is not known is taken to concern the whole account. */
const scopes = [
  [
    /exact(?: same)? set of (?:domains|identifiers)|failed authorizations|prevented from requesting certificates for/,
    'Name',
  ],
  [/too many certificates .*already issued for/, 'Domain'],
] as const;

/**
 * Reads the message of a failed CertificateRequest; null when the authority did not speak of a limit. `now` is when it
 * failed, milliseconds since the Unix epoch.
 */
export function authorityRetryAfter(message: string | undefined, now: number): AuthorityRetryAfter | null {
  const detail = refused.exec(message ?? '')?.[1];
  if (detail === undefined) return null;
  const scope = scopes.find(([phrase]) => phrase.test(detail))?.[1] ?? 'Issuer';
  const named = /retry after (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(detail);
  const until = named ? Date.parse(`${named[1]}T${named[2]}Z`) : Number.NaN;
  const believed = Number.isNaN(until) ? now + withoutTime : Math.min(until, now + longest[scope]);
  return { scope, until: believed };
}
