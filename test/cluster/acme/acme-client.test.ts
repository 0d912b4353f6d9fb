import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountKey, keyAuthorization, readAccountKey } from '../../../src/acme/account-key.ts';
import type { AcmeAccount, AcmeClient, Polled } from '../../../src/acme/acme-client.ts';
import { createAcmeClient } from '../../../src/acme/acme-client.ts';
import type { Authorization, Challenge, Order } from '../../../src/acme/acme-objects.ts';
import { certificateId } from '../../../src/acme/certificate-id.ts';
import { placeOrder } from '../../../src/controllers/acme-order/place-order.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { pebbleRoot } from '../../../dev/platform/services.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { fromNow } from '../../support/from-now.ts';
import type { TestPebble } from '../../support/pebble.ts';
import { pebbleDeadlineMs, startTestPebble } from '../../support/pebble.ts';
import { wantedOverHttp } from '../../support/pebble-orders.ts';
import { signingRequestDer } from '../../support/signing-request.ts';

/** Our side of RFC 8555 and RFC 9773 against Pebble, a real authority, which refuses every twentieth nonce here. */

const externalAccount = { keyId: 'kid-1', hmacKey: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' };
const profiles = {
  default: { description: 'ninety days', validityPeriod: 7_776_000 },
  shortlived: { description: 'six days', validityPeriod: 518_400 },
};
const alternateRoots = 2;

let pebble: TestPebble;
let client: AcmeClient;
let account: AcmeAccount;
const key = readAccountKey(createAccountKey());

beforeAll(async () => {
  pebble = await startTestPebble({
    config: { profiles },
    env: {
      PEBBLE_WFE_NONCEREJECT: '5',
      PEBBLE_AUTHZREUSE: '100',
      PEBBLE_ALTERNATE_ROOTS: String(alternateRoots),
    },
  });
  client = createAcmeClient({ server: pebble.server, ca: pebble.ca, now: systemClock.now });
  account = await client.register(key, { email: 'ops@example.com', externalAccount: null });
}, pebbleDeadlineMs);

afterAll(async () => {
  await client.close();
  await pebble.stop();
}, pebbleDeadlineMs);

/** Asks until it is so. */
const until = <T>(ask: () => Promise<Polled<T>>, is: (value: T) => boolean): Promise<T> =>
  eventually('the authority is through with it', 30_000, async () => {
    const { value } = await ask();
    expectThat(is(value), JSON.stringify(value));
    return value;
  });

const httpChallenge = ({ challenges }: Authorization): Challenge => {
  const found = challenges.find(({ type }) => type === 'http-01');
  if (!found) throw new Error('there is no http-01 challenge');
  return found;
};

interface Wanted {
  readonly hostname: string;
  readonly profile?: string;
  readonly replaces?: string;
  /** what the web server answers; right when absent */
  readonly answer?: string;
}

/** Orders and has the challenge validated; the authorization that it came to, and its URL. */
async function authorized({ hostname, profile, replaces, answer }: Wanted) {
  const order = await account.newOrder({
    names: [hostname],
    profile: profile ?? null,
    replaces: replaces ?? null,
    before: null,
  });
  const [authorizationUrl = ''] = order.value.authorizations;
  const { value } = await account.authorization(authorizationUrl);
  if (value.status === 'valid') return { order, authorizationUrl, authorization: value };
  const challenge = httpChallenge(value);
  pebble.answers.set(challenge.token, answer ?? keyAuthorization(challenge.token, key.thumbprint));
  await account.triggerChallenge(challenge.url);
  const authorization = await until(
    () => account.authorization(authorizationUrl),
    ({ status }) => status !== 'pending',
  );
  return { order, authorizationUrl, authorization };
}

/** The whole way from an order to its chain, at `certificate`. */
async function issued(
  wanted: Wanted,
): Promise<{ readonly chain: string; readonly certificate: string; readonly authorizationUrl: string }> {
  const { order, authorizationUrl } = await authorized(wanted);
  const finalized = await account.finalize(
    order.value.finalize,
    signingRequestDer({ names: `DNS:${wanted.hostname}` }),
  );
  const isOver = ({ status }: Order) => status === 'valid' || status === 'invalid';
  const { certificate = '' } = isOver(finalized.value)
    ? finalized.value
    : await until(() => account.order(order.url), isOver);
  return { chain: await account.chain(certificate, null), certificate, authorizationUrl };
}

const rootName = async (number: number): Promise<string> =>
  /CN=(.+)/.exec(new X509Certificate(await pebbleRoot(pebble, number)).subject)?.[1] ?? '';

describe('an account', () => {
  it('is made once: whoever asks again with its key gets the same one', async () => {
    const again = await client.register(key, { email: null, externalAccount: null });
    expect(again.url).toBe(account.url);
    expect((await client.find(key, null))?.url).toBe(account.url);
  });

  it('is not made by looking for it', async () => {
    const other = readAccountKey(createAccountKey());
    expect(await client.find(other, null)).toBeNull();
    expect(await client.find(other, null)).toBeNull();
  });

  it('may have an RSA key, as those have that cert-manager made', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const rsa = readAccountKey(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
    const made = await client.register(rsa, { email: null, externalAccount: null });
    expect((await client.find(rsa, null))?.url).toBe(made.url);
  });
});

describe('an order', () => {
  it('ends with the chain below the root that is preferred, whichever of them, and with its own choice without one', async () => {
    const { chain, certificate } = await issued({ hostname: 'www.example.com' });
    const roots = await Promise.all(Array.from({ length: 1 + alternateRoots }, (_, number) => rootName(number)));
    expect(new Set(roots).size).toBe(1 + alternateRoots);
    for (const root of roots) {
      const below = await account.chain(certificate, root);
      expect(new X509Certificate(below).subjectAltName).toBe('DNS:www.example.com');
      expect(new X509Certificate(below.slice(below.lastIndexOf('-----BEGIN'))).issuer).toBe(`CN=${root}`);
    }
    expect(await account.chain(certificate, 'Some Other Root')).toBe(chain);
    expect(await account.chain(certificate, roots[0] ?? '')).toBe(chain);
  });

  it('rests on an earlier proof until the authorization is deactivated, and on none after', async () => {
    const hostname = 'left-behind.example.com';
    const { authorizationUrl } = await issued({ hostname });
    const statusOfNext = async () => {
      const { value } = await account.newOrder({ names: [hostname], profile: null, replaces: null, before: null });
      return (await account.authorization(value.authorizations[0] ?? '')).value.status;
    };
    expect(await statusOfNext()).toBe('valid');
    await account.deactivate(authorizationUrl);
    expect(await statusOfNext()).toBe('pending');
  });

  it('of a profile has its lifetime', async () => {
    const { chain } = await issued({ hostname: 'short.example.com', profile: 'shortlived' });
    const { validFromDate, validToDate } = new X509Certificate(chain);
    expect(Math.round((validToDate.getTime() - validFromDate.getTime()) / 86_400_000)).toBe(6);
    expect((await client.directory()).meta.profiles).toHaveProperty('shortlived', 'six days');
  });
});

describe('a refusal', () => {
  it.each<[string, Wanted, string]>([
    ['of a name', { hostname: 'www.refused.example' }, 'rejectedIdentifier'],
    ['of a profile that there is not', { hostname: 'www.example.com', profile: 'gold' }, 'invalidProfile'],
  ])('%s is a problem with its type', async (_, wanted, type) => {
    await expect(issued(wanted)).rejects.toMatchObject({ name: 'AcmeProblem', type });
  });

  it('of a challenge stands in it, with what the authority saw', async () => {
    const { authorization } = await authorized({ hostname: 'wrong.example.com', answer: 'something else' });
    expect(authorization.status).toBe('invalid');
    expect(httpChallenge(authorization).error).toMatchObject({ type: 'unauthorized', status: null });
  });

  it('of a signing request for another name is a problem, and the order is still there', async () => {
    const { order } = await authorized({ hostname: 'mine.example.com' });
    await expect(
      account.finalize(order.value.finalize, signingRequestDer({ names: 'DNS:other.example.com' })),
    ).rejects.toMatchObject({
      name: 'AcmeProblem',
    });
    expect((await account.order(order.url)).value.status).toBe('ready');
  });
});

describe('renewal information', () => {
  it('of a certificate is a window within its lifetime, and what replaces it is ordered once', async () => {
    const hostname = 'renewed.example.com';
    const { chain } = await issued({ hostname });
    const certificate = new X509Certificate(chain);
    const replaces = certificateId(chain) ?? '';
    const window = await client.renewalWindow(replaces);
    expect(window?.value.start).toBeGreaterThan(certificate.validFromDate.getTime());
    expect(window?.value.end).toBeLessThan(certificate.validToDate.getTime());
    await issued({ hostname, replaces });
    await expect(account.newOrder({ names: [hostname], profile: null, replaces, before: null })).rejects.toMatchObject({
      type: 'alreadyReplaced',
    });
  });

  it('of a serial number that DER begins with a zero is not found by Pebble, and what replaces such a certificate is ordered like any other', async () => {
    const hostname = 'zero.example.com';
    const { chain } = await issued({ hostname });
    const [issuer = '', serial = ''] = (certificateId(chain) ?? '').split('.');
    const zero = Buffer.concat([Buffer.of(0), Buffer.from(serial, 'base64url')]).toString('base64url');
    const replaces = `${issuer}.${zero}`;
    await expect(account.newOrder({ names: [hostname], profile: null, replaces, before: null })).rejects.toMatchObject({
      type: 'serverInternal',
    });
    const ports = { account, thumbprint: key.thumbprint, remember: () => Promise.resolve() };
    const placed = await placeOrder(null, { ...wantedOverHttp(hostname), replaces }, ports);
    expect(placed.order).toMatch(/^https:/);
  });

  it('of a revoked certificate says now, and revoking it again is no error', async () => {
    const { chain } = await issued({ hostname: 'revoked.example.com' });
    const { raw } = new X509Certificate(chain);
    await account.revoke(raw, 'superseded');
    await account.revoke(raw, 'superseded');
    const window = await client.renewalWindow(certificateId(chain) ?? '');
    expect(window?.value.end).toBeLessThanOrEqual(fromNow(0));
  });
});

describe('an authority that knows its customers', () => {
  let strict: TestPebble;
  let strictClient: AcmeClient;

  beforeAll(async () => {
    const externalAccountMACKeys = { [externalAccount.keyId]: externalAccount.hmacKey };
    strict = await startTestPebble({ config: { externalAccountBindingRequired: true, externalAccountMACKeys } });
    strictClient = createAcmeClient({ server: strict.server, ca: strict.ca, now: systemClock.now });
  }, pebbleDeadlineMs);

  afterAll(async () => {
    await strictClient.close();
    await strict.stop();
  }, pebbleDeadlineMs);

  it('makes an account that is bound to what it gave, and no other one', async () => {
    expect((await strictClient.directory()).meta.externalAccountRequired).toBe(true);
    const unbound = strictClient.register(key, { email: null, externalAccount: null });
    await expect(unbound).rejects.toMatchObject({ type: 'externalAccountRequired' });
    const wrong = { ...externalAccount, hmacKey: externalAccount.hmacKey.replace('z', 'y') };
    const forged = strictClient.register(key, { email: null, externalAccount: wrong });
    await expect(forged).rejects.toMatchObject({ name: 'AcmeProblem' });
    const { url } = await strictClient.register(key, { email: null, externalAccount });
    expect(url).toMatch(/^https:/);
  });
});
