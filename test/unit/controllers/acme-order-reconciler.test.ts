import { X509Certificate } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { hash } from 'node:crypto';
import type { AcmeAccount } from '../../../src/acme/acme-client.ts';
import { AcmeProblem, AcmeUnavailable } from '../../../src/acme/acme-errors.ts';
import type { Authorization, Order } from '../../../src/acme/acme-objects.ts';
import type { RegisteredAccount } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import { createAuthorityHealth } from '../../../src/controllers/acme-issuer/authority-health.ts';
import { createRegisteredAccounts } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import { reconcileAcmeOrder } from '../../../src/controllers/acme-order/acme-order-reconciler.ts';
import { createOrderAttempts } from '../../../src/controllers/acme-order/order-attempts.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import { ChallengeZoneFault } from '../../../src/dns/challenge-zone.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Intent, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { OperatorStores } from '../../../src/operator/operator-stores.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import type { Certificate, CertificateRequest } from '../../../src/resources/cert-manager-types.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import { hostnameWait } from '../../../src/rules/order-ledger/hostname-orders.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { certificateFor, signingRequest } from '../../support/signing-request.ts';
import { claim, domain, now, orderLimits, routes, settings } from '../../support/snapshot.ts';

/** What an authority's answers become, where a real one would not give them on demand. */

const hostname = 'www.example.com';
const wish = { names: `DNS:${hostname}` };
const url = (path: string): string => `https://ca.test/${path}`;

let stores: OperatorStores;
/** everything that was done, in order */
let log: string[];
let authority: { order: Partial<Order>; authorization: Partial<Authorization> };
/** what is thrown instead of an answer, by the name of the call */
let faults: Readonly<Record<string, Error>>;
let chain: string;
let suggested: Awaited<ReturnType<RegisteredAccount['authority']['renewalWindow']>>;
let dependencies: ControllerNeeds;

const order = (): Order => ({
  status: 'pending',
  authorizations: [url('authz')],
  finalize: url('finalize'),
  error: undefined,
  ...authority.order,
});
const authorization = (): Authorization => ({
  status: 'pending',
  identifier: { type: 'dns', value: hostname },
  wildcard: false,
  challenges: [{ type: 'http-01', url: url('challenge'), status: 'pending', token: 'a'.repeat(43), error: undefined }],
  ...authority.authorization,
});

/** what a challenge says when it is read alone */
let challengeError: AcmeProblem | null = null;

/** Does what it is told at once: after a trigger the order is ready, after finalize it is valid. */
const account: AcmeAccount = {
  url: url('account'),
  newOrder: ({ replaces }) =>
    did(replaces === null ? 'newOrder' : `newOrder that replaces ${replaces}`, () => ({
      url: url('order'),
      value: order(),
      retryAfterMs: null,
    })),
  order: () => did('order', () => ({ value: order(), retryAfterMs: null })),
  authorization: () => did('authorization', () => ({ value: authorization(), retryAfterMs: null })),
  challengeError: () => did('challengeError', () => challengeError),
  triggerChallenge: () =>
    did('trigger', () => {
      authority = { order: { status: 'ready' }, authorization: { status: 'valid' } };
    }),
  finalize: () =>
    did('finalize', () => {
      authority.order = { status: 'valid', certificate: url('certificate') };
      return { value: order(), retryAfterMs: null };
    }),
  chain: () => did('download', () => chain),
  deactivate: () => did('deactivate', () => undefined),
  revoke: () => did('revoke', () => undefined),
};

const reads: readonly string[] = ['order', 'authorization'];

async function did<T>(name: string, answer: () => T): Promise<T> {
  if (!reads.includes(name)) log.push(name);
  const fault = faults[name];
  if (fault) throw fault;
  return Promise.resolve(answer());
}

let version = 100;
const nextVersion = (): string => String((version += 1));

function put(object: HostnameClaim): HostnameClaim {
  const kept = { ...object, metadata: { ...object.metadata, resourceVersion: nextVersion() } };
  stores.claims.put(kept);
  return kept;
}

const certificate = childName(hostname);
const request: CertificateRequest = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'CertificateRequest',
  metadata: {
    name: 'r',
    namespace: 'acme',
    uid: 'uid',
    resourceVersion: '1',
    annotations: { 'cert-manager.io/certificate-name': certificate },
  },
  spec: { issuerRef: { group: 'projectdomain.io', kind: 'AcmeIssuer', name: 'ca' }, request: signingRequest(wish) },
  status: { conditions: [{ type: 'Approved', status: 'True' }] },
};

/** As the kube-apiserver does, and says what was written. */
const cluster = {
  get: () => Promise.resolve(stores.claims.get({ namespace: '', name: hostname })),
  replaceStatus(_: unknown, object: KubernetesObject) {
    const issuing = (object as Certificate).status?.conditions?.find(({ type }) => type === 'Issuing');
    log.push(`certificate ${issuing?.status} ${issuing?.reason}`);
    return Promise.resolve(object);
  },
  replace(_: unknown, object: KubernetesObject) {
    const { spec } = object as HostnameClaim;
    const current = stores.claims.get({ namespace: '', name: hostname });
    if (object.metadata.resourceVersion !== current?.metadata.resourceVersion)
      return Promise.reject(
        new KubernetesError({ status: 409, reason: 'Conflict', message: 'changed', retryAfterMs: null }),
      );
    const [entry] = spec.orders ?? [];
    log.push(`claim ${entry?.outcome} ${entry?.acme ? (entry.acme.order ? 'placed' : 'to be placed') : ''}`.trim());
    return Promise.resolve(put(object as HostnameClaim));
  },
  applyStatus(_: unknown, { status }: Intent) {
    const applied = status as CertificateRequest['status'] & { certificate?: string };
    const ready = applied?.conditions?.find(({ type }) => type === 'Ready');
    log.push(`request ${ready?.reason}`);
    stores.certificateRequests.put({
      ...request,
      metadata: { ...request.metadata, resourceVersion: nextVersion() },
      ...(applied ? { status: applied } : {}),
    });
    return Promise.resolve(request);
  },
};

beforeEach(() => {
  stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  log = [];
  later = 0;
  faults = {};
  authority = { order: {}, authorization: {} };
  chain = certificateFor(wish);
  challengeError = null;
  const checkedAt = timestamp(now - 5_000);
  put(claim({ orders: [{ request: 'uid', at: timestamp(now), outcome: 'Pending', kind: 'First', checkedAt }] }));
  stores.certificateRequests.put(request);
  const accounts = createRegisteredAccounts();
  const renewalWindow = () => did('renewalInfo', () => suggested);
  accounts.record('ca', [
    {
      name: 'ca',
      server: 'https://ca.test/directory',
      thumbprint: 'thumbprint',
      profile: null,
      preferredChain: null,
      acme: account,
      authority: { renewalWindow },
    },
  ]);
  suggested = null;
  dependencies = {
    caches: stores,
    cluster,
    settings: { ...settings, issuer: { kind: 'AcmeIssuer', name: 'ca' } },
    accounts,
    authorityHealth: createAuthorityHealth(() => now + later),
    orderAttempts: createOrderAttempts(),
    challengeProbe: (_: string, expected: ReadonlyMap<string, string>) => Promise.resolve(new Set(expected.keys())),
    certManagerUnavailable: () => false,
    recordEvent: () => undefined,
    now: () => now + later,
  } as unknown as ControllerNeeds;
});

/** Each later by what the last one said: an order that rests is not looked at before. */
let later = 0;
const { signal } = new AbortController();
async function reconcile() {
  const result = await reconcileAcmeOrder(dependencies, hostname, signal);
  later += result.requeueAfterMs ?? 0;
  return result;
}
/** As the domain's own reconcile does while an order waits. */
function checkAgain(): void {
  const before = stores.claims.get({ namespace: '', name: hostname }) as HostnameClaim;
  const orders = before.spec.orders?.map((order) => ({ ...order, checkedAt: timestamp(now + later) })) ?? [];
  put({ ...before, spec: { ...before.spec, orders } });
}

const entry = () => stores.claims.get({ namespace: '', name: hostname })?.spec.orders?.[0];
const ready = () =>
  stores.certificateRequests
    .get({ namespace: 'acme', name: 'r' })
    ?.status?.conditions?.find(({ type }) => type === 'Ready');

const gone = { type: 'malformed', detail: 'no such order', status: 404, retryAfterMs: null, subproblems: [] } as const;
const problem = (type: string, retryAfterMs: number | null = null) =>
  new AcmeProblem({ type, detail: 'says no', status: 403, retryAfterMs, subproblems: [] });

describe('an order of ours', () => {
  it('is remembered before it is placed, and has its outcome once the certificate is kept and its proofs are given up', async () => {
    expect(await reconcile()).toEqual({ requeueAfterMs: 100 });
    expect(log).toEqual(['claim Pending to be placed', 'newOrder', 'claim Pending placed', 'trigger']);
    log.length = 0;
    expect(await reconcile()).toEqual({ requeueAfterMs: 6 * 3_600_000 });
    expect(log).toEqual([
      'finalize',
      'download',
      'request Issued',
      'claim Pending placed',
      'deactivate',
      'claim Issued placed',
    ]);
    log.length = 0;
    expect(await reconcile()).toEqual({});
    expect(log).toEqual([]);
  });

  it('keeps the approval beside the certificate: whoever applies less would take it away', async () => {
    await reconcile();
    await reconcile();
    const { status } = stores.certificateRequests.get({ namespace: 'acme', name: 'r' }) ?? {};
    expect(status?.conditions?.map(({ type, status: is }) => [type, is])).toEqual([
      ['Approved', 'True'],
      ['Ready', 'True'],
    ]);
  });

  it.each<[string, string, string]>([
    ['names another', 'newOrder', 'rejectedIdentifier'],
    ['was answered wrongly', 'finalize', 'badCSR'],
  ])('fails with its request where the authority ends it: it %s', async (_, call, type) => {
    faults = { [call]: problem(type) };
    await reconcile();
    await reconcile();
    expect([ready()?.reason, entry()?.outcome]).toEqual(['Failed', 'Failed']);
    expect(log.slice(-2).every((act) => act !== 'newOrder')).toBe(true);
  });

  it('gives up what was proven for one that failed', async () => {
    await reconcile();
    faults = { finalize: problem('badCSR') };
    log.length = 0;
    await reconcile();
    expect(log).toEqual(['finalize', 'request Failed', 'deactivate', 'claim Failed placed']);
  });

  it.each<[string, string, string, Error | null, readonly string[]]>([
    ['says so', 'Issued', 'account', null, ['newOrder that replaces aki.serial']],
    [
      'is ordered like any other where the authority knows better',
      'Issued',
      'account',
      problem('alreadyReplaced'),
      ['newOrder that replaces aki.serial', 'newOrder'],
    ],
    [
      'is ordered like any other where the authority does not find that',
      'Issued',
      'account',
      problem('serverInternal'),
      ['newOrder that replaces aki.serial', 'newOrder'],
    ],
    ['says nothing where another account has the certificate', 'Issued', 'other', null, ['newOrder']],
    ['says nothing where the last one was refused', 'Failed', 'account', null, ['newOrder']],
  ])('that replaces a certificate %s', async (_, outcome, of, fault, expected) => {
    const before = stores.claims.get({ namespace: '', name: hostname }) as HostnameClaim;
    const acme = {
      account: url(of),
      thumbprint: 'thumbprint',
      placed: 1,
      order: url('earlier'),
      certificate: 'aki.serial',
    };
    const earlier = { request: 'earlier', at: timestamp(now - 1_000), outcome: outcome as 'Issued' | 'Failed', acme };
    put({ ...before, spec: { ...before.spec, orders: [earlier, ...(before.spec.orders ?? [])] } });
    faults = fault ? { 'newOrder that replaces aki.serial': fault } : {};
    await reconcile();
    expect(log.filter((act) => act.startsWith('newOrder'))).toEqual(expected);
  });

  it.each<[what: string, says: AcmeProblem | null, fault: Error | null, told: RegExp]>([
    ['the challenge alone says why', problem('dns'), null, /says no/],
    ['nobody says why', null, null, /the order is invalid/],
    ['the challenge cannot be read', null, new AcmeUnavailable('no answer'), /the order is invalid/],
    ['the challenge is gone', null, problem('malformed'), /the order is invalid/],
  ])('that failed tells its cause: %s', async (_, says, fault, told) => {
    challengeError = says;
    faults = fault ? { challengeError: fault } : {};
    await reconcile();
    authority = { order: { status: 'invalid' }, authorization: { status: 'invalid' } };
    await reconcile();
    expect(log.filter((act) => act === 'challengeError')).toHaveLength(1);
    expect([entry()?.outcome, ready()?.reason]).toEqual(['Failed', 'Failed']);
    expect(ready()?.message).toMatch(told);
  });

  it('waits, and says so, where the authority names a limit', async () => {
    const limit = new AcmeProblem({
      type: 'rateLimited',
      detail: 'too many new orders recently',
      status: 429,
      retryAfterMs: 600_000,
      subproblems: [],
    });
    faults = { newOrder: limit };
    expect(await reconcile()).toEqual({ requeueAfterMs: 600_000 });
    expect([ready()?.reason, entry()?.outcome, entry()?.waitsUntil]).toEqual([
      'Pending',
      'Pending',
      timestamp(now + 600_000),
    ]);
  });

  it('that was refused was not placed, and counts nothing', async () => {
    faults = { newOrder: problem('rateLimited', 600_000) };
    await reconcile();
    expect(entry()).not.toHaveProperty('acme');
  });

  it.each<[string, Error]>([
    ['refused for now', problem('serverInternal')],
    ['refused until a time', problem('rateLimited', 600_000)],
    ['not answered', new AcmeUnavailable('no answer')],
  ])('that was %s rests, whatever wakes it: its own writes do', async (_, fault) => {
    faults = { newOrder: fault };
    await reconcile();
    later = 0;
    log.length = 0;
    for (let count = 0; count < 3; count += 1) {
      await reconcile();
      later = 0;
    }
    expect(log).toEqual([]);
  });

  it('waits until the time that was named in a process that has just begun, too', async () => {
    faults = { newOrder: problem('rateLimited', 600_000) };
    await reconcile();
    later = 0;
    log.length = 0;
    dependencies = { ...dependencies, orderAttempts: createOrderAttempts() };
    expect([await reconcile(), log]).toEqual([{ requeueAfterMs: 600_000 }, []]);
  });

  it('stops nobody else where it is only asked about too often', async () => {
    await reconcile();
    faults = { finalize: problem('rateLimited', 30_000) };
    expect(await reconcile()).toEqual({ requeueAfterMs: 30_000 });
    expect([entry()?.outcome, entry()?.waitsUntil, entry()?.scope]).toEqual(['Pending', undefined, undefined]);
  });

  it('is tried again, and its request waits, where the authority does not answer', async () => {
    faults = { newOrder: new AcmeUnavailable('no answer') };
    expect(await reconcile()).toEqual({ requeueAfterMs: 2_000 });
    expect([ready()?.reason, entry()?.outcome, entry()?.acme?.placed]).toEqual(['Pending', 'Pending', 1]);
    faults = {};
    await reconcile();
    expect(entry()?.acme).toEqual({ account: account.url, thumbprint: 'thumbprint', placed: 2, order: url('order') });
  });

  it('is not placed where its claim changed before that could be recorded', async () => {
    const before = stores.claims.get({ namespace: '', name: hostname }) as HostnameClaim;
    const challenger = { ...before, metadata: { ...before.metadata, annotations: { other: 'change' } } };
    const { replace } = cluster;
    dependencies = {
      ...dependencies,
      cluster: {
        ...cluster,
        replace: (kind: unknown, object: KubernetesObject) => (put(challenger), replace(kind, object)),
      },
    } as unknown as ControllerNeeds;
    await expect(reconcile()).rejects.toThrow('changed');
    expect(log).toEqual([]);
  });

  it('has its URL recorded although its claim changed while it was placed: it is found by that alone', async () => {
    const { newOrder } = account;
    account.newOrder = (wanted) => {
      const claimNow = stores.claims.get({ namespace: '', name: hostname }) as HostnameClaim;
      put({ ...claimNow, metadata: { ...claimNow.metadata, annotations: { other: 'change' } } });
      return newOrder(wanted);
    };
    try {
      await reconcile();
    } finally {
      account.newOrder = newOrder;
    }
    expect(log).toEqual(['claim Pending to be placed', 'newOrder', 'claim Pending placed', 'trigger']);
    expect(stores.claims.get({ namespace: '', name: hostname })?.metadata.annotations).toEqual({ other: 'change' });
  });

  it('is not ended by a certificate of another key', async () => {
    chain = certificateFor({ names: 'DNS:other.example.com' });
    await reconcile();
    await expect(reconcile()).rejects.toThrow('another key');
    expect([ready()?.reason, entry()?.outcome]).toEqual([undefined, 'Pending']);
  });

  it('has its proofs given up later where the authority is away just then, and its certificate at once', async () => {
    await reconcile();
    faults = { deactivate: new AcmeUnavailable('no answer') };
    await expect(reconcile()).rejects.toThrow('no answer');
    expect([ready()?.reason, entry()?.outcome]).toEqual(['Issued', 'Pending']);
    faults = {};
    log.length = 0;
    await reconcile();
    expect(log).toEqual(['deactivate', 'claim Issued placed']);
  });

  const servedFrom = {
    download: url('certificate'),
    notAfter: timestamp(new X509Certificate(certificateFor(wish)).validToDate.getTime()),
  };

  it('has its certificate remembered before its proofs are given up: not every authority names it then', async () => {
    await reconcile();
    faults = { deactivate: new AcmeUnavailable('no answer') };
    await expect(reconcile()).rejects.toThrow('no answer');
    expect(entry()).toMatchObject({ outcome: 'Pending', acme: servedFrom });
  });

  it('has it remembered by the process that follows one which ended before that', async () => {
    await reconcile();
    const { replace } = cluster;
    const isNoted = (object: KubernetesObject) => (object as HostnameClaim).spec.orders?.[0]?.acme?.download;
    dependencies = {
      ...dependencies,
      cluster: {
        ...cluster,
        replace: (kind: unknown, object: KubernetesObject) =>
          isNoted(object) ? Promise.reject(new Error('killed')) : replace(kind, object),
      },
    } as unknown as ControllerNeeds;
    await expect(reconcile()).rejects.toThrow('killed');
    dependencies = { ...dependencies, cluster } as unknown as ControllerNeeds;
    log.length = 0;
    await reconcile();
    expect(log).toEqual(['download', 'claim Pending placed', 'deactivate', 'claim Issued placed']);
    expect(entry()).toMatchObject({ outcome: 'Issued', acme: servedFrom });
  });

  // Would fail if it counted as a failure: the authority counts it among the few certificates of a hostname in a week.
  it('that nobody waits for any more has the certificate remembered that came of it all the same', async () => {
    await reconcile();
    stores.certificateRequests.drop(request);
    authority = { order: { status: 'valid', certificate: url('certificate') }, authorization: { status: 'valid' } };
    later = 5 * 60_000;
    await reconcile();
    expect(entry()).toMatchObject({ outcome: 'Issued', acme: servedFrom });
  });

  it('that nobody waits for any more is not closed while its certificate is being issued', async () => {
    await reconcile();
    stores.certificateRequests.drop(request);
    authority.order = { status: 'processing' };
    later = 5 * 60_000;
    log.length = 0;
    await reconcile();
    expect([log, entry()?.outcome]).toEqual([[], 'Pending']);
  });

  it('keeps what was written of its revocation meanwhile', async () => {
    await reconcile();
    const revocation = { reason: 'keyCompromise' as const, since: timestamp(now) };
    const before = stores.claims.get({ namespace: '', name: hostname }) as HostnameClaim;
    put({
      ...before,
      spec: { ...before.spec, orders: before.spec.orders?.map((one) => ({ ...one, revocation })) ?? [] },
    });
    await reconcile();
    expect(entry()).toMatchObject({ outcome: 'Issued', revocation });
  });

  it('is abandoned once its request is gone for minutes, and gives up its proofs', async () => {
    await reconcile();
    stores.certificateRequests.drop(request);
    log.length = 0;
    expect([await reconcile(), log]).toEqual([{ requeueAfterMs: 60_000 }, []]);
    later = 5 * 60_000;
    await reconcile();
    expect([log, entry()?.outcome]).toEqual([['deactivate', 'claim Abandoned placed'], 'Abandoned']);
  });

  it('is closed once it is over while a newer one waits', async () => {
    const acme = { account: account.url, thumbprint: 'thumbprint', placed: 1, order: url('earlier') };
    const earlier = { request: 'gone', at: timestamp(now - 600_000), outcome: 'Pending' as const, acme };
    const newer = {
      request: 'uid',
      at: timestamp(now),
      outcome: 'Pending' as const,
      checkedAt: timestamp(now - 90_000),
    };
    put(claim({ orders: [earlier, newer] }));
    expect(await reconcile()).toEqual({ requeueAfterMs: 1_000 });
    expect(await reconcile()).toEqual({ requeueAfterMs: 30_000 });
    expect([
      log,
      stores.claims.get({ namespace: '', name: hostname })?.spec.orders?.map(({ outcome }) => outcome),
    ]).toEqual([
      ['deactivate', 'claim Abandoned placed'],
      ['Abandoned', 'Pending'],
    ]);
  });

  it('is not taken for gone while nobody knows the requests', async () => {
    await reconcile();
    stores.certificateRequests.drop(request);
    dependencies = { ...dependencies, certManagerUnavailable: () => true };
    log.length = 0;
    expect([await reconcile(), log]).toEqual([{ requeueAfterMs: 30_000 }, []]);
  });

  it('triggers nothing while a redirector does not answer, and is looked at less and less often', async () => {
    dependencies = { ...dependencies, challengeProbe: () => Promise.resolve(new Set<string>()) };
    const pauses: (number | undefined)[] = [];
    for (let count = 0; count < 20; count += 1) pauses.push((await reconcile()).requeueAfterMs);
    expect(log).not.toContain('trigger');
    expect([pauses[0], pauses[1], pauses[11], pauses[14], pauses.at(-1)]).toEqual([100, 200, 500, 4_000, 60_000]);
  });

  it('is tried again after longer and longer where the account is refused', async () => {
    faults = { newOrder: problem('unauthorized') };
    const pauses: (number | undefined)[] = [];
    for (let count = 0; count < 8; count += 1) {
      pauses.push((await reconcile()).requeueAfterMs);
      checkAgain();
    }
    expect([pauses[0], pauses[1], pauses.at(-1)]).toEqual([60_000, 120_000, 3_600_000]);
    expect([ready()?.reason, entry()?.outcome]).toEqual(['Pending', 'Pending']);
  });
});

/** What the hostname's own orders make its next one wait for. */
const waitOfName = () =>
  hostnameWait(
    stores.claims.get({ namespace: '', name: hostname })?.spec.orders ?? [],
    { limits: orderLimits, isHere: () => true },
    now + later,
  );

/** As Re-verify does after half an hour: its request is taken away, and cert-manager makes another one, which is approved. */
function orderAnew(): void {
  stores.certificateRequests.drop(request);
  const metadata = { ...request.metadata, name: 'r2', uid: 'uid2' };
  stores.certificateRequests.put({ ...request, metadata });
  const before = stores.claims.get({ namespace: '', name: hostname }) as HostnameClaim;
  const at = timestamp(now + later);
  const order = { request: 'uid2', at, outcome: 'Pending' as const, kind: 'First' as const, checkedAt: at };
  put({ ...before, spec: { ...before.spec, orders: [...(before.spec.orders ?? []), order] } });
}

const outcomes = () => stores.claims.get({ namespace: '', name: hostname })?.spec.orders?.map(({ outcome }) => outcome);
const away = new AcmeUnavailable('no answer');
const halfAnHour = 30 * 60_000;

describe('an authority that falls silent and comes back', () => {
  // Would fail if an order that was given up for a silence counted as a failure of its hostname: that would make the next one wait.
  it.each<[string, readonly string[], number]>([
    ['before it has the order, or before anybody knows its URL', ['newOrder'], 0],
    ['before the order can be read', ['order'], 0],
    ['before its proof can be read', ['authorization'], 0],
    ['before the challenge can be triggered', ['trigger'], 0],
    ['before the order can be finalized', ['finalize'], 1],
    ['before the certificate can be had', ['download'], 1],
    ['for good in all of these', ['newOrder', 'order', 'authorization', 'trigger', 'finalize', 'download'], 0],
  ])('%s makes no hostname wait, and its next order goes through', async (_, calls, before) => {
    for (let count = 0; count < before; count += 1) await reconcile();
    faults = Object.fromEntries(calls.map((call) => [call, away]));
    for (let count = 0; count < 5; count += 1) {
      checkAgain();
      await reconcile();
    }
    expect(outcomes()).toEqual(['Pending']);
    later += halfAnHour;
    faults = {};
    if (authority.order.status !== 'valid') authority = { order: {}, authorization: {} };
    orderAnew();
    log.length = 0;
    for (let count = 0; count < 4; count += 1) await reconcile();
    expect([outcomes()?.at(-1), waitOfName()]).toEqual(['Issued', null]);
    expect(outcomes()).not.toContain('Failed');
  });

  it('is asked again as soon as somebody asks us, and not before the pause of our own has ended otherwise', async () => {
    const verify = (value: string) => {
      const annotations = { 'projectdomain.io/verify-requested-at': value };
      const { metadata, ...rest } = domain();
      stores.domains.put({ ...rest, metadata: { ...metadata, annotations, resourceVersion: nextVersion() } });
    };
    faults = { newOrder: away };
    for (let count = 0; count < 8; count += 1) {
      checkAgain();
      await reconcile();
    }
    later -= 60_000;
    faults = {};
    checkAgain();
    log.length = 0;
    await reconcileAcmeOrder(dependencies, hostname, signal);
    expect(log).toEqual([]);
    verify('2026-01-01T12:00:00Z');
    await reconcileAcmeOrder(dependencies, hostname, signal);
    expect(log).toContain('newOrder');
  });
});

describe('an authority that named a time', () => {
  it('is not asked before, whoever asks us', async () => {
    faults = { newOrder: new AcmeUnavailable('busy', { retryAfterMs: 600_000 }) };
    await reconcile();
    later = 300_000;
    faults = {};
    checkAgain();
    const { metadata, ...rest } = domain();
    const annotations = { 'projectdomain.io/verify-requested-at': '2026-01-01T12:00:00Z' };
    stores.domains.put({ ...rest, metadata: { ...metadata, annotations, resourceVersion: nextVersion() } });
    log.length = 0;
    expect([await reconcileAcmeOrder(dependencies, hostname, signal), log]).toEqual([{ requeueAfterMs: 300_000 }, []]);
  });
});

describe('an order that its authority does not go on with', () => {
  it.each<[string, () => void]>([
    ['does not have any more', () => void (faults = { order: new AcmeProblem({ ...gone, status: 404 }) })],
    ['let expire', () => void (authority = { order: { status: 'invalid' }, authorization: { status: 'expired' } })],
    [
      'could not issue',
      () =>
        void (authority = {
          order: { status: 'invalid', error: problem('serverInternal') },
          authorization: { status: 'valid' },
        }),
    ],
  ])('as it %s is placed anew under the same request, and counts as no failure', async (_, arrange) => {
    await reconcile();
    arrange();
    expect(await reconcile()).toEqual({ requeueAfterMs: 0 });
    expect([ready()?.reason, entry()?.outcome, entry()?.acme]).toEqual([
      'Pending',
      'Pending',
      { account: account.url, thumbprint: 'thumbprint', placed: 1 },
    ]);
    faults = {};
    authority = { order: {}, authorization: {} };
    for (let count = 0; count < 3; count += 1) await reconcile();
    expect([entry()?.outcome, entry()?.acme?.placed, waitOfName()]).toEqual(['Issued', 2, null]);
  });

  it('is placed anew less and less often, as each is an order that the authority counts', async () => {
    const pauses: (number | undefined)[] = [];
    for (let count = 0; count < 8; count += 1) {
      authority = { order: {}, authorization: {} };
      checkAgain();
      await reconcile();
      authority = { order: { status: 'invalid' }, authorization: { status: 'expired' } };
      pauses.push((await reconcile()).requeueAfterMs);
    }
    expect([pauses[0], pauses[1], pauses[2], pauses.at(-1)]).toEqual([0, 60_000, 120_000, 3_600_000]);
  });

  it('fails where the authority refused a challenge, and the hostname waits', async () => {
    await reconcile();
    const challenges = authorization().challenges.map((one) => ({ ...one, error: problem('connection') }));
    authority = { order: { status: 'invalid' }, authorization: { status: 'invalid', challenges } };
    await reconcile();
    expect([ready()?.reason, entry()?.outcome, waitOfName()?.reason]).toEqual(['Failed', 'Failed', 'IssuanceLimited']);
  });

  it('has failed where that was refused after nobody waited for it any more: the authority counts it', async () => {
    await reconcile();
    stores.certificateRequests.drop(request);
    const challenges = authorization().challenges.map((one) => ({ ...one, error: problem('connection') }));
    authority = { order: { status: 'invalid' }, authorization: { status: 'invalid', challenges } };
    later = 5 * 60_000;
    await reconcile();
    expect([entry()?.outcome, waitOfName()?.reason]).toEqual(['Failed', 'IssuanceLimited']);
  });
});

describe('a certificate of ours that is served', () => {
  const notAfter = timestamp(now + 60 * 24 * 3_600_000);
  const hour = 3_600_000;
  const serve = (
    changes: {
      readonly orders?: readonly object[];
      readonly conditions?: readonly object[];
      readonly notAfter?: string;
    } = {},
  ) => {
    const acme = {
      account: account.url,
      thumbprint: 't',
      placed: 1,
      order: url('o'),
      certificate: 'aki.serial',
      notAfter,
    };
    const issued = { request: 'earlier', at: timestamp(now - hour), outcome: 'Issued', acme };
    const { orders = [issued], conditions = [{ type: 'Ready', status: 'True' }] } = changes;
    put(claim({ orders: orders as never }));
    stores.certificates.put({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: certificate, namespace: 'acme', uid: 'c', resourceVersion: nextVersion() },
      spec: { secretName: certificate },
      status: { conditions: conditions as never, notAfter: changes.notAfter ?? notAfter },
    });
    return issued;
  };
  const windowAt = (start: number, end: number, retryAfterMs: number | null = null) => {
    suggested = { value: { start: now + start, end: now + end }, retryAfterMs };
  };

  it.each<[string, () => void, number | undefined, readonly string[]]>([
    [
      'is asked about again when its authority says',
      () => windowAt(48 * hour, 50 * hour, 3 * hour),
      3 * hour,
      ['renewalInfo'],
    ],
    [
      'is asked about again after six hours where that says nothing',
      () => windowAt(48 * hour, 50 * hour),
      6 * hour,
      ['renewalInfo'],
    ],
    [
      'is asked about once a day at least',
      () => windowAt(48 * hour, 50 * hour, 90 * 24 * hour),
      24 * hour,
      ['renewalInfo'],
    ],
    [
      'is renewed once its moment has come',
      () => windowAt(-2 * hour, -1 * hour),
      6 * hour,
      ['renewalInfo', 'certificate True RenewalSuggested'],
    ],
    [
      'is left to cert-manager where its authority has no renewal information',
      () => undefined,
      undefined,
      ['renewalInfo'],
    ],
    [
      'is asked about in an hour where its authority does not answer',
      () => void (faults = { renewalInfo: new AcmeUnavailable('no') }),
      hour,
      ['renewalInfo'],
    ],
    [
      'is asked about later where its authority does not know it',
      () => void (faults = { renewalInfo: problem('malformed') }),
      6 * hour,
      ['renewalInfo'],
    ],
  ])('%s', async (_, arrange, requeueAfterMs, expected) => {
    serve();
    arrange();
    expect([(await reconcile()).requeueAfterMs, log]).toEqual([requeueAfterMs, expected]);
  });

  it.each<[string, Parameters<typeof serve>[0]]>([
    [
      'is issued already',
      {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'Issuing', status: 'True' },
        ],
      },
    ],
    ['is not served', { conditions: [{ type: 'Ready', status: 'False' }] }],
    ['is another one, as from a backup', { notAfter: timestamp(now + hour) }],
    ['was ordered by cert-manager', { orders: [{ request: 'r', at: timestamp(now), outcome: 'Issued' }] }],
    ['has a later order that failed', { orders: [serveLater('Issued'), serveLater('Failed')] }],
  ])('is nothing to ask about where it %s', async (_, changes) => {
    serve(changes);
    windowAt(-2 * hour, -1 * hour);
    expect([await reconcile(), log]).toEqual([{}, []]);
  });

  function serveLater(outcome: string): object {
    const acme = { account: account.url, thumbprint: 't', placed: 1, certificate: 'aki.serial', notAfter };
    return { request: outcome, at: timestamp(now), outcome, acme };
  }

  it('comes to its moment soon where that is before the next question', async () => {
    serve();
    windowAt(hour, hour + 1);
    const { requeueAfterMs = 0 } = await reconcile();
    expect(Math.abs(requeueAfterMs - hour)).toBeLessThan(2);
  });
});

describe('an order whose challenges are answered over DNS', () => {
  const digest = hash('sha256', `${'a'.repeat(43)}.thumbprint`, 'base64url');
  let served: boolean;
  let zoneFault: Error | null;

  beforeEach(() => {
    served = true;
    zoneFault = null;
    const orders = entry();
    put(claim({ orders: [{ ...(orders as NonNullable<typeof orders>), delegation: 'label' }] }));
    const [challenge] = authorization().challenges;
    authority.authorization = { challenges: [{ ...(challenge as NonNullable<typeof challenge>), type: 'dns-01' }] };
    dependencies = {
      ...dependencies,
      challengeZone: {
        put(label: string, _order: string, texts: readonly string[]) {
          log.push(`put ${label} ${texts.join(' ')}`.trim());
          return zoneFault ? Promise.reject(zoneFault) : Promise.resolve();
        },
        serves: () => Promise.resolve(served),
      },
    };
  });

  it('puts the digest of its answer into the zone, and removes it once the certificate is kept', async () => {
    await reconcile();
    await reconcile();
    expect(log.slice(2)).toEqual([
      'claim Pending placed',
      `put label ${digest}`,
      'trigger',
      'finalize',
      'download',
      'request Issued',
      'claim Pending placed',
      'deactivate',
      'put label',
      'claim Issued placed',
    ]);
  });

  it('is not triggered before every server has it, and is put there once', async () => {
    served = false;
    for (let looks = 0; looks < 20; looks += 1) await reconcile();
    expect(log.filter((act) => act.startsWith('put'))).toEqual([`put label ${digest}`]);
    expect(log).not.toContain('trigger');
    expect(ready()?.message).toContain('every server of the challenge zone');
    served = true;
    await reconcile();
    expect(log).toContain('trigger');
  });

  it('waits and says why while the zone takes no change', async () => {
    zoneFault = new ChallengeZoneFault('192.0.2.53 does not change zone acme.example.net: REFUSED');
    for (let looks = 0; looks < 20; looks += 1) await reconcile();
    expect([ready()?.reason, ready()?.message]).toEqual(['Pending', zoneFault.message]);
    zoneFault = null;
    await reconcile();
    expect(log).toContain('trigger');
  });

  it('waits and says why where there is no zone any more', async () => {
    dependencies = { ...dependencies, challengeZone: null };
    for (let looks = 0; looks < 20; looks += 1) await reconcile();
    expect(log).not.toContain('trigger');
    expect(ready()?.message).toContain('issuer.challengeZone');
  });

  it('has no outcome while its answer is still in the zone', async () => {
    await reconcile();
    zoneFault = new ChallengeZoneFault('silent');
    await expect(reconcile()).rejects.toThrow('silent');
    expect(entry()?.outcome).toBe('Pending');
    zoneFault = null;
    await reconcile();
    expect(entry()?.outcome).toBe('Issued');
  });
});
