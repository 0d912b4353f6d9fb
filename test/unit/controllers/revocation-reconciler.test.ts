import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AcmeAccount } from '../../../src/acme/acme-client.ts';
import { AcmeProblem, AcmeUnavailable } from '../../../src/acme/acme-errors.ts';
import { createRegisteredAccounts } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import { createRevocationAttempts } from '../../../src/controllers/acme-order/order-attempts.ts';
import { reconcileRevocation } from '../../../src/controllers/revocation/revocation-reconciler.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import type { OperatorStores } from '../../../src/operator/operator-stores.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import type { Certificate } from '../../../src/resources/cert-manager-types.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import { certificateFor } from '../../support/signing-request.ts';
import { certificateIn, claim, domain, now, routes } from '../../support/snapshot.ts';

/** What an authority's answers to revocations become, where a real one would not give them on demand. */

const hostname = 'www.example.com';
const minute = 60_000;
const hour = 60 * minute;
const chain = certificateFor({ names: `DNS:${hostname}` });
const notAfter = '2026-04-01T00:00:00Z';

let stores: OperatorStores;
/** everything that was done, in order */
let log: string[];
/** what is thrown instead of an answer, by the act */
let faults: Readonly<Record<string, Error>>;
let later: number;
let dependencies: ControllerNeeds;

async function did<T>(act: string, answer: T): Promise<T> {
  log.push(act);
  const fault = faults[act];
  if (fault) throw fault;
  return Promise.resolve(answer);
}

const account = {
  url: 'https://ca.test/account',
  chain: () => did('download', chain),
  revoke: (_: Buffer, reason: string) => did(`revoke ${reason}`, undefined),
} as unknown as AcmeAccount;

const key = { namespace: '', name: hostname };
let version = 100;
function put(object: HostnameClaim): HostnameClaim {
  const kept = { ...object, metadata: { ...object.metadata, resourceVersion: String((version += 1)) } };
  stores.claims.put(kept);
  return kept;
}

/** As the kube-apiserver does, and says what was written. */
const cluster = {
  get: () => Promise.resolve(stores.claims.get(key)),
  replace(_: unknown, object: KubernetesObject) {
    if (object.metadata.resourceVersion !== stores.claims.get(key)?.metadata.resourceVersion)
      return Promise.reject(
        new KubernetesError({ status: 409, reason: 'Conflict', message: 'changed', retryAfterMs: null }),
      );
    log.push('claim');
    return Promise.resolve(put(object as HostnameClaim));
  },
  replaceStatus(_: unknown, object: KubernetesObject) {
    const issuing = (object as Certificate).status?.conditions?.find(({ type }) => type === 'Issuing');
    log.push(`certificate ${issuing?.status} ${issuing?.reason}`);
    return Promise.resolve(object);
  },
};

const order = (changes: Partial<OrderEntry> = {}): OrderEntry => ({
  request: 'uid',
  at: '2026-01-01T11:59:40Z',
  outcome: 'Issued',
  acme: { account: account.url, thumbprint: 't', placed: 1, download: 'https://ca.test/certificate', notAfter },
  revocation: { reason: 'keyCompromise', since: timestamp(now - minute) },
  ...changes,
});

beforeEach(() => {
  stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  [log, faults, later] = [[], {}, 0];
  put(claim({ orders: [order()] }));
  stores.domains.put({ ...domain(), metadata: { ...domain().metadata, resourceVersion: '1' } });
  const accounts = createRegisteredAccounts();
  const authority = { renewalWindow: () => Promise.resolve(null) };
  accounts.record('ca', [
    {
      name: 'ca',
      server: 'https://ca.test/directory',
      thumbprint: 't',
      profile: null,
      preferredChain: null,
      acme: account,
      authority,
    },
  ]);
  dependencies = {
    caches: stores,
    cluster,
    accounts,
    revocationAttempts: createRevocationAttempts(),
    observeRevocation: ({ reason, result }: Record<string, string>) => void log.push(`counted ${reason} ${result}`),
    recordEvent: ({ reason, about, message }: { reason: string; about: KubernetesObject; message: string }) =>
      void log.push(`${reason} ${about.kind}: ${message}`),
    certManagerUnavailable: () => false,
    now: () => now + later,
  } as unknown as ControllerNeeds;
});

const reconcile = () => reconcileRevocation(dependencies, hostname, new AbortController().signal);
const revocation = () => stores.claims.get(key)?.spec.orders?.[0]?.revocation;
const problem = (type: string, fields: { status?: number; retryAfterMs?: number } = {}) =>
  new AcmeProblem({ type, detail: 'says no', status: 403, retryAfterMs: null, subproblems: [], ...fields });

describe('a certificate', () => {
  it('that is revoked is so on the claim, in the count and in an event for its holder', async () => {
    await reconcile();
    expect(log).toEqual([
      'download',
      'revoke keyCompromise',
      'claim',
      'counted keyCompromise Revoked',
      `CertificateRevoked ProjectDomain: the certificate that is valid until ${notAfter} was revoked (keyCompromise)`,
    ]);
    expect(revocation()).toMatchObject({ result: 'Revoked', endedAt: timestamp(now) });
  });

  it('is revoked without a reason where its authority does not permit that one', async () => {
    faults = { 'revoke keyCompromise': problem('badRevocationReason') };
    await reconcile();
    expect(log.slice(0, 3)).toEqual(['download', 'revoke keyCompromise', 'revoke unspecified']);
    expect(revocation()?.result).toBe('Revoked');
  });

  it.each<[sentence: string, faults: Readonly<Record<string, Error>>, result: string]>([
    ['that is refused for good', { 'revoke keyCompromise': problem('malformed') }, 'Refused'],
    ['that the authority does not have any more', { download: problem('malformed', { status: 404 }) }, 'Unavailable'],
  ])('%s is not asked for again, and the claim has the answer', async (_, given, result) => {
    faults = given;
    await reconcile();
    expect(revocation()).toMatchObject({ result, message: 'the certificate authority says: says no (malformed)' });
    log.length = 0;
    expect([await reconcile(), log]).toEqual([{}, []]);
  });

  it.each<[sentence: string, fault: Error, pauses: readonly number[]]>([
    ['does not answer', new AcmeUnavailable('no'), [2_000, 4_000, 8_000]],
    ['asks to wait', problem('rateLimited', { retryAfterMs: 10 * minute }), [10 * minute, 10 * minute, 10 * minute]],
    ['has trouble of its own', problem('serverInternal'), [minute, 2 * minute, 4 * minute]],
    ['refuses the account', problem('unauthorized'), [minute, 2 * minute, 4 * minute]],
  ])('is asked for again after longer and longer where the authority %s', async (_, fault, pauses) => {
    faults = { 'revoke keyCompromise': fault };
    const seen: (number | undefined)[] = [];
    for (const pause of pauses) {
      seen.push((await reconcile()).requeueAfterMs);
      later += pause;
    }
    expect(seen).toEqual(pauses);
    expect(revocation()).not.toHaveProperty('result');
    expect(log.filter((act) => act === 'claim')).toHaveLength(1);
  });

  it('rests meanwhile, whatever wakes its hostname: its own writes do', async () => {
    faults = { 'revoke keyCompromise': new AcmeUnavailable('no') };
    await reconcile();
    log.length = 0;
    expect([await reconcile(), log]).toEqual([{ requeueAfterMs: 2_000 }, []]);
  });

  it('that ends meanwhile is let be', async () => {
    faults = { 'revoke keyCompromise': new AcmeUnavailable('no') };
    await reconcile();
    later = Date.parse(notAfter) - now;
    log.length = 0;
    await reconcile();
    expect(log).toEqual(['claim', 'counted keyCompromise Expired']);
  });

  it('waits for its account, and says so if that takes longer', async () => {
    const accounts = [{ name: 'ca', server: 'https://ca.test/directory', keySecret: 'projectdomain-acme-account' }];
    stores.acmeIssuers.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'AcmeIssuer',
      metadata: { name: 'ca', resourceVersion: '1' },
      spec: { accounts },
    });
    dependencies = { ...dependencies, accounts: createRegisteredAccounts() };
    expect([await reconcile(), log]).toEqual([{ requeueAfterMs: 30_000 }, []]);
    later = 30_000;
    await reconcile();
    expect(revocation()).toMatchObject({ message: expect.stringContaining('ACME account') });
    expect(revocation()).not.toHaveProperty('result');
  });
});

describe('what an authority said', () => {
  it('is not written over a claim that changed meanwhile, as everything may be decided anew', async () => {
    const changed = claim({ orders: [order({ revocation: { reason: 'superseded', since: timestamp(now) } })] });
    const { revoke } = account;
    account.revoke = () => {
      put(changed);
      return Promise.reject(new AcmeUnavailable('no'));
    };
    await expect(reconcile()).rejects.toMatchObject({ status: 409 });
    account.revoke = revoke;
    expect(revocation()).toEqual({ reason: 'superseded', since: timestamp(now) });
  });

  it('is written where a certificate is revoked, whatever changed: the authority does not forget it', async () => {
    const { revoke } = account;
    account.revoke = () => {
      const before = stores.claims.get(key) as HostnameClaim;
      put({ ...before, metadata: { ...before.metadata, annotations: { other: 'change' } } });
      return Promise.resolve();
    };
    await reconcile();
    account.revoke = revoke;
    expect(revocation()?.result).toBe('Revoked');
    expect(stores.claims.get(key)?.metadata.annotations).toEqual({ other: 'change' });
  });
});

describe('a request that waits for the new certificate', () => {
  const requestedAt = timestamp(now - minute);
  const marked = order({ revocation: { reason: 'superseded', since: requestedAt } });
  const replacingSince = timestamp(now);
  const serve = (conditions: readonly { type: string; status: 'True' | 'False' }[] = []) =>
    stores.certificates.put({
      ...certificateIn(true),
      metadata: { ...certificateIn(true).metadata, resourceVersion: String((version += 1)) },
      status: { notAfter, conditions: [{ type: 'Ready', status: 'True' }, ...conditions] },
    });

  beforeEach(() => {
    put(claim({ orders: [marked], revocation: { reason: 'superseded', requestedAt, replacingSince } }));
    serve();
  });

  it('has cert-manager issue it once, and revokes nothing before', async () => {
    expect(await reconcile()).toEqual({ requeueAfterMs: minute });
    expect(log).toEqual(['certificate True RevocationRequested']);
    log.length = 0;
    serve([{ type: 'Issuing', status: 'True' }]);
    later = 10 * minute;
    expect([await reconcile(), log]).toEqual([{ requeueAfterMs: minute }, []]);
  });

  it('revokes what cannot wait although the new certificate cannot be begun just then', async () => {
    put(claim({ orders: [marked], revocation: { reason: 'superseded', requestedAt, replacingSince, atOnce: true } }));
    dependencies = {
      ...dependencies,
      cluster: { ...cluster, replaceStatus: () => Promise.reject(new Error('cert-manager is away')) },
    } as unknown as ControllerNeeds;
    await expect(reconcile()).rejects.toThrow('cert-manager is away');
    expect(revocation()?.result).toBe('Revoked');
  });

  it('has it issued again, after longer and longer, where that came to nothing', async () => {
    const pauses: (number | undefined)[] = [];
    for (let count = 0; count < 9; count += 1) {
      const { requeueAfterMs = 0 } = await reconcile();
      pauses.push(requeueAfterMs);
      later += requeueAfterMs;
    }
    expect([pauses[0], pauses[1], pauses.at(-1)]).toEqual([minute, 2 * minute, hour]);
    expect(new Set(log)).toEqual(new Set(['certificate True RevocationRequested']));
  });
});
