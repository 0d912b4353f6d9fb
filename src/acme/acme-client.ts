import { X509Certificate } from 'node:crypto';
import type { AccountKey } from './account-key.ts';
import { AcmeProblem, AcmeUnavailable } from './acme-errors.ts';
import type { AcmeHttp } from './acme-http.ts';
import { createAcmeHttp } from './acme-http.ts';
import type { Authorization, Directory, Order } from './acme-objects.ts';
import { account, authorization, challengeEnd, directory, order, readAs, renewalInfo } from './acme-objects.ts';
import type { RevocationReason } from './revocation-reasons.ts';
import { revocationReasons } from './revocation-reasons.ts';
import type { ExternalAccount } from './signed-body.ts';
import { externalAccountBinding } from './signed-body.ts';

/** Something the authority has, with how long it asks us to wait before we look again. */
export interface Polled<T> {
  readonly value: T;
  /** milliseconds; null when the authority does not say */
  readonly retryAfterMs: number | null;
}

interface NewAccount {
  /** null for an account without a contact */
  readonly email: string | null;
  readonly externalAccount: ExternalAccount | null;
}

interface NewOrder {
  /** names as they are to stand in the certificate: `www.example.com`, `*.example.com` */
  readonly names: readonly string[];
  /** of draft-ietf-acme-profiles; null for the authority's own choice */
  readonly profile: string | null;
  /** the id of the certificate that this one follows (RFC 9773, section 5); null for none */
  readonly replaces: string | null;
  /** until when it may be sent, milliseconds since the Unix epoch; null for any time. Rejects with AcmeUnavailable later */
  readonly before: number | null;
}

/** When the authority wishes a certificate to be renewed (RFC 9773, section 4.2), milliseconds since the Unix epoch. */
interface RenewalWindow {
  readonly start: number;
  readonly end: number;
}

/** What one account does at its authority. Each call rejects with AcmeProblem or AcmeUnavailable and waits for nothing. */
export interface AcmeAccount {
  readonly url: string;
  newOrder(wanted: NewOrder): Promise<Polled<Order> & { readonly url: string }>;
  order(url: string): Promise<Polled<Order>>;
  authorization(url: string): Promise<Polled<Authorization>>;
  /** Why a challenge failed, as it says itself when it is read alone (RFC 8555, section 7.5.1); null where it does not say. */
  challengeError(url: string): Promise<AcmeProblem | null>;
  /** Tells the authority that a challenge can be validated. */
  triggerChallenge(url: string): Promise<void>;
  /** DER of a PKCS#10 request. */
  finalize(url: string, signingRequest: Buffer): Promise<Polled<Order>>;
  /**
   * The chain as PEM, the certificate first: the one that ends below a root of this common name, where the authority has such a one, else
   * its own choice; null for that at once.
   */
  chain(url: string, preferredChain: string | null): Promise<string>;
  /** So that no later order rests on this proof (RFC 8555, section 7.5.2). */
  deactivate(authorizationUrl: string): Promise<void>;
  /** DER of the certificate. One that is revoked already is no error. */
  revoke(certificate: Buffer, reason: RevocationReason): Promise<void>;
}

/** An authority. */
export interface AcmeClient {
  directory(): Promise<Directory>;
  /** The account of this key, which is created if it does not exist. */
  register(key: AccountKey, wanted: NewAccount): Promise<AcmeAccount>;
  /** The account of this key; null when the authority has none. */
  find(key: AccountKey, externalAccount: ExternalAccount | null): Promise<AcmeAccount | null>;
  /** An account whose URL is known. */
  account(key: AccountKey, url: string): AcmeAccount;
  /** null where the authority has no ARI. */
  renewalWindow(certificateId: string): Promise<Polled<RenewalWindow> | null>;
  close(): Promise<void>;
}

export interface AcmeClientOptions {
  /** URL of the directory */
  readonly server: string;
  /** roots to trust instead of those of Node.js, PEM; null for those */
  readonly ca: string | null;
  /** milliseconds since the Unix epoch */
  readonly now: () => number;
}

const alternatesAtMost = 4;
const deadlineMs = 30_000;
/** Characters of a URL that is remembered of an account or an order. */
const urlAtMost = 512;
/** A directory may change, though it hardly does. */
const directoryKeptMs = 3_600_000;

/** Reads once for all who ask meanwhile, and again after so many milliseconds; what is known stays where that fails. */
function keptFor<T>(ms: number, now: () => number, read: () => Promise<T>): () => Promise<T> {
  let known: { readonly at: number; readonly value: T } | null = null;
  let reading: Promise<T> | null = null;
  const readAgain = async (): Promise<T> => {
    try {
      const value = await read();
      known = { at: now(), value };
      return value;
    } catch (error) {
      if (known === null) throw error;
      return known.value;
    } finally {
      reading = null;
    }
  };
  return () => {
    if (known !== null && Math.abs(now() - known.at) < ms) return Promise.resolve(known.value);
    return (reading ??= readAgain());
  };
}

export function createAcmeClient({ server, ca, now }: AcmeClientOptions): AcmeClient {
  const http = createAcmeHttp({ ca, now, deadlineMs, newNonce: async () => (await readDirectory()).newNonce });
  const readDirectory = keptFor(directoryKeptMs, now, async () => {
    const { text } = await http.get(server);
    return readAs(directory, text, `the directory ${server}`);
  });
  const postNewAccount = async (key: AccountKey, payload: object): Promise<AcmeAccount> => {
    const { newAccount } = await readDirectory();
    const { text, location } = await http.post(newAccount, payload, { key, account: null });
    const { status } = readAs(account, text, 'the account');
    if (status !== 'valid') {
      const detail = `the account is ${status}`;
      throw new AcmeProblem({ type: 'unauthorized', detail, status: null, retryAfterMs: null, subproblems: [] });
    }
    return accountAt(http, readDirectory, key, urlIn(location, 'the account'));
  };
  /** Some authorities want it of whoever looks for an account, too. */
  const bound = async (key: AccountKey, externalAccount: ExternalAccount | null): Promise<object> => {
    if (externalAccount === null) return {};
    return { externalAccountBinding: externalAccountBinding(key, externalAccount, (await readDirectory()).newAccount) };
  };
  return {
    directory: readDirectory,
    async register(key, { email, externalAccount }) {
      const contact = email === null ? {} : { contact: [`mailto:${email}`] };
      return postNewAccount(key, { termsOfServiceAgreed: true, ...contact, ...(await bound(key, externalAccount)) });
    },
    async find(key, externalAccount) {
      try {
        return await postNewAccount(key, { onlyReturnExisting: true, ...(await bound(key, externalAccount)) });
      } catch (error) {
        if (error instanceof AcmeProblem && error.type === 'accountDoesNotExist') return null;
        throw error;
      }
    },
    account: (key, url) => accountAt(http, readDirectory, key, url),
    async renewalWindow(certificateId) {
      const { renewalInfo: base } = await readDirectory();
      if (base === undefined) return null;
      const { text, retryAfterMs } = await http.get(`${base.replace(/\/$/, '')}/${certificateId}`);
      const { start, end } = readAs(renewalInfo, text, 'the renewal information').suggestedWindow;
      const value = { start: Date.parse(start), end: Date.parse(end) };
      if (value.end <= value.start) throw new AcmeUnavailable('the suggested window ends before it begins');
      return { value, retryAfterMs };
    },
    close: () => http.close(),
  };
}

function accountAt(http: AcmeHttp, readDirectory: () => Promise<Directory>, key: AccountKey, url: string): AcmeAccount {
  const post = (target: string, payload: object | null) => http.post(target, payload, { key, account: url });
  const polledOrder = async (target: string, payload: object | null): Promise<Polled<Order>> => {
    const { text, retryAfterMs } = await post(target, payload);
    return { value: readAs(order, text, 'the order'), retryAfterMs };
  };
  return {
    url,
    async newOrder({ names, profile, replaces, before }) {
      const { newOrder } = await readDirectory();
      const payload = {
        identifiers: names.map((value) => ({ type: 'dns', value })),
        ...(profile === null ? {} : { profile }),
        ...(replaces === null ? {} : { replaces }),
      };
      const { text, location, retryAfterMs } = await http.post(newOrder, payload, { key, account: url, before });
      return { url: urlIn(location, 'the order'), value: readAs(order, text, 'the order'), retryAfterMs };
    },
    order: (target) => polledOrder(target, null),
    async authorization(target) {
      const { text, retryAfterMs } = await post(target, null);
      return { value: readAs(authorization, text, 'the authorization'), retryAfterMs };
    },
    async challengeError(target) {
      const { text } = await post(target, null);
      return readAs(challengeEnd, text, 'the challenge').error ?? null;
    },
    async triggerChallenge(target) {
      await post(target, {});
    },
    finalize: (target, signingRequest) => polledOrder(target, { csr: signingRequest.toString('base64url') }),
    async chain(target, preferredChain) {
      const { text, alternates } = await post(target, null);
      const chain = readChain(text);
      if (chain === null) throw new AcmeUnavailable('the certificate is no chain in PEM');
      if (preferredChain === null || rootOf(chain) === preferredChain) return chain;
      const others = await Promise.allSettled(alternates.slice(0, alternatesAtMost).map((one) => post(one, null)));
      const read = others.map((one) => (one.status === 'fulfilled' ? readChain(one.value.text) : null));
      const isPreferred = (other: string) => rootOf(other) === preferredChain && isSameCertificate(other, chain);
      return read.find((other) => other !== null && isPreferred(other)) ?? chain;
    },
    async deactivate(target) {
      await post(target, { status: 'deactivated' });
    },
    async revoke(certificate, reason) {
      const { revokeCert } = await readDirectory();
      try {
        await post(revokeCert, { certificate: certificate.toString('base64url'), reason: revocationReasons[reason] });
      } catch (error) {
        if (!(error instanceof AcmeProblem && error.type === 'alreadyRevoked')) throw error;
      }
    },
  };
}

function urlIn(location: string | null, what: string): string {
  if (location === null) throw new AcmeUnavailable(`${what} has no Location`);
  if (location.length > urlAtMost)
    throw new AcmeUnavailable(`the URL of ${what} is longer than ${urlAtMost} characters`);
  return location;
}

/** RFC 8555, section 9.1: certificates in PEM, with no text before, between or after them. */
const strict = /^(-----BEGIN CERTIFICATE-----\r?\n(?:[A-Za-z0-9+/=]+\r?\n)+-----END CERTIFICATE-----\s*){1,10}$/;

/** The text, where it is a chain of certificates whose first one can be read; null for anything else. */
function readChain(text: string): string | null {
  if (!strict.test(text)) return null;
  try {
    return new X509Certificate(text).raw.length > 0 ? text : null;
  } catch {
    return null;
  }
}

/** Common name of the root below which a chain ends: the issuer of its last certificate. Null where that has none or cannot be read. */
function rootOf(chain: string): string | null {
  const last = chain.slice(chain.lastIndexOf('-----BEGIN CERTIFICATE-----'));
  try {
    const { CN } = new X509Certificate(last).toLegacyObject().issuer;
    return typeof CN === 'string' ? CN : null;
  } catch {
    return null;
  }
}

/** True where both chains, which can be read, are of the same certificate. */
const isSameCertificate = (one: string, other: string): boolean =>
  new X509Certificate(one).raw.equals(new X509Certificate(other).raw);
