import type { AcmeAccount } from '../../../src/acme/acme-client.ts';
import { AcmeProblem, AcmeUnavailable } from '../../../src/acme/acme-errors.ts';
import type { Authorization, Order } from '../../../src/acme/acme-objects.ts';
import type { RegisteredAccount } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import { hours } from '../../../src/rules/check-schedule.ts';
import { registrableDomain } from '../../../src/rules/hostname.ts';
import type { BoulderLimits, LimitedOrder } from '../../support/boulder-limits.ts';
import { idOf, unsignedCertificate } from './made-der.ts';

export interface Window {
  /** milliseconds since the Unix epoch */
  readonly start: number;
  readonly end: number;
}

/** A certificate that the authority issued. Times in milliseconds since the Unix epoch. */
export interface IssuedCertificate extends LimitedOrder {
  readonly notBefore: number;
  readonly notAfter: number;
  /** the order that it came of, by its URL */
  readonly order: string;
}

export interface AuthorityOptions {
  readonly now: () => number;
  readonly lifetimeMs: number;
  readonly limits: BoulderLimits;
  /** it answers nothing */
  readonly isAway: () => boolean;
  /** what its own look at a hostname comes to: null for a yes, else the type of the error */
  readonly validate: (hostname: string) => string | null;
  /** when it wishes a certificate to be renewed */
  readonly windowOf: (certificate: IssuedCertificate) => Window;
}

export interface SimulatedAcmeAuthority {
  readonly registered: RegisteredAccount;
  /** every certificate, in the order in which they were issued */
  readonly issued: readonly IssuedCertificate[];
  /** orders that it took, by hostname */
  readonly orders: ReadonlyMap<string, number>;
  readonly failedValidations: number;
}

const base = 'https://ca.test';
/** How often Let's Encrypt wishes to be asked for renewal information. */
const askAgain = 6 * hours;

interface HeldOrder {
  readonly url: string;
  readonly wanted: LimitedOrder;
  status: Order['status'];
  /** type of the error of its challenge */
  error: string | null;
  serial: number | null;
}

/** An authority that does at once what it is asked, keeps its limits on its own and suggests when to renew. */
export function createSimulatedAuthority(options: AuthorityOptions): SimulatedAcmeAuthority {
  const { now, lifetimeMs, limits, isAway, validate, windowOf } = options;
  const held = new Map<string, HeldOrder>();
  const issued: IssuedCertificate[] = [];
  const orders = new Map<string, number>();
  const bySerial = new Map<string, IssuedCertificate>();
  let placed = 0;
  let failedValidations = 0;

  const answer = async <T>(act: () => T): Promise<T> => {
    if (isAway()) throw new AcmeUnavailable('the authority is away');
    return Promise.resolve(act());
  };
  const at = (url: string): HeldOrder => {
    const order = held.get(/\d+$/.exec(url)?.[0] ?? '');
    if (!order) throw refusal('malformed', `nothing at ${url}`);
    return order;
  };
  const newOrder = (hostname: string, replaces: string | null) => {
    const isRenewal = replaces !== null && bySerial.get(replaces)?.hostname === hostname;
    const wanted = { hostname, registeredDomain: registrableDomain(hostname), isRenewal };
    limits.order(wanted, now());
    placed += 1;
    orders.set(hostname, (orders.get(hostname) ?? 0) + 1);
    const order: HeldOrder = { url: `${base}/order/${placed}`, wanted, status: 'pending', error: null, serial: null };
    held.set(String(placed), order);
    return { url: order.url, value: orderOf(order), retryAfterMs: null };
  };
  const trigger = (order: HeldOrder) => {
    order.error = validate(order.wanted.hostname);
    order.status = order.error === null ? 'ready' : 'invalid';
    if (order.error === null) return;
    failedValidations += 1;
    limits.failed(order.wanted.hostname, now());
  };
  const finalize = (order: HeldOrder) => {
    const serial = issued.length + 1;
    const notBefore = Math.floor(now() / 1_000) * 1_000;
    const certificate = { ...order.wanted, notBefore, notAfter: notBefore + lifetimeMs, order: order.url };
    issued.push(certificate);
    bySerial.set(idOf(serial), certificate);
    limits.issued(order.wanted, now());
    Object.assign(order, { serial, status: 'valid' });
    return { value: orderOf(order), retryAfterMs: null };
  };
  const chainOf = ({ serial }: HeldOrder): string => {
    const certificate = serial === null ? undefined : issued[serial - 1];
    if (serial === null || !certificate) throw refusal('malformed', 'no certificate');
    return unsignedCertificate(serial, { from: certificate.notBefore, to: certificate.notAfter });
  };
  const acme: AcmeAccount = {
    url: `${base}/account/1`,
    newOrder: ({ names, replaces }) => answer(() => newOrder(names[0] ?? '', replaces)),
    order: (url) => answer(() => ({ value: orderOf(at(url)), retryAfterMs: null })),
    authorization: (url) => answer(() => ({ value: authorizationOf(at(url)), retryAfterMs: null })),
    challengeError: () => answer(() => null),
    triggerChallenge: (url) => answer(() => trigger(at(url))),
    finalize: (url) => answer(() => finalize(at(url))),
    chain: (url) => answer(() => chainOf(at(url))),
    // The last that is done for an order: nobody asks for it again.
    deactivate: (url) => answer(() => void held.delete(/\d+$/.exec(url)?.[0] ?? '')),
    revoke: () => Promise.reject(new Error('nothing is revoked here')),
  };
  const renewalWindow = (id: string) =>
    answer(() => {
      const certificate = bySerial.get(id);
      if (!certificate) throw refusal('malformed', `no certificate ${id}`);
      return { value: windowOf(certificate), retryAfterMs: askAgain };
    });
  return {
    registered: {
      name: 'ca',
      server: 'https://ca.example/directory',
      thumbprint: 'thumbprint',
      profile: null,
      preferredChain: null,
      acme,
      authority: { renewalWindow },
    },
    issued,
    orders,
    get failedValidations() {
      return failedValidations;
    },
  };
}

function orderOf({ url, status, error }: HeldOrder): Order {
  const number = /\d+$/.exec(url)?.[0] ?? '';
  return {
    status,
    authorizations: [`${base}/authorization/${number}`],
    finalize: `${base}/finalize/${number}`,
    ...(status === 'valid' ? { certificate: `${base}/certificate/${number}` } : {}),
    error: error === null ? undefined : refusal(error, 'its look at the hostname failed'),
  };
}

function authorizationOf({ url, wanted, status, error }: HeldOrder): Authorization {
  const at = /\d+$/.exec(url)?.[0] ?? '';
  const proof = status === 'pending' ? 'pending' : error === null ? 'valid' : 'invalid';
  return {
    status: proof,
    identifier: { type: 'dns', value: wanted.hostname },
    wildcard: false,
    challenges: [
      {
        type: 'http-01',
        url: `${base}/challenge/${at}`,
        status: proof,
        token: at.padStart(43, 'a'),
        error: error === null ? undefined : refusal(error, 'its look at the hostname failed'),
      },
    ],
  };
}

const refusal = (type: string, detail: string): AcmeProblem =>
  new AcmeProblem({ type, detail, status: 400, retryAfterMs: null, subproblems: [] });

/**
 * Let's Encrypt's (Boulder, core/objects.go, RenewalInfoSimple): around two thirds of the lifetime, a half of less than ten days, wide by a
 * fiftieth.
 */
export function windowAround({ notBefore, notAfter }: Pick<IssuedCertificate, 'notBefore' | 'notAfter'>): Window {
  const lifetime = notAfter - notBefore;
  return around({ notAfter, lifetime, left: lifetime < 240 * hours ? 1 / 2 : 1 / 3 });
}

/** The same with a third left, whatever the lifetime. */
export const windowAtTwoThirds = ({ notBefore, notAfter }: IssuedCertificate): Window =>
  around({ notAfter, lifetime: notAfter - notBefore, left: 1 / 3 });

interface Around {
  readonly notAfter: number;
  readonly lifetime: number;
  /** share of the lifetime */
  readonly left: number;
}

function around({ notAfter, lifetime, left }: Around): Window {
  const middle = notAfter - lifetime * left;
  return { start: middle - lifetime / 100, end: middle + lifetime / 100 };
}
