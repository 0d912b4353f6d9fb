import type { AcmeProblem } from '../../acme/acme-errors.ts';
import type { ChallengeKind } from '../../acme/acme-objects.ts';
import type { AuthorityRetryAfter } from '../../rules/order-ledger/authority-retry-after.ts';
import { challengePath } from '../../rules/domain-token.ts';
import { rateLimitOf } from '../../rules/order-ledger/authority-retry-after.ts';

/** What an authority's refusal means here, and what to do about it. */
const advice = {
  CannotConnect: `requests to http://{hostname}${challengePath} must get through from anywhere; what stands in front of it has to let them pass`,
  AnsweredElsewhere:
    'another server than the platform answered for {hostname}; all of its records have to lead here, for IPv6 too',
  ChallengeNotFound:
    'its resolvers did not find the answer by way of _acme-challenge.{hostname}; the record that is shown for that name has to stay there',
  CannotResolve: 'its resolvers could not read the records of {hostname}; check its name servers and DNSSEC',
  CaaForbids: 'a CAA record forbids it to issue for {hostname}; permit it there, or remove the record',
  NameRefused: 'it does not issue for {hostname}; ask it why, or use another hostname',
  RateLimited: 'it accepts no order for now; the next one follows when it does',
  AccountRefused: 'an administrator has to look at the ACME account of the issuer',
  OrderRefused: 'the next attempt is a new order',
  TryLater: 'the same is tried again',
} as const;
export type RefusalCode = keyof typeof advice;

/** An authority's refusal in our own terms. */
export interface Refusal {
  readonly code: RefusalCode;
  /** a sentence for people: what the authority said, and what to do */
  readonly message: string;
  /** the order, or the wish for one, has ended; otherwise the same is tried again */
  readonly isFinal: boolean;
  /** where it named a limit of new orders; null otherwise */
  readonly limit: AuthorityRetryAfter | null;
  /** milliseconds that the authority asks us to wait; null when it does not */
  readonly retryAfterMs: number | null;
}

/** What was asked of the authority: a new order, something about one that it has, or to validate a challenge of a kind. */
export type Asked = 'newOrder' | 'order' | ChallengeKind;

/** By error type (RFC 8555, section 6.7); `unauthorized` is a wrong answer to a challenge, and the account's fault elsewhere. */
const ofChallenge: Readonly<Record<string, RefusalCode>> = {
  connection: 'CannotConnect',
  tls: 'CannotConnect',
  unauthorized: 'AnsweredElsewhere',
  incorrectResponse: 'AnsweredElsewhere',
  dns: 'CannotResolve',
  caa: 'CaaForbids',
};
/** The same of a challenge that is answered over DNS. */
const ofDnsChallenge: Readonly<Record<string, RefusalCode>> = {
  unauthorized: 'ChallengeNotFound',
  incorrectResponse: 'ChallengeNotFound',
  dns: 'CannotResolve',
  caa: 'CaaForbids',
};
const ofOrder: Readonly<Record<string, RefusalCode>> = {
  caa: 'CaaForbids',
  dns: 'CannotResolve',
  rejectedIdentifier: 'NameRefused',
  unsupportedIdentifier: 'NameRefused',
  rateLimited: 'RateLimited',
  unauthorized: 'AccountRefused',
  accountDoesNotExist: 'AccountRefused',
  externalAccountRequired: 'AccountRefused',
  userActionRequired: 'AccountRefused',
  serverInternal: 'TryLater',
  badNonce: 'TryLater',
  orderNotReady: 'TryLater',
};
const repeated: ReadonlySet<RefusalCode> = new Set(['RateLimited', 'AccountRefused', 'TryLater']);

type OfType = Pick<AcmeProblem, 'type'>;

/** The refusal of a request ends with time, or once an administrator has looked: the same is worth another try. */
export const isWorthRepeating = ({ type }: OfType): boolean => repeated.has(ofOrder[type] ?? 'OrderRefused');

/** It ends with time alone. */
export const isPassing = ({ type }: OfType): boolean =>
  isWorthRepeating({ type }) && ofOrder[type] !== 'AccountRefused';

function codesOf(asked: Asked): Readonly<Record<string, RefusalCode>> {
  if (asked === 'newOrder' || asked === 'order') return ofOrder;
  return asked === 'dns-01' ? ofDnsChallenge : ofChallenge;
}

interface RefusalOptions {
  readonly hostname: string;
  readonly asked: Asked;
  /** milliseconds since the Unix epoch */
  readonly now: number;
}

/**
 * Reads a refusal. Where an order names several problems, the one about the hostname says more than the whole. Only what is said to a
 * new order is about the limits of orders: an authority that is asked too much says 429 to everything.
 */
export function refusalOf(problem: AcmeProblem, { hostname, asked, now }: RefusalOptions): Refusal {
  const { type, detail } = problem.subproblems.find(({ identifier }) => identifier === hostname) ?? problem;
  const code = codesOf(asked)[type] ?? 'OrderRefused';
  const { retryAfterMs } = problem;
  const isLimit = asked === 'newOrder' && code === 'RateLimited';
  const limit = isLimit ? rateLimitOf({ detail, retryAfterMs }, now) : null;
  const said = detail === '' ? type : `${detail} (${type})`;
  const message = `the certificate authority says: ${said}; ${advice[code].replace('{hostname}', hostname)}`;
  return { code, message, isFinal: !repeated.has(code), limit, retryAfterMs };
}
