import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import type { SharedControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, sharedControlPlane } from '../../support/control-plane.ts';
import { fromNow } from '../../support/from-now.ts';
import type { Ran, Running } from './command-line.ts';
import { start } from './command-line.ts';

/** The command as a process against a real kube-apiserver; the operator's part, what becomes of the request, is written by kubectl. */

const apiVersion = 'projectdomain.io/v1alpha1';
const inDays = (days: number): string => timestamp(fromNow(days * 24 * 3_600_000));
const notAfter = inDays(30);
const ours: OrderEntry = {
  request: 'r',
  at: inDays(-60),
  outcome: 'Issued',
  acme: {
    account: 'https://ca.test/account',
    thumbprint: 'A'.repeat(43),
    placed: 1,
    certificate: `AAAA.${Buffer.from('04a1', 'hex').toString('base64url')}`,
    download: 'https://ca.test/certificate',
    notAfter,
  },
};
const certManagers: OrderEntry = { request: 'r', at: inDays(-60), outcome: 'Issued' };

let controlPlane: SharedControlPlane;
let kubeconfig: string;
let tenant: string;

beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  kubeconfig = controlPlane.kubeconfigFor({ commonName: 'cli', organizations: ['system:masters'] });
  tenant = controlPlane.kubeconfigFor({ commonName: 'tenant', organizations: [] });
}, controlPlaneDeadlineMs);

afterAll(() => controlPlane.stop(), controlPlaneDeadlineMs);

const started = (...args: readonly string[]): Running => start(['revoke', ...args, '--kubeconfig', kubeconfig]);
const revoke = (...args: readonly string[]): Promise<Ran> => started(...args).ended;

/** A claim of its own for each test. */
async function claimed(name: string, orders: readonly OrderEntry[] = [ours]): Promise<string> {
  const hostname = `${name}.revoke.example.com`;
  const spec = {
    account: 'acc-acme',
    holder: { namespace: 'acme', name },
    phase: 'Held',
    epoch: 1,
    proof: { method: 'CNAME', at: inDays(-60) },
    orders,
  };
  await controlPlane.kubectl.apply({ apiVersion, kind: 'HostnameClaim', metadata: { name: hostname }, spec });
  return hostname;
}

const claimOf = async (hostname: string): Promise<HostnameClaim> => {
  const seen = await controlPlane.kubectl.get<HostnameClaim>('hostnameclaim', hostname);
  if (!seen) throw new Error(`there is no claim of ${hostname}`);
  return seen;
};

/** Waits until the command has written its request, and gives it. */
const requestOf = (hostname: string) =>
  eventually('the request', 20_000, async () => {
    const { revocation } = (await claimOf(hostname)).spec;
    expectThat(revocation !== undefined, 'there is none');
    return revocation;
  });

type Result = NonNullable<NonNullable<OrderEntry['revocation']>['result']>;

/** What the operator writes once it has marked, and then once it has ended everything. */
async function operatorWrites(hostname: string, result: Result | null, message?: string): Promise<void> {
  const claim = await claimOf(hostname);
  const { revocation, orders = [] } = claim.spec;
  if (!revocation) throw new Error('there is no request');
  const { reason, requestedAt: since } = revocation;
  const words = message === undefined ? {} : { message };
  const own = { reason, since, ...words, ...(result === null ? {} : { result, endedAt: inDays(0) }) };
  const spec = {
    ...claim.spec,
    orders: orders.map((order) => ({ ...order, revocation: own })),
    revocation: { ...revocation, replacingSince: inDays(0), ...(result === null ? {} : { doneAt: inDays(0) }) },
  };
  await controlPlane.kubectl.replace({ ...claim, spec });
}

const told = (running: Running, part: string) =>
  eventually(`'${part}' on stderr`, 20_000, () => {
    expectThat(running.err().includes(part), running.err());
    return Promise.resolve();
  });

const parsed = ({ out }: Ran) => JSON.parse(out) as Record<string, unknown>;

describe('revoke', () => {
  it('requests it, says what is going on, and what was revoked', async () => {
    const hostname = await claimed('done');
    const running = started(hostname, '--reason', 'keycompromise');
    expect(await requestOf(hostname)).toMatchObject({ reason: 'keyCompromise' });
    await told(running, 'revocation requested');
    await operatorWrites(hostname, null);
    await told(running, 'a certificate with a new key is issued');
    await operatorWrites(hostname, 'Revoked');
    const ran = await running.ended;
    expect(ran.status).toBe(0);
    expect(ran.out).toBe(
      `${hostname}: certificate 04A1, valid until ${notAfter}: revoked\n${hostname}: a certificate with a new key is served\n`,
    );
    expect(ran.err).toContain(`certificate 04A1, valid until ${notAfter}: not revoked yet`);
  });

  it.each<[sentence: string, name: string, result: Result, message: string]>([
    ['the authority refuses it', 'refused', 'Refused', 'the certificate authority says: no'],
    ['its account is gone', 'gone', 'AccountGone', 'no AcmeIssuer has the account'],
  ])('ends with 1 where %s', async (_, name, result, message) => {
    const hostname = await claimed(name);
    const running = started(hostname, '--json');
    await requestOf(hostname);
    await operatorWrites(hostname, result, message);
    const ran = await running.ended;
    expect(ran.status).toBe(1);
    expect(parsed(ran)).toMatchObject({
      outcome: 'failed',
      hostname,
      reason: 'unspecified',
      certificates: [{ serial: '04A1', notAfter, result, message }],
    });
  });

  it('ends with 1 in time where the operator is away', async () => {
    const ran = await revoke(await claimed('late'), '--timeout=1s');
    expect(ran).toMatchObject({ status: 1, out: '' });
    expect(ran.err).toContain('not all is revoked after 1s; the operator has not seen the request');
  });

  it('says what the authority says while it waits, without what a terminal would obey', async () => {
    const hostname = await claimed('says');
    const running = started(hostname, '--timeout=30s');
    await requestOf(hostname);
    await operatorWrites(hostname, null, 'the certificate authority says: \u001B[2Jlater');
    await told(running, 'the certificate authority says: ?[2Jlater');
    expect((await running.ended).status).toBe(1);
  });

  it('--no-wait only requests it, and the same again joins what is open', async () => {
    const hostname = await claimed('asked');
    const requested = { status: 0, out: `${hostname}: revocation requested (superseded)\n`, err: '' };
    expect(await revoke(hostname, '--reason=superseded', '--no-wait')).toEqual(requested);
    const first = await requestOf(hostname);
    expect(await revoke(hostname, '--reason=superseded', '--no-wait')).toEqual(requested);
    expect(await requestOf(hostname)).toEqual(first);
  });

  it('with another reason takes the place of what is open, which says so', async () => {
    const hostname = await claimed('overtaken');
    const running = started(hostname, '--reason=superseded');
    const first = await requestOf(hostname);
    await revoke(hostname, '--reason=keyCompromise', '--at-once', '--no-wait');
    const second = await requestOf(hostname);
    expect(second).toMatchObject({ reason: 'keyCompromise', atOnce: true });
    expect(Date.parse(second.requestedAt)).toBeGreaterThan(Date.parse(first.requestedAt));
    const ran = await running.ended;
    expect(ran).toMatchObject({ status: 1, out: '' });
    expect(ran.err).toContain('another request took the place of this one');
  });

  it('writes with the version that it read: what the operator writes meanwhile is not lost', async () => {
    const hostname = await claimed('raced');
    const before = await claimOf(hostname);
    const spec = { ...before.spec, orders: [...(before.spec.orders ?? []), { ...certManagers, request: 'meanwhile' }] };
    const both = await Promise.all([
      revoke(hostname, '--no-wait'),
      controlPlane.kubectl.run(['replace', '-f', '-'], JSON.stringify({ ...before, spec })).catch(() => 'a conflict'),
    ]);
    expect(both[0].status).toBe(0);
    const { orders = [], revocation } = (await claimOf(hostname)).spec;
    expect(revocation).toBeDefined();
    expect(orders).toHaveLength(both[1] === 'a conflict' ? 1 : 2);
  });

  it.each<[sentence: string, name: string, orders: readonly OrderEntry[], says: string]>([
    [
      'cert-manager ordered it: it says what to do by hand',
      'by-hand',
      [certManagers],
      'certbot revoke --cert-path tls.crt',
    ],
    [
      'it has ended',
      'ended',
      [{ ...ours, acme: { ...ours.acme, notAfter: inDays(-1) } as NonNullable<OrderEntry['acme']> }],
      'has no valid certificate that the operator ordered',
    ],
    ['there never was one', 'never', [], 'has no valid certificate that the operator ordered'],
  ])('requests nothing where %s', async (_, name, orders, says) => {
    const hostname = await claimed(name, orders);
    const ran = await revoke(hostname);
    expect(ran).toMatchObject({ status: 1, out: '' });
    expect(ran.err).toContain(says);
    expect((await claimOf(hostname)).spec.revocation).toBeUndefined();
  });

  it("revokes what it can where the present certificate is cert-manager's, and says what is left to do by hand", async () => {
    const hostname = await claimed('both', [ours, { ...certManagers, request: 'later' }]);
    const ran = await revoke(hostname, '--no-wait');
    expect(ran.status).toBe(0);
    expect(ran.err).toContain('certbot revoke --cert-path tls.crt');
    expect((await claimOf(hostname)).spec.revocation).toBeDefined();
  });

  it('says so where nobody holds the hostname', async () => {
    const ran = await revoke('nobody.example.com');
    expect(ran).toMatchObject({ status: 1, out: '' });
    expect(ran.err).toContain('no account holds nobody.example.com');
  });

  it('is for administrators alone', async () => {
    const hostname = await claimed('tenant');
    const ran = await start(['revoke', hostname, '--kubeconfig', tenant]).ended;
    expect(ran).toMatchObject({ status: 1, out: '' });
    expect(ran.err).toContain('only administrators of the platform may do this');
  });

  it.each<[sentence: string, args: readonly string[], says: string]>([
    ['a reason that there is not', ['www.example.com', '--reason=bored'], "there is no reason 'bored'"],
    ['no hostname', [], 'give exactly one hostname'],
    ['a time to wait and none', ['www.example.com', '--no-wait', '--timeout=1s'], 'exclude each other'],
  ])('ends with 3 for %s', async (_, args, says) => {
    const ran = await revoke(...args);
    expect(ran.status).toBe(3);
    expect(ran.err).toContain(says);
  });
});
