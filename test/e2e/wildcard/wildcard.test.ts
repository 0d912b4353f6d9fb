import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Resolver } from 'node:dns/promises';
import type { Answer } from '../../../dev/lib/https.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { SeenDomain, Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import type { TestCdn } from '../../support/cdn.ts';
import { createCdn } from '../../support/cdn.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';
import { serveChallengeZone } from '../../support/served-challenge-zone.ts';
import type { Visitors } from '../prepare/visitors.ts';
import { sendVisitors } from '../prepare/visitors.ts';

/** A site below one wildcard record moves here under 50 visitors a second; a hostname of its own goes before it. */

const base = 'wild.example';
const wildcard = `*.${base}`;
const visited = `blue.${base}`;
const exact = `docs.${base}`;
const wildcardClaim = `wc--wildcard.${base}`;
const namespace = 'acme';
const formerPage = 'nothing is set up here';
/** visits that see each stage of the move: fifty a second */
const visitsWatched = 150;

let platform: Platform;
let stage: Stage;
let former: TestCdn;
let net: string;
/** lines of the zone, as the customer has them by now */
const zone = new Map<string, string>();

const domainObject = (name: string, hostname: string, project: string) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { name, namespace },
  spec: { project, hostname },
});

const putZone = async (lines: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, data] of Object.entries(lines)) zone.set(name, data);
  await stage.putZone(base, [...zone].map(([name, data]) => `${name} ${data}`).join('\n'));
};

const recordOf = ({ status }: SeenDomain, fqdn: string): string =>
  status?.records?.find((record) => record.fqdn === fqdn)?.value ?? '';

const reasonOf = ({ status }: SeenDomain, condition: string): string | undefined =>
  status?.conditions?.find(({ type }) => type === condition)?.reason;

const showing = (name: string, fqdn: string) =>
  stage.domainWhere(namespace, name, `shows ${fqdn}`, (seen) => (recordOf(seen, fqdn) === '' ? 'not yet' : null));

const ask = (hostname: string): Promise<Answer> =>
  askHttps({ address: platform.facts.ingressAddress, ca: readFileSync(platform.facts.acmeRoot), hostname });

const claimOf = (name: string) => stage.kubectl.get<HostnameClaim>('hostnameclaim', name);

async function makeProject(name: string): Promise<void> {
  const service = `${name}-web`;
  const tenant = await stage.tenant(namespace, service);
  await tenant.becomeReady();
  await stage.kubectl.apply({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name, namespace },
    spec: { service: { name: service, port: 8080 } },
  });
}

/** Delegates, looks at the site here, switches and takes the former server away. What it answers here before the switch. */
async function moved(visitors: Visitors): Promise<Answer> {
  await stage.kubectl.apply(domainObject('wild', wildcard, 'shop'));
  const records = await showing('wild', `_acme-challenge.${base}`);
  await putZone({ '_acme-challenge': `CNAME ${recordOf(records, `_acme-challenge.${base}`)}.` });
  await stage.domainWhere(namespace, 'wild', 'is ready to switch', (seen) =>
    reasonOf(seen, 'Routed') === 'ReadyToSwitch' ? null : JSON.stringify(seen.status?.conditions),
  );
  const before = await ask(visited);
  await visitors.further(visitsWatched);
  await putZone({ '*': `CNAME ${recordOf(records, wildcard)}.` });
  await stage.domainWhere(namespace, 'wild', 'is Live', inState('Live'));
  // Who comes by then knows the new address.
  await visitors.further(visitsWatched);
  await former.goDown();
  await visitors.further(visitsWatched);
  return before;
}

beforeAll(async () => {
  platform = await testPlatform(true, { issuer: 'AcmeIssuer', challengeZone: serveChallengeZone });
  stage = testStage(platform, 60_000);
  const { ingressAddress } = platform.facts;
  net = ingressAddress.slice(0, ingressAddress.lastIndexOf('.'));
  former = await createCdn({ address: `${net}.40`, origin: ingressAddress, hostname: visited });
  await former.behave('parked');
  await stage.account(namespace, 'pro');
  await makeProject('shop');
  await makeProject('docs');
}, platformDeadlineMs);

afterAll(async () => {
  await former.remove();
  await stage.close();
  await platform.stop();
}, platformDeadlineMs);

describe('a site below a wildcard', () => {
  it(
    'moves here without one failed request or handshake, as its certificate is there before the switch',
    async () => {
      await putZone({ '*': `A ${former.address}` });
      const roots = Buffer.concat([readFileSync(platform.facts.acmeRoot), former.ca]);
      const visitors = sendVisitors({ hostname: visited, resolver: `${net}.32:53`, ca: roots });
      const before = await moved(visitors).catch(async (error: unknown) => {
        await visitors.leave();
        throw error;
      });
      const { bodies, failures } = await visitors.leave();
      expect(before.status).toBe(200);
      expect(failures).toEqual([]);
      expect(bodies.get(formerPage)).toBeGreaterThan(50);
      expect(bodies.get(before.body)).toBeGreaterThan(50);
      expect(bodies.size).toBe(2);
    },
    platformDeadlineMs,
  );

  it('was proven and its certificate ordered by its delegation, and nothing is left in the challenge zone', async () => {
    const claim = await claimOf(wildcardClaim);
    expect(claim?.spec).toMatchObject({ wildcard: true, phase: 'Held', proof: { method: 'Delegation' } });
    const [order] = claim?.spec.orders ?? [];
    expect(order).toMatchObject({ outcome: 'Issued', acme: { placed: 1 } });
    const zoneServer = new Resolver();
    zoneServer.setServers([`${net}.30:53`]);
    const left = zoneServer.resolveTxt(`${order?.delegation}.acme.projectdomain.test`);
    await expect(left).rejects.toMatchObject({ code: expect.stringMatching(/ENOTFOUND|ENODATA/) as unknown });
  });

  it('answers at any hostname one label below its base, with a certificate that is for it', async () => {
    for (const hostname of [`a.${base}`, `some-thing.${base}`])
      expect(await ask(hostname)).toMatchObject({ status: 200, body: expect.stringContaining('shop-web') as unknown });
  });

  it.each([
    ['its base', base],
    ['two labels below its base', `a.b.${base}`],
  ])('does not answer at %s', async (_title, hostname) => {
    await expect(ask(hostname)).rejects.toMatchObject({
      code: expect.stringMatching(/CERT|SIGNATURE|SIGNED/) as unknown,
    });
  });
});

describe('a hostname of its own', () => {
  it(
    'goes before the wildcard, which serves it until then',
    async () => {
      expect((await ask(exact)).body).toContain('shop-web');
      await stage.kubectl.apply(domainObject('docs', exact, 'docs'));
      const seen = await showing('docs', exact);
      await putZone({ docs: `CNAME ${recordOf(seen, exact)}.` });
      await stage.domainWhere(namespace, 'docs', 'is Live', inState('Live'));
      expect(await ask(exact)).toMatchObject({ status: 200, body: expect.stringContaining('docs-web') as unknown });
      expect((await ask(visited)).body).toContain('shop-web');
    },
    platformDeadlineMs,
  );

  it(
    'answers 503 once it is suspended, and is not served by the wildcard',
    async () => {
      await stage.kubectl.run(['annotate', 'hostnameclaim', exact, 'projectdomain.io/suspend=abuse']);
      await stage.domainWhere(namespace, 'docs', 'is Suspended', inState('Suspended'));
      await eventually('it answers 503', 30_000, async () => {
        const { status, body } = await ask(exact);
        expectThat(!body.includes('-web'), `${status} ${body}`);
        expectThat(status === 503, `status ${status}`);
      });
      expect((await ask(visited)).status).toBe(200);
      await stage.kubectl.run(['annotate', 'hostnameclaim', exact, 'projectdomain.io/suspend-']);
      await stage.domainWhere(namespace, 'docs', 'is Live', inState('Live'));
      const bodies: string[] = [];
      await eventually('its own project answers again', 30_000, async () => {
        const { status, body } = await ask(exact);
        bodies.push(body);
        expectThat(body.includes('docs-web'), `${status} ${body}`);
      });
      expect(bodies.filter((body) => body.includes('shop-web'))).toEqual([]);
    },
    platformDeadlineMs,
  );

  it(
    'of another account is not held while the wildcard is',
    async () => {
      await stage.account('neighbour', 'pro');
      const tenant = await stage.tenant('neighbour', 'neighbour-web');
      await tenant.becomeReady();
      await stage.kubectl.apply({
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'Project',
        metadata: { name: 'neighbour', namespace: 'neighbour' },
        spec: { service: { name: 'neighbour-web', port: 8080 } },
      });
      const hostname = `neighbour.${base}`;
      const asked = {
        ...domainObject('neighbour', hostname, 'neighbour'),
        metadata: { name: 'neighbour', namespace: 'neighbour' },
      };
      await stage.kubectl.apply(asked);
      const seen = await stage.domainWhere('neighbour', 'neighbour', 'shows its records', (shown) =>
        recordOf(shown, hostname) === '' ? 'not yet' : null,
      );
      await putZone({ neighbour: `CNAME ${recordOf(seen, hostname)}.` });
      await stage.domainWhere('neighbour', 'neighbour', 'is refused', inState('Unverified', 'OverlapsElsewhere'));
      expect(await claimOf(hostname)).toBeNull();
    },
    platformDeadlineMs,
  );
});

describe('the base, prepared', () => {
  it(
    'has the wildcard’s delegation, as both have one challenge name, and a certificate by it',
    async () => {
      const of = await stage.domain(namespace, 'wild');
      const spec = { project: 'docs', hostname: base, prepare: true, role: 'Redirect', redirect: { to: exact } };
      await stage.kubectl.apply({ ...domainObject('base', base, 'docs'), spec });
      const seen = await showing('base', `_acme-challenge.${base}`);
      expect(recordOf(seen, `_acme-challenge.${base}`)).toBe(recordOf(of, `_acme-challenge.${base}`));
      await stage.domainWhere(namespace, 'base', 'is ready to switch', (one) =>
        reasonOf(one, 'Routed') === 'ReadyToSwitch' ? null : JSON.stringify(one.status?.conditions),
      );
      const order = await eventually('its order has ended', 60_000, async () => {
        const [last] = (await claimOf(base))?.spec.orders ?? [];
        expectThat(last?.outcome !== 'Pending', 'it is open');
        return last;
      });
      const [ofWildcard] = (await claimOf(wildcardClaim))?.spec.orders ?? [];
      expect(order).toMatchObject({ outcome: 'Issued', delegation: ofWildcard?.delegation });
    },
    platformDeadlineMs,
  );
});

describe('a wildcard that is removed', () => {
  it(
    'leaves no route and no certificate, and the hostname of its own is served on',
    async () => {
      await stage.kubectl.run(['delete', 'projectdomain', 'wild', '-n', namespace, '--wait']);
      await eventually('the wildcard is given up', 60_000, async () => {
        const given = await claimOf(wildcardClaim);
        expectThat(given?.spec.phase === 'Tombstone', `phase ${given?.spec.phase}`);
      });
      expect(await stage.kubectl.get('ingress', childName(wildcard), namespace)).toBeNull();
      expect(await stage.kubectl.get('certificate', childName(wildcard), namespace)).toBeNull();
      await eventually('nothing is served', 30_000, async () => {
        const status = await ask(visited).then(
          (answer) => answer.status,
          () => 0,
        );
        expectThat(status !== 200, `status ${status}`);
      });
      expect((await ask(exact)).body).toContain('docs-web');
    },
    platformDeadlineMs,
  );
});
