import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { createPki } from '../../../dev/platform/pki.ts';
import { traefikEdge } from '../../../dev/platform/services.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import type { Actor } from '../../support/actors.ts';
import { actAs } from '../../support/actors.ts';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import { confirmDeletion } from '../../support/confirm-deletion.ts';
import { forgeRoute } from '../../support/forged-route.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import { visitInTurn } from '../../support/visits.ts';

/**
 * A tenant writes a certificate for a neighbour's hostname, and for all hostnames of the platform, into the TLS Secret of
 * its own route, for Traefik to answer with. The admission policy refuses the write, and what is served stays.
 */

const domain = 'apps.example.net';
const thief = 'tls-thief';
const victim = 'tls-victim';
const hostnameOf = (account: string) => `${account}.${domain}`;
const tenant: Actor = { user: 'tls-thief-tenant' };

let platform: AttackPlatform;
let dir = '';

async function publish(account: string): Promise<void> {
  const { stage } = platform;
  await stage.account(account, 'pro');
  const web = await stage.tenant(account, `${account}-web`);
  await web.becomeReady();
  await stage.kubectl.apply({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name: 'shop', namespace: account },
    spec: { service: { name: `${account}-web`, port: 8080 }, subdomain: account },
  });
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-forged-'));
  platform = await attackPlatform();
  const { stage, kubectl } = platform;
  for (const account of [thief, victim]) await publish(account);
  for (const account of [thief, victim]) await stage.answers(hostnameOf(account), `${account}-web`);
  await kubectl.run(['create', 'rolebinding', 'tenant', '--clusterrole=edit', `--user=${tenant.user}`, '-n', thief]);
}, platformDeadlineMs);

afterAll(async () => {
  for (const account of [thief, victim]) await clean(account);
  await platform.close();
  rmSync(dir, { recursive: true, force: true });
}, platformDeadlineMs);

async function clean(account: string): Promise<void> {
  const { kubectl } = platform;
  for (const kind of ['account', 'namespace']) {
    await confirmDeletion(kubectl, kind, account);
    await kubectl.run(['delete', kind, account, '--wait=false']);
  }
}

/** The fingerprint of what the ingress answers with. */
function served(hostname: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: platform.facts.ingressAddress, port: 443, servername: hostname, rejectUnauthorized: false };
    const socket = connect(options, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.setTimeout(5_000, () => socket.destroy(new Error('timeout')));
    socket.on('error', reject);
  });
}

/** What would be written, and the fingerprint by which it would be seen. */
function forged(name: string, san: string): { readonly change: string; readonly fingerprint: string } {
  const { certFile, keyFile } = createPki(dir).issue(name, { commonName: 'forged', san });
  const data = { 'tls.crt': readFileSync(certFile, 'base64'), 'tls.key': readFileSync(keyFile, 'base64') };
  return { change: JSON.stringify({ data }), fingerprint: new X509Certificate(readFileSync(certFile)).fingerprint256 };
}

const marker = 'marker.tls-thief.example';

/** Traefik takes up changes of Secrets in their order: once it shows one that is made now, it has seen all before. */
async function traefikHasSeenAll(name: string): Promise<void> {
  const { change, fingerprint } = forged(`marker-${name}`, `DNS:${marker}`);
  const metadata = { name: 'marker', namespace: thief };
  const { kubectl } = platform;
  await kubectl.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata,
    ...(JSON.parse(change) as object),
  });
  const remove = await forgeRoute(kubectl, traefikEdge.routing, {
    ...{ namespace: thief, hostname: marker },
    ...{ secretName: 'marker', service: `${thief}-web` },
  });
  await eventually('Traefik shows what was written after it', 60_000, async () => {
    expectThat((await served(marker)) === fingerprint, 'it does not');
  });
  await remove();
}

describe('a tenant with the edit role', () => {
  it.each([
    ["a neighbour's hostname alone", 'neighbour', `DNS:${hostnameOf(victim)}`],
    ['every hostname of the platform', 'wildcard', `DNS:*.${domain},DNS:${domain}`],
    ['its own hostname and all others', 'both', `DNS:${hostnameOf(thief)},DNS:*.${domain},DNS:${hostnameOf(victim)}`],
  ])(
    'cannot have its route answer with a certificate for %s',
    async (_, name, san) => {
      const { change, fingerprint } = forged(name, san);
      const hostnames = [thief, victim].map(hostnameOf);
      const before = new Map(
        await Promise.all(hostnames.map(async (hostname) => [hostname, await served(hostname)] as const)),
      );
      const secret = childName(hostnameOf(thief));
      const patch = ['patch', 'secret', secret, '-n', thief, '--type=merge', '-p', change];
      await expect(platform.kubectl.run([...actAs(tenant), ...patch])).rejects.toThrow(/written by cert-manager alone/);
      // Traefik may draw its own default certificate anew, which is shown for nobody's; it is never the forged one.
      const visits = visitInTurn([...hostnames, hostnameOf('nobody')], async (hostname) => {
        const now = await served(hostname);
        return now === fingerprint || now !== (before.get(hostname) ?? now) ? `${hostname} shows another one` : null;
      });
      await traefikHasSeenAll(name);
      expect((await visits.end()).failed).toEqual([]);
    },
    platformDeadlineMs,
  );
});
