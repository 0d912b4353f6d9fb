import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Rest } from '../../../dev/lib/rest.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import type { OpenApi } from '../../support/contract.ts';
import { contractOf } from '../../support/contract.ts';
import type { Made } from '../../support/made-certificates.ts';
import { certificateMaker, names, ofServer } from '../../support/made-certificates.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';
import { visitInTurn } from '../../support/visits.ts';

/**
 * Certificates of a customer's own on real parts, where the operator orders itself: sent by REST, served by the ingress, replaced, and given up again.
 * Visitors connect all the time, and none of their handshakes may fail.
 */

const hostname = 'www.example.com';
const path = `/v1/projects/shop/domains/${hostname}/certificate`;
const maker = certificateMaker();
const { root, intermediate } = maker.authorities();
const first = maker.make({ by: intermediate });
const second = maker.make({ by: intermediate, key: ['rsa:2048'] });

let platform: Platform;
let stage: Stage;
let rest: Rest;
let roots: Buffer;

const sent = (made: Made) => ({
  certificate: [made, intermediate, root].map(({ pem }) => pem).join(''),
  privateKey: made.key,
});
const put = (made: Made) => rest(path, { method: 'PUT', body: sent(made) });
const fingerprintOf = ({ pem }: Made) => new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();

beforeAll(async () => {
  platform = await testPlatform(true, { issuer: 'AcmeIssuer' });
  stage = testStage(platform, 90_000);
  roots = Buffer.concat([readFileSync(platform.facts.acmeRoot), Buffer.from(`\n${root.pem}`)]);
  await stage.account('acme', 'business');
  const tenant = await stage.tenant('acme', 'shop-web');
  await tenant.becomeReady();
  const document = (await (await fetch(`${platform.facts.apiUrl}/v1/openapi.json`)).json()) as OpenApi;
  const contract = contractOf(document);
  const client = await stage.rest('acme');
  rest = async (asked, call) => {
    const answer = await client(asked, call);
    contract.check(call?.method ?? 'GET', asked, answer);
    return answer;
  };
  const service = { name: 'shop-web', port: 8080 };
  await eventually('the project is made', 30_000, async () => {
    const { status } = await rest('/v1/projects', { method: 'POST', body: { name: 'shop', service } });
    expectThat(status === 201 || status === 409, `status ${status}`);
  });
  const added = await eventually('the domain is added', 60_000, async () => {
    const answer = await rest('/v1/projects/shop/domains', { method: 'POST', body: { hostname } });
    expectThat(answer.status < 300, `status ${answer.status}`);
    return answer;
  });
  const [record] = added.body.records as readonly { value: string }[];
  expect((await put(first)).body).toMatchObject({ code: 'hostname-not-held', hostnames: [hostname] });
  await stage.putZone('example.com', `www CNAME ${record?.value}.`);
  await stage.domainWhere('acme', hostname, 'is Live', inState('Live'));
}, platformDeadlineMs);

afterAll(async () => {
  maker.remove();
  await stage.close();
  await platform.stop();
}, platformDeadlineMs);

/** What a visitor's handshake shows: the certificate's fingerprint. Rejects when it fails, or is not trusted. */
const shown = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: platform.facts.ingressAddress, port: 443, servername: hostname, ca: roots }, () => {
      resolve(socket.getPeerCertificate().fingerprint256.replaceAll(':', '').toLowerCase());
      socket.end();
    });
    socket.on('error', reject);
  });

/** Visitors who connect all the time while `act` goes on; resolves to every failure, and what they were shown in this order. */
async function visited(
  act: () => Promise<void>,
): Promise<{ readonly failed: readonly string[]; readonly seen: readonly string[] }> {
  const seen = new Set<string>();
  const visits = visitInTurn([hostname], async () => {
    seen.add(await shown());
    return null;
  });
  try {
    await act();
  } finally {
    await visits.end();
  }
  const { failed } = await visits.end();
  return { failed, seen: [...seen] };
}

const isShown = (fingerprint: string) =>
  eventually('the ingress answers with it', 60_000, async () => {
    const found = await shown();
    expectThat(found === fingerprint, `it answers with ${found}`);
  });
const isServed = () =>
  eventually('it is said to be served', 60_000, async () => {
    const { body } = await rest(path);
    expectThat(body.served === true, JSON.stringify(body));
  });
const namesOf = async (kind: string): Promise<readonly string[]> =>
  (await stage.kubectl.run(['get', kind, '-n', 'acme', '-o', 'jsonpath={.items[*].metadata.name}'])).trim().split(' ');
const ownSecrets = async () => (await namesOf('secrets')).filter((name) => name.startsWith('pd-own-'));
const conditionOf = async (type: string) =>
  (await stage.domain('acme', hostname)).status?.conditions?.find((condition) => condition.type === type)?.reason;
/** Those that the domain names: one that is deleted is named until the next reconcile, and what it was may not be sent again until then. */
const namedSecrets = async () => {
  const domain = await stage.kubectl.get<ProjectDomain>('projectdomain', hostname, 'acme');
  return domain?.status?.certificate?.ownSecrets ?? [];
};
const becomes = (what: string, holds: () => Promise<boolean>) =>
  eventually(what, 120_000, async () => expectThat(await holds(), 'not yet'));

const isTaken = (made: Made) => becomes('it is taken', async () => (await put(made)).status === 200);

describe('a certificate that a customer sends', () => {
  it(
    'is served in place of the one that was ordered, which goes once it is',
    async () => {
      const { failed, seen } = await visited(async () => {
        const answer = await put(first);
        expect([answer.status, answer.body]).toMatchObject([
          200,
          { names: [hostname], issuer: 'CN=Example Intermediate', fingerprint: fingerprintOf(first) },
        ]);
        await isShown(fingerprintOf(first));
        await isServed();
        await becomes(
          'the Certificate is gone',
          async () => !(await namesOf('certificates')).includes(childName(hostname)),
        );
        await stage.domainWhere('acme', hostname, 'is Live', inState('Live'));
      });
      expect(failed).toEqual([]);
      expect(seen.at(-1)).toBe(fingerprintOf(first));
      expect(await conditionOf('CertificateIssued')).toBe('OwnCertificate');
      const domain = await rest(`/v1/projects/shop/domains/${hostname}`);
      expect(domain.body.certificate).toMatchObject({ source: 'own' });
      expect((domain.body.timeline as readonly { reason: string }[]).map(({ reason }) => reason)).toContain('own');
    },
    platformDeadlineMs,
  );

  it("leaves the path of ACME's challenges to the project", async () => {
    const asked = {
      address: platform.facts.ingressAddress,
      ca: roots,
      hostname,
      path: '/.well-known/acme-challenge/mine',
    };
    await eventually('the project answers there', 30_000, async () => {
      const { status, body } = await askHttps(asked);
      expectThat(status === 200 && body.includes('shop-web'), `status ${status}: ${body.slice(0, 100)}`);
    });
  }, 60_000);

  it('is not taken with another key, a name of nobody, or without a body', async () => {
    const wrongKey = await rest(path, { method: 'PUT', body: { ...sent(first), privateKey: second.key } });
    expect([wrongKey.status, wrongKey.body.reason]).toEqual([422, 'key-mismatch']);
    const foreign = maker.make({ by: intermediate, extensions: [...ofServer, names(hostname, 'shop.example.org')] });
    const notHeld = await put(foreign);
    expect([notHeld.status, notHeld.body.hostnames]).toEqual([409, ['shop.example.org']]);
    expect((await rest(path, { method: 'PUT', body: {} })).status).toBe(400);
    expect((await rest(path)).body.fingerprint).toBe(fingerprintOf(first));
  });

  it(
    'is replaced by the next one, whose predecessor is deleted',
    async () => {
      const [before] = await ownSecrets();
      const { failed, seen } = await visited(async () => {
        expect((await put(second)).status).toBe(200);
        await isShown(fingerprintOf(second));
        await isServed();
        await becomes('the Secret before is gone', async () => !(await ownSecrets()).includes(before ?? ''));
      });
      expect(failed).toEqual([]);
      expect(seen).toEqual([fingerprintOf(first), fingerprintOf(second)]);
      expect(await ownSecrets()).toHaveLength(1);
    },
    platformDeadlineMs,
  );

  it(
    'while the operator is down is served as soon as it is back, and no other is taken until then',
    async () => {
      const { failed } = await visited(async () => {
        await becomes('no other is told of', async () => (await namedSecrets()).length === 1);
        await platform.ours('operator')?.stop();
        await isTaken(first);
        const refused = await put(second);
        expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
          409,
          'conflict',
          '60',
        ]);
        await platform.restart('operator');
        await isShown(fingerprintOf(first));
        await isServed();
      });
      expect(failed).toEqual([]);
    },
    platformDeadlineMs,
  );

  it(
    'is given up for an automatic one, and served until that is there',
    async () => {
      const { failed, seen } = await visited(async () => {
        expect((await rest(path, { method: 'DELETE' })).status).toBe(204);
        expect((await rest(path)).status).toBe(404);
        await becomes('an automatic one is shown', async () => (await shown()) !== fingerprintOf(first));
        await stage.domainWhere('acme', hostname, 'is Live', inState('Live'));
        await becomes('its own Secrets are gone', async () => (await ownSecrets()).length === 0);
      });
      expect(failed).toEqual([]);
      expect(seen).toHaveLength(2);
      await stage.answers(hostname, 'shop-web');
      expect(await conditionOf('CertificateIssued')).toBe('Issued');
      expect((await rest(path, { method: 'DELETE' })).status).toBe(404);
    },
    platformDeadlineMs,
  );

  it(
    'goes with its domain, and no key was told to anybody',
    async () => {
      await isTaken(first);
      await isServed();
      const domain = `/v1/projects/shop/domains/${hostname}`;
      expect([202, 204]).toContain((await rest(domain, { method: 'DELETE' })).status);
      await becomes('its Secret is collected', async () => (await ownSecrets()).length === 0);
      await becomes('it is gone', async () => (await rest(domain)).status === 404);
      const dir = join(dirname(platform.facts.kubeconfig), 'logs');
      const logs = readdirSync(dir).filter((name) => /^(operator|api-server|redirector)\.log$/.test(name));
      expect(logs.length).toBeGreaterThan(2);
      const told = logs.map((name) => readFileSync(join(dir, name), 'utf8')).join('');
      const events = await stage.kubectl.run(['get', 'events', '-A', '-o', 'json']);
      for (const line of [first, second].map(({ key }) => key.split('\n')[1] ?? '')) {
        expect(told).not.toContain(line);
        expect(events).not.toContain(line);
      }
    },
    platformDeadlineMs,
  );

  it(
    'stays on a domain that its project declares, whatever is written of it later',
    async () => {
      const declared = 'shop.example.com';
      const config = (redirects: readonly object[]) =>
        rest('/v1/projects/shop/domain-config', { method: 'PUT', body: { primary: declared, redirects } });
      expect((await config([])).status).toBe(200);
      const { records } = await eventually('it shows its record', 60_000, async () => {
        const { body } = await rest(`/v1/projects/shop/domains/${declared}`);
        expectThat(Array.isArray(body.records) && body.records.length > 0, 'no record');
        return body;
      });
      const [record] = records as readonly { value: string }[];
      await stage.putZone('example.com', `shop CNAME ${record?.value}.`);
      await stage.domainWhere('acme', declared, 'is Live', inState('Live'));
      const extensions = [...ofServer, names(declared)];
      const made = maker.make({ by: intermediate, subject: `/CN=${declared}`, extensions });
      const ofDeclared = `/v1/projects/shop/domains/${declared}/certificate`;
      expect((await rest(ofDeclared, { method: 'PUT', body: sent(made) })).status).toBe(200);
      await becomes('it is served', async () => (await rest(ofDeclared)).body.served === true);
      expect((await config([{ from: hostname, to: declared }])).status).toBe(200);
      await becomes('the project has its other domain', async () =>
        (await namesOf('projectdomains')).includes(hostname),
      );
      expect((await rest(ofDeclared)).body).toMatchObject({ fingerprint: fingerprintOf(made), served: true });
    },
    platformDeadlineMs,
  );
});
