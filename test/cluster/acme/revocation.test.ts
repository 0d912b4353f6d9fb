import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountKey } from '../../../src/acme/account-key.ts';
import { createAccountKey, readAccountKey } from '../../../src/acme/account-key.ts';
import type { AcmeClient } from '../../../src/acme/acme-client.ts';
import type { RegisteredAccounts } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import { createRegisteredAccounts } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import type { EndedRevocation } from '../../../src/controllers/revocation/decide-revocation.ts';
import { createRevocationAttempts } from '../../../src/controllers/acme-order/order-attempts.ts';
import { reconcileRevocation, revokeCertificate } from '../../../src/controllers/revocation/revocation-reconciler.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { claimWith, withOrder } from '../../../src/issuing/order-history.ts';
import { hasRevocations, ofFormerHolder } from '../../../src/issuing/revocations.ts';
import { createCluster } from '../../../src/kubernetes/cluster-client.ts';
import { connect } from '../../../src/kubernetes/connection.ts';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import type { CertificateRequest } from '../../../src/resources/cert-manager-types.ts';
import { HostnameClaimKind, SecretKind } from '../../../src/resources/kinds.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import { certificateStatus } from '../../support/certificate-status.ts';
import type { SharedControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, sharedControlPlane } from '../../support/control-plane.ts';
import { fromNow } from '../../support/from-now.ts';
import type { ActLog } from '../../support/killed-process.ts';
import { countOf, mortal, unlessKilled } from '../../support/killed-process.ts';
import type { IssuedAtPebble } from '../../support/pebble-orders.ts';
import { issueAtPebble } from '../../support/pebble-orders.ts';
import type { TestPebble } from '../../support/pebble.ts';
import { asAcmeProcess, startTestPebble } from '../../support/pebble.ts';
import { routes, settings } from '../../support/snapshot.ts';

/**
 * Revocations at a real Pebble, by what a claim at a real kube-apiserver remembers. A process may be killed after anything that it does;
 * the next one knows nothing but the claim.
 */

const deadlineMs = controlPlaneDeadlineMs;
const key = readAccountKey(createAccountKey());
const otherKey = readAccountKey(createAccountKey());
let pebble: TestPebble;
let controlPlane: SharedControlPlane;
let transport: Transport;
let cluster: Cluster;
let accountUrl: string;
let otherUrl: string;

beforeAll(async () => {
  [pebble, controlPlane] = await Promise.all([startTestPebble(), sharedControlPlane()]);
  transport = createTransport(await connect(controlPlane.kubeconfig));
  cluster = createCluster(transport, 'projectdomain-operator');
  await controlPlane.kubectl.run(['create', 'namespace', 'revocation']);
  const registered = (one: AccountKey) =>
    asAcmeProcess(pebble, async (client) => (await client.register(one, { email: null, externalAccount: null })).url);
  [accountUrl, otherUrl] = [await registered(key), await registered(otherKey)];
}, deadlineMs);

afterAll(async () => {
  await transport.close();
  await Promise.all([pebble.stop(), controlPlane.stop()]);
}, deadlineMs);

const issue = (hostname: string): Promise<IssuedAtPebble> =>
  asAcmeProcess(pebble, (client) => issueAtPebble(pebble, { account: client.account(key, accountUrl), key }, hostname));

const orderOf = ({ acme }: IssuedAtPebble): OrderEntry => ({
  request: `r-${acme.notAfter ?? ''}`,
  at: timestamp(fromNow(-60_000)),
  outcome: 'Issued',
  acme,
});

/** The claim of a hostname that another account has just taken over. */
const taken = (hostname: string, orders: readonly OrderEntry[], changes: Partial<HostnameClaim['spec']> = {}) =>
  cluster.create(HostnameClaimKind, {
    apiVersion: HostnameClaimKind.apiVersion,
    kind: HostnameClaimKind.kind,
    metadata: { name: hostname },
    spec: {
      account: 'acc-rival',
      holder: { namespace: 'revocation', name: 'www' },
      phase: 'Held',
      epoch: 2,
      proof: { method: 'TXT', at: timestamp(fromNow(0)) },
      orders: ofFormerHolder(orders, fromNow(0)),
      ...changes,
    },
  });

const claimOf = async (hostname: string): Promise<HostnameClaim> => {
  const claim = await cluster.get(HostnameClaimKind, { namespace: '', name: hostname });
  if (!claim) throw new Error(`there is no claim of ${hostname}`);
  return claim;
};

const quiet = (): ActLog => ({ acts: [], killAfter: null });

interface OneProcess {
  readonly log: ActLog;
  readonly ended?: EndedRevocation[];
  readonly events?: string[];
  /** every account that this process can use; the one that ordered unless said */
  readonly accounts?: (client: AcmeClient) => RegisteredAccounts;
  readonly now?: () => number;
}

/** A process with nothing but the cluster and the authority, and its caches as they are filled at a start. */
const reconcileOnce = (
  hostname: string,
  { log, ended = [], events = [], accounts = usable(log), now = systemClock.now }: OneProcess,
) =>
  asAcmeProcess(pebble, async (client) => {
    const caches = createOperatorStores(routes, (error) => {
      throw error;
    });
    caches.claims.put(await claimOf(hostname));
    const dependencies = {
      caches,
      cluster: mortal(cluster, log),
      settings,
      accounts: accounts(client),
      revocationAttempts: createRevocationAttempts(),
      observeRevocation: (one: EndedRevocation) => void ended.push(one),
      recordEvent: ({ reason, about }: { reason: string; about: { kind: string } }) =>
        void events.push(`${reason} ${about.kind}`),
      certManagerUnavailable: () => false,
      now,
    } as unknown as ControllerNeeds;
    return unlessKilled(() => reconcileRevocation(dependencies, hostname, new AbortController().signal));
  });

const usable =
  (log: ActLog, url = () => accountUrl, one = key) =>
  (client: AcmeClient): RegisteredAccounts => {
    const accounts = createRegisteredAccounts();
    const acme = mortal(client.account(one, url()), log);
    accounts.record('pebble', [
      {
        name: 'pebble',
        server: 'https://ca.test/directory',
        thumbprint: one.thumbprint,
        profile: null,
        preferredChain: null,
        acme,
        authority: client,
      },
    ]);
    return accounts;
  };

/** Processes, one after the other, until nothing is left to do. */
async function untilSettled(hostname: string, one: OneProcess): Promise<HostnameClaim> {
  for (let count = 0; count < 20; count += 1) {
    await reconcileOnce(hostname, one);
    const claim = await claimOf(hostname);
    if (!hasRevocations(claim)) return claim;
  }
  throw new Error(`${hostname} was not settled: ${one.log.acts.join(', ')}`);
}

const revocationsOf = ({ spec }: HostnameClaim) =>
  (spec.orders ?? []).map(({ revocation }) => [revocation?.reason, revocation?.result]);

describe('an order', () => {
  it('is invalid once its proofs are given up, and its certificate can be had by what the claim remembers', async () => {
    const { acme, chain } = await issue('order.example.com');
    await asAcmeProcess(pebble, async (client) => {
      const account = client.account(key, accountUrl);
      expect((await account.order(acme.order ?? '')).value.status).toBe('invalid');
      expect(await account.chain(acme.download ?? '', null)).toBe(chain);
    });
  });
});

describe('a certificate of a former holder', () => {
  it(
    'is revoked by as many processes as it takes, whatever the last one did before it was killed',
    async () => {
      const acts = ['chain', 'revoke', 'replace'];
      for (let killAfter = 0; killAfter <= acts.length; killAfter += 1) {
        const hostname = `taken-${killAfter}.example.com`;
        const issued = await issue(hostname);
        await taken(hostname, [orderOf(issued)]);
        const log: ActLog = { acts: [], killAfter: killAfter === 0 ? null : killAfter };
        const claim = await untilSettled(hostname, { log });
        expect(revocationsOf(claim)).toEqual([['cessationOfOperation', 'Revoked']]);
        expect(await certificateStatus(pebble, issued.chain)).toMatchObject({ Status: 'Revoked', Reason: 5 });
        if (killAfter === 0) expect(log.acts).toEqual(acts);
        expect(countOf(log, 'revoke')).toBeLessThanOrEqual(2);
      }
    },
    deadlineMs,
  );

  it('that somebody revoked before counts as revoked, with an event for administrators alone', async () => {
    const hostname = 'before.example.com';
    const issued = await issue(hostname);
    await asAcmeProcess(pebble, (client) =>
      revokeCertificate(client.account(key, accountUrl), issued.acme.download ?? '', 'superseded'),
    );
    await taken(hostname, [orderOf(issued)]);
    const [ended, events]: [EndedRevocation[], string[]] = [[], []];
    await untilSettled(hostname, { log: quiet(), ended, events });
    expect(await certificateStatus(pebble, issued.chain)).toMatchObject({ Status: 'Revoked', Reason: 4 });
    expect(ended).toEqual([{ reason: 'cessationOfOperation', result: 'Revoked' }]);
    expect(events).toEqual(['CertificateRevoked HostnameClaim']);
  });

  it('stays to be revoked while its authority refuses, with what that says, and its new holder orders meanwhile', async () => {
    const hostname = 'refused-for-now.example.com';
    const issued = await issue(hostname);
    const own = orderOf(issued);
    // Pebble gives a certificate to the account that ordered it alone.
    const { acme } = issued;
    await taken(hostname, [{ ...own, acme: { ...acme, account: otherUrl } }]);
    const log = quiet();
    const accounts = usable(log, () => otherUrl, otherKey);
    await reconcileOnce(hostname, { log, accounts });
    const refused = await claimOf(hostname);
    expect(refused.spec.orders?.[0]?.revocation).toMatchObject({
      reason: 'cessationOfOperation',
      message: expect.stringContaining('does not own certificate'),
    });
    expect(refused.spec.orders?.[0]?.revocation).not.toHaveProperty('result');
    const request: CertificateRequest = {
      apiVersion: 'cert-manager.io/v1',
      kind: 'CertificateRequest',
      metadata: { name: 'new', namespace: 'revocation', uid: 'u-new' },
      spec: { issuerRef: { name: 'pebble' } },
    };
    const placed = { kind: 'First', unconfirmed: false, checkedAt: null, delegation: null } as const;
    const orders = withOrder(refused.spec.orders ?? [], request, placed, fromNow(0));
    const ours = orders.map((order) => (order.acme ? { ...order, acme } : order));
    await cluster.replace(HostnameClaimKind, claimWith(refused, ours));
    const claim = await untilSettled(hostname, { log });
    expect(claim.spec.orders?.map(({ outcome, revocation }) => [outcome, revocation?.result])).toEqual([
      ['Issued', 'Revoked'],
      ['Pending', undefined],
    ]);
    expect(await certificateStatus(pebble, issued.chain)).toMatchObject({ Status: 'Revoked', Reason: 5 });
  });

  it(
    'stays to be revoked while its authority does not answer, and what others write of its claim meanwhile stays',
    async () => {
      const hostname = 'silent.example.com';
      const issued = await issue(hostname);
      await taken(hostname, [orderOf(issued)]);
      pebble.part.signal('SIGSTOP');
      const silent = reconcileOnce(hostname, { log: quiet() });
      const result = await silent.finally(() => pebble.part.signal('SIGCONT'));
      expect(result?.requeueAfterMs).toBe(2_000);
      const waiting = await claimOf(hostname);
      expect(waiting.spec.orders?.[0]?.revocation).toMatchObject({
        message: 'the certificate authority does not answer; it is asked again',
      });
      await untilSettled(hostname, { log: quiet() });
      expect(await certificateStatus(pebble, issued.chain)).toMatchObject({ Status: 'Revoked', Reason: 5 });
    },
    deadlineMs,
  );

  it('is told apart where nobody can revoke it any more', async () => {
    const hostname = 'gone.example.com';
    const issued = await issue(hostname);
    await taken(hostname, [orderOf(issued)]);
    const none = () => createRegisteredAccounts();
    const events: string[] = [];
    // A claim that was created within the hour may be one from a backup, whose issuer follows.
    await reconcileOnce(hostname, { log: quiet(), accounts: none, events });
    expect(revocationsOf(await claimOf(hostname))).toEqual([['cessationOfOperation', undefined]]);
    await reconcileOnce(hostname, { log: quiet(), accounts: none, events, now: () => fromNow(3_600_000) });
    expect(revocationsOf(await claimOf(hostname))).toEqual([['cessationOfOperation', 'AccountGone']]);
    expect(events).toEqual(['CertificateNotRevoked HostnameClaim']);
    expect(await certificateStatus(pebble, issued.chain)).toMatchObject({ Status: 'Valid' });
  });
});

describe('a request to revoke, for a hostname that nobody is served at', () => {
  it(
    'revokes each valid certificate once, whatever its processes did before they were killed, and its Secret is not served again',
    async () => {
      const name = (killAfter: number) => `given-up-${killAfter}.example.com`;
      const secretOf = (hostname: string) => ({ namespace: 'revocation', name: childName(hostname) });
      const acts = ['replace', 'chain', 'revoke', 'replace', 'create', 'remove', 'replace'];
      for (let killAfter = 0; killAfter <= acts.length; killAfter += 1) {
        const hostname = name(killAfter);
        const issued = await issue(hostname);
        const { apiVersion, kind } = SecretKind;
        await cluster.create(SecretKind, { apiVersion, kind, metadata: secretOf(hostname), data: {} });
        const now = timestamp(fromNow(0));
        await taken(hostname, [], {
          phase: 'Tombstone',
          releasedAt: now,
          orders: [orderOf(issued)],
          revocation: { reason: 'keyCompromise', requestedAt: now },
        });
        const log: ActLog = { acts: [], killAfter: killAfter === 0 ? null : killAfter };
        const claim = await untilSettled(hostname, { log });
        if (killAfter === 0) expect(log.acts).toEqual(acts);
        expect(revocationsOf(claim)).toEqual([['keyCompromise', 'Revoked']]);
        expect(claim.spec.revocation?.doneAt).toBeDefined();
        expect(await certificateStatus(pebble, issued.chain)).toMatchObject({ Status: 'Revoked', Reason: 1 });
        expect(await cluster.get(SecretKind, secretOf(hostname))).toBeUndefined();
      }
    },
    deadlineMs,
  );
});
