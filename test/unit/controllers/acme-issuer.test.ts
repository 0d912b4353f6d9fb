import { beforeEach, describe, expect, it } from '@jest/globals';
import { createAccountKey, readAccountKey } from '../../../src/acme/account-key.ts';
import type { AcmeAccount } from '../../../src/acme/acme-client.ts';
import type { AcmeClients } from '../../../src/acme/acme-clients.ts';
import { AcmeProblem, AcmeUnavailable } from '../../../src/acme/acme-errors.ts';
import type { AccountSpec } from '../../../src/controllers/acme-issuer/account-secrets.ts';
import { decideAcmeIssuer } from '../../../src/controllers/acme-issuer/decide-acme-issuer.ts';
import type { AccountObservation, KnownAccount } from '../../../src/controllers/acme-issuer/observe-account.ts';
import { observeAccount } from '../../../src/controllers/acme-issuer/observe-account.ts';
import type { AcmeIssuer } from '../../../src/generated/acme-issuer.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Cluster, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { Secret } from '../../../src/resources/kubernetes-types.ts';
import { now } from '../../support/snapshot.ts';

const namespace = 'projectdomain-system';
const spec: AccountSpec = { name: 'ca', server: 'https://ca.test/dir', keySecret: 'projectdomain-acme-account' };
const pem = createAccountKey();
const { thumbprint } = readAccountKey(pem);
const known: KnownAccount = { name: 'ca', server: spec.server, uri: 'https://ca.test/account/1', thumbprint };

const secrets = new Map<string, Readonly<Record<string, string>>>();
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Refuses what is in `forbidden`; two that create the same Secret get what the first stored. */
function clusterOf(forbidden: readonly string[] = []): Pick<Cluster, 'get' | 'create'> {
  return {
    get(_, { name }) {
      if (forbidden.includes(name))
        return Promise.reject(
          new KubernetesError({ status: 403, reason: 'Forbidden', message: 'no', retryAfterMs: null }),
        );
      const data = secrets.get(name);
      const secret: Secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace },
        ...(data ? { data } : {}),
      };
      return Promise.resolve(data ? (secret as KubernetesObject as never) : undefined);
    },
    create(_, object) {
      secrets.set(object.metadata.name, object.data as Readonly<Record<string, string>>);
      return Promise.resolve(object as KubernetesObject as never);
    },
  };
}

/** What registering comes to; its account has the URL that is known. */
let outcome: () => Promise<AcmeAccount>;
/** What an authority has under a key that is not the one known. */
let found: AcmeAccount | null;
let asked: { readonly keyId?: string }[];

const accountAt = (url: string): AcmeAccount => ({ url }) as AcmeAccount;
const clients: AcmeClients = {
  of: () =>
    Promise.resolve({
      register(_key: unknown, { externalAccount }: { externalAccount: { keyId: string } | null }) {
        asked.push(externalAccount ?? {});
        return outcome();
      },
      find() {
        return Promise.resolve(found);
      },
      account: (_key: unknown, url: string) => accountAt(url),
    } as unknown as Awaited<ReturnType<AcmeClients['of']>>),
  keepOnly: () => undefined,
};

beforeEach(() => {
  secrets.clear();
  found = null;
  asked = [];
  outcome = () => Promise.resolve(accountAt('https://ca.test/account/1'));
});

const observe = (of = spec, before?: KnownAccount, forbidden: readonly string[] = []) =>
  observeAccount({ cluster: clusterOf(forbidden), namespace, clients }, of, before);

const refusal = new AcmeProblem({
  type: 'unauthorized',
  detail: 'deactivated',
  status: 401,
  retryAfterMs: null,
  subproblems: [],
});

const busy = new AcmeProblem({ type: 'rateLimited', detail: 'busy', status: 429, retryAfterMs: null, subproblems: [] });

describe('an account of an AcmeIssuer', () => {
  it('that was never registered gets a key of its own, which is kept before the authority hears of it', async () => {
    let keptBefore = false;
    outcome = () => {
      keptBefore = secrets.has(spec.keySecret);
      return Promise.resolve(accountAt('https://ca.test/account/1'));
    };
    const { account, problem } = await observe();
    const kept = Buffer.from(secrets.get(spec.keySecret)?.['tls.key'] ?? '', 'base64').toString();
    expect([keptBefore, problem, account?.thumbprint]).toEqual([true, null, readAccountKey(kept).thumbprint]);
  });

  it.each<
    [
      sentence: string,
      given: {
        readonly data?: Record<string, string>;
        readonly before?: KnownAccount;
        readonly forbidden?: boolean;
        readonly fault?: Error;
      },
      expected: readonly [usable: boolean, reason: string | null],
    ]
  >([
    ['uses the key that is there', { data: { 'tls.key': pem } }, [true, null]],
    ['never gets a new key in place of one that was lost', { before: known }, [false, 'KeyMissing']],
    ['gets one at another authority', { before: { ...known, server: 'https://other.test/dir' } }, [true, null]],
    ['says so where the Secret has no key', { data: { other: 'text' } }, [false, 'KeyUnreadable']],
    ['says so where the key is none', { data: { 'tls.key': 'text' } }, [false, 'KeyUnreadable']],
    ['says so where the operator may not read the Secret', { forbidden: true }, [false, 'RightsMissing']],
    [
      'cannot be used while it was never registered and the authority is away',
      { data: { 'tls.key': pem }, fault: new AcmeUnavailable('no answer') },
      [false, 'AuthorityUnreachable'],
    ],
    [
      'stays usable while its authority is away',
      { data: { 'tls.key': pem }, before: known, fault: new AcmeUnavailable('no answer') },
      [true, 'AuthorityUnreachable'],
    ],
    [
      'is never replaced by that of another key',
      { data: { 'tls.key': pem }, before: { ...known, thumbprint: 'other' } },
      [false, 'KeyMissing'],
    ],
    [
      'stays usable while its authority only has too much to do',
      { data: { 'tls.key': pem }, before: known, fault: busy },
      [true, 'AuthorityRefused'],
    ],
    [
      'cannot be used once its authority refuses it',
      { data: { 'tls.key': pem }, before: known, fault: refusal },
      [false, 'AuthorityRefused'],
    ],
  ])('%s', async (_, { data, before, forbidden = false, fault }, expected) => {
    if (data)
      secrets.set(spec.keySecret, Object.fromEntries(Object.entries(data).map(([name, text]) => [name, base64(text)])));
    if (fault) outcome = () => Promise.reject(fault);
    const { account, problem } = await observe(spec, before, forbidden ? [spec.keySecret] : []);
    expect([account !== null, problem?.reason ?? null]).toEqual(expected);
  });

  it('goes on with another key where the authority has it for the same account', async () => {
    secrets.set(spec.keySecret, { 'tls.key': base64(pem) });
    found = accountAt('https://ca.test/account/1');
    const { account, problem } = await observe(spec, { ...known, thumbprint: 'former' });
    expect([account?.thumbprint, problem]).toEqual([thumbprint, null]);
  });

  it('is bound to the account that the authority gave, and says which Secret is missing for it', async () => {
    const bound = { ...spec, externalAccountBinding: { keyId: 'kid', keySecret: 'projectdomain-acme-binding' } };
    const { problem } = await observe(bound);
    expect(problem?.message).toContain(`${namespace}/projectdomain-acme-binding`);
    secrets.set('projectdomain-acme-binding', { secret: base64('aGVsbG8\n') });
    await observe(bound);
    expect(asked).toEqual([{ keyId: 'kid', hmacKey: 'aGVsbG8' }]);
  });
});

const issuer: AcmeIssuer = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'AcmeIssuer',
  metadata: { name: 'ca', generation: 2 },
  spec: { accounts: [spec] },
  status: { accounts: [known] },
};
const usable: AccountObservation = {
  spec,
  account: {
    name: 'ca',
    server: 'https://ca.test/directory',
    thumbprint,
    profile: null,
    preferredChain: null,
    acme: accountAt('https://ca.test/account/1'),
    authority: { renewalWindow: () => Promise.resolve(null) },
  },
  problem: null,
};
const away: AccountObservation = {
  ...usable,
  problem: { reason: 'AuthorityUnreachable', message: 'does not answer' },
};
const lost: AccountObservation = { spec, account: null, problem: { reason: 'KeyMissing', message: 'restore it' } };

describe('the status of an AcmeIssuer', () => {
  const statusOf = (...observations: readonly AccountObservation[]) => {
    const { writes, requeueAt } = decideAcmeIssuer({
      issuer,
      observations,
      health: () => ({ silentSince: null, isDown: false }),
      ledger: undefined,
      limits: [],
      lookedAt: now,
      now,
    });
    const status = (writes[0] as unknown as { object: { status: NonNullable<AcmeIssuer['status']> } }).object.status;
    return { status, ready: status.conditions?.[0], afterMs: (requeueAt ?? 0) - now };
  };

  it.each<[string, readonly AccountObservation[], readonly [string, string, number]]>([
    ['is Ready while an account can be used, and looked at every hour', [usable], ['True', 'Registered', 3_600_000]],
    [
      'is Ready by its second account, and looked at every minute for the first',
      [lost, usable],
      ['True', 'Registered', 60_000],
    ],
    ['is not Ready, and says why', [lost], ['False', 'KeyMissing', 60_000]],
    ['is Unknown while the authority is away', [away], ['Unknown', 'AuthorityUnreachable', 60_000]],
  ])('%s', (_, observations, expected) => {
    const { ready, afterMs } = statusOf(...observations);
    expect([ready?.status, ready?.reason, afterMs]).toEqual(expected);
  });

  it('still shows the account whose key is lost: CAA records may name it', () => {
    expect(statusOf(lost).status.accounts).toEqual([{ ...known, problem: 'restore it' }]);
  });
});
