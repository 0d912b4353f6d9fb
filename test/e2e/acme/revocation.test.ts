import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import { issuerName } from '../../../dev/platform/services.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import type { AcmeIssuer } from '../../../src/generated/acme-issuer.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { start } from '../../cluster/cli/command-line.ts';
import type { CertificateStatus } from '../../support/certificate-status.ts';
import { certificateStatus } from '../../support/certificate-status.ts';
import { permitSecondSecret, secondSecret } from '../../support/second-account.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';
import { publishDomain, recordOf } from '../../support/published-domain.ts';

/** Revocation on the whole platform: by an administrator's command, and by a transfer whose revocation cannot be done yet. */

const patienceMs = 120_000;
const hostname = 'www.example.com';
const firstSecret = 'projectdomain-acme-account';

let platform: Platform;
let stage: Stage;

beforeAll(async () => {
  platform = await testPlatform(true, { issuer: 'AcmeIssuer' });
  stage = testStage(platform, patienceMs);
}, platformDeadlineMs);

afterAll(async () => {
  await stage.close();
  await platform.stop();
}, platformDeadlineMs);

/** The certificate that visitors get, as PEM. */
const served = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const ca = readFileSync(platform.facts.acmeRoot);
    const socket = connect({ host: platform.facts.ingressAddress, port: 443, servername: hostname, ca }, () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate) resolve(certificate.toString());
      else reject(new Error('there is no certificate'));
    });
    socket.setTimeout(5_000, () => socket.destroy(new Error('timeout')));
    socket.on('error', reject);
  });

const statusOf = (pem: string): Promise<CertificateStatus> =>
  certificateStatus({ management: platform.acme.management, ca: readFileSync(platform.acme.caFile, 'utf8') }, pem);

const keyIn = (pem: string): string =>
  new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'pem' }).toString();

const claim = async (): Promise<HostnameClaim['spec']> => {
  const seen = await stage.kubectl.get<HostnameClaim>('hostnameclaim', hostname);
  if (!seen) throw new Error('there is no claim');
  return seen.spec;
};

const issuerNow = () => stage.kubectl.get<AcmeIssuer>('acmeissuer', issuerName);

/** Namespaces with events about a certificate that was revoked, by what they are about. */
const toldOf = async (kind: string): Promise<string> =>
  (
    await stage.kubectl.run([
      ...['get', 'events.events.k8s.io', '-A', '--field-selector', `reason=CertificateRevoked,regarding.kind=${kind}`],
      '-o=jsonpath={.items[*].metadata.namespace}',
    ])
  ).trim();

/** What it says is part of what is compared, so that a failed test shows what it waited for. */
const revoked = { status: 0, err: expect.not.stringContaining('not all is revoked') };

const revoke = (...args: readonly string[]) =>
  start(['revoke', hostname, ...args, '--kubeconfig', platform.facts.kubeconfig]);

async function isLiveFor(account: string): Promise<void> {
  await publishDomain(stage, account, hostname);
  const seen = await stage.domainWhere(account, hostname, 'shows its record', (one) =>
    recordOf(one, 'CNAME') ? null : 'no record',
  );
  await stage.putZone('example.com', `www CNAME ${recordOf(seen, 'CNAME')?.value}.`);
  await stage.domainWhere(account, hostname, 'is Live', inState('Live'));
}

describe('revoke', () => {
  it(
    'replaces the certificate with one of a new key, and revokes it once that is served, although the operator is killed in between',
    async () => {
      await isLiveFor('acme');
      const before = await served();
      const running = revoke('--reason=superseded', '--timeout=5m');
      await eventually('the new certificate is begun', patienceMs, async () => {
        expectThat((await claim()).revocation?.replacingSince !== undefined, 'it is not');
      });
      platform.ours('operator')?.signal('SIGKILL');
      const ran = await running.ended;
      expect(ran).toMatchObject(revoked);
      expect(ran.out).toContain(`${hostname}: a certificate with a new key is served`);
      expect(await statusOf(before)).toMatchObject({ Status: 'Revoked', Reason: 4 });
      const after = await served();
      expect(await statusOf(after)).toMatchObject({ Status: 'Valid' });
      expect(keyIn(after)).not.toBe(keyIn(before));
      const { orders = [] } = await claim();
      expect(orders.map(({ outcome, kind }) => [outcome, kind])).toEqual([
        ['Issued', 'First'],
        ['Issued', 'Renewal'],
      ]);
      await stage.domainWhere('acme', hostname, 'is Live still', inState('Live'));
      await stage.domainWhere('acme', hostname, 'tells what became of its certificates', ({ status }) => {
        const told = (status?.timeline ?? []).filter(({ kind }) => kind === 'Certificate').map(({ reason }) => reason);
        return told.toSorted().join() === 'Issued,Renewed,Revoked' ? null : told.join();
      });
    },
    platformDeadlineMs,
  );

  it(
    'revokes at once where the key is known to others, and replaces it all the same',
    async () => {
      const before = await served();
      const ran = await revoke('--reason=keyCompromise', '--timeout=5m').ended;
      expect(ran).toMatchObject(revoked);
      expect(await statusOf(before)).toMatchObject({ Status: 'Revoked', Reason: 1 });
      await eventually('visitors get the new one', patienceMs, async () => {
        const after = await served();
        expectThat(keyIn(after) !== keyIn(before), 'they get the one before');
        expect(await statusOf(after)).toMatchObject({ Status: 'Valid' });
      });
    },
    platformDeadlineMs,
  );
});

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

describe('a backup', () => {
  it(
    'brings the account back with its key, so that it revokes what it ordered before',
    async () => {
      const uri = async () => (await issuerNow())?.status?.accounts?.[0]?.uri;
      const known = await uri();
      const before = await served();
      const ran = await start(['backup', '--kubeconfig', platform.facts.kubeconfig]).ended;
      expect(ran.status).toBe(0);
      const { items } = JSON.parse(ran.out) as { readonly items: readonly Item[] };
      const ours = items.filter(({ kind, metadata }) => kind === 'AcmeIssuer' || metadata.name === firstSecret);
      expect(ours.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
        `Secret ${firstSecret}`,
        `AcmeIssuer ${issuerName}`,
      ]);

      await platform.ours('operator')?.stop();
      await stage.kubectl.run(['delete', 'acmeissuer', issuerName]);
      await stage.kubectl.run(['delete', 'secret', firstSecret, '-n', systemNamespace]);
      await stage.kubectl.run(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: ours }));
      await platform.restart('operator');
      await eventually('the account is registered', patienceMs, async () => {
        expectThat((await uri()) !== undefined, 'it is not');
      });
      expect(await uri()).toBe(known);
      expect(await revoke('--timeout=5m').ended).toMatchObject(revoked);
      expect(await statusOf(before)).toMatchObject({ Status: 'Revoked', Reason: 0 });
    },
    platformDeadlineMs,
  );
});

/** New orders go on with another account; the one before stays in no AcmeIssuer. */
async function changeTheAccount(): Promise<AcmeIssuer['spec']['accounts'][number]> {
  await permitSecondSecret(stage);
  const [first] = (await issuerNow())?.spec.accounts ?? [];
  if (!first) throw new Error('there is no account');
  const accounts = [{ ...first, name: 'second', keySecret: secondSecret }];
  await stage.kubectl.run([
    ...['patch', 'acmeissuer', issuerName, '--type=merge'],
    ...['-p', JSON.stringify({ spec: { accounts } })],
  ]);
  await eventually('the second account is registered', patienceMs, async () => {
    const seen = await issuerNow();
    const [one] = seen?.status?.accounts ?? [];
    expectThat(one?.name === 'second' && one.uri !== undefined, JSON.stringify(seen?.status));
  });
  return first;
}

describe('a transfer', () => {
  it(
    'gives the new holder its certificate while that of the former one cannot be revoked, and revokes it once it can',
    async () => {
      const before = await served();
      const first = await changeTheAccount();

      await publishDomain(stage, 'rival', hostname);
      const seen = await stage.domainWhere('rival', hostname, 'is asked for a TXT record', (one) =>
        recordOf(one, 'TXT') ? null : 'no TXT',
      );
      await stage.putZone(
        'example.com',
        `www CNAME ${recordOf(seen, 'CNAME')?.value}.\n_projectdomain-challenge.www TXT "${recordOf(seen, 'TXT')?.value}"`,
      );
      await stage.domainWhere('rival', hostname, 'is Live for the new holder', inState('Live'));
      await stage.answers(hostname, 'rival-web');
      expect(await statusOf(before)).toMatchObject({ Status: 'Valid' });
      const { orders = [] } = await claim();
      const former = orders.filter(({ revocation }) => revocation?.reason === 'cessationOfOperation');
      expect(former.map(({ revocation }) => revocation?.result)).toEqual([undefined]);

      await stage.kubectl.apply({
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'AcmeIssuer',
        metadata: { name: 'former' },
        spec: { accounts: [first] },
      });
      await eventually("the former holder's certificate is revoked", patienceMs, async () => {
        const { Status } = await statusOf(before);
        expectThat(Status === 'Revoked', Status);
      });
      expect(await statusOf(before)).toMatchObject({ Reason: 5 });
      await eventually('administrators are told, in the namespace of cluster-scoped objects', patienceMs, async () => {
        expectThat((await toldOf('HostnameClaim')).includes('default'), 'there is no event');
      });
      expect(await toldOf('ProjectDomain')).toMatch(/^acme( acme)*$/);
      expect(await statusOf(await served())).toMatchObject({ Status: 'Valid' });
      await stage.domainWhere('rival', hostname, 'is Live still', inState('Live'));
    },
    platformDeadlineMs,
  );
});
