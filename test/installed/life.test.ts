import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scrape } from '../../dev/campaigns/scrape.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { askHttps } from '../../dev/lib/https.ts';
import { restClient } from '../../dev/lib/rest.ts';
import { createKey } from '../../dev/platform/demo-account.ts';
import { installChart, releaseName } from '../../dev/platform/node/cluster.ts';
import { play } from '../../dev/story/play.ts';
import { inState } from '../../dev/story/stage.ts';
import { story } from '../../dev/story/story.ts';
import type { Installed, Visitor } from '../support/installed.ts';
import { confirmDeletion } from '../support/confirm-deletion.ts';
import {
  commandLine,
  installedDeadlineMs,
  startInstalled,
  startTraffic,
  systemNamespace,
} from '../support/installed.ts';

/** The life of one installation, in its order: each part begins with what the one before has left. */

let installed: Installed;
const folder = mkdtempSync(join(tmpdir(), 'projectdomain-backup-'));
const minutes = 60_000;
const shop = 'www.example.com';
const apex = 'example.com';

const kubectl = (...args: readonly string[]) => installed.cluster.kubectl.run(args);
const ours = (...args: readonly string[]) => kubectl('-n', systemNamespace, ...args);

beforeAll(async () => {
  installed = await startInstalled();
}, installedDeadlineMs);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await installed.stop();
}, installedDeadlineMs);

/** A visitor waits as long as it takes: what counts is what is answered, however busy the machine is. */
const ask = (hostname: string, path = '/') => {
  const { facts } = installed.stage;
  const ca = readFileSync(facts.acmeRoot);
  return askHttps({ address: facts.ingressAddress, ca, hostname, path, silentMs: 1 * minutes });
};

const redirects: Visitor = {
  name: 'redirect',
  async visit() {
    const { status, headers } = await ask(apex, '/a%2Fb?q=1');
    if (status === 301 && headers.location === `https://${shop}/a%2Fb?q=1`) return null;
    return `${status} ${String(headers.location)}`;
  },
};

const pages: Visitor = {
  name: 'page',
  async visit() {
    const { status } = await ask(shop);
    return status === 200 ? null : `${status}`;
  },
};

async function caller(account: string): Promise<Visitor> {
  const { facts } = installed.stage;
  const rest = restClient(facts.apiUrl ?? '', await createKey(account, facts.kubeconfig));
  return {
    name: 'call',
    async visit() {
      const { status } = await rest('/v1/account/usage');
      return status === 200 ? null : `${status}`;
    },
  };
}

const rolledOut = async (...names: readonly string[]) => {
  for (const name of names) await ours('rollout', 'status', `deployment/${name}`, '--timeout=55s');
};

/** Old Pods linger while endpoints move: only when they are gone has the change been survived. */
const settled = () =>
  eventually('no Pod is on its way out', 2 * minutes, async () => {
    const going = await ours('get', 'pods', '-o', 'jsonpath={.items[?(@.metadata.deletionTimestamp)].metadata.name}');
    expectThat(going === '', `still there: ${going}`);
  });

describe('an installation', () => {
  it(
    'speaks (helm test)',
    async () => {
      const said = await installed.cluster.helm(['test', releaseName, '--timeout', '1m', '--logs']);
      expect(said).toContain('Phase:          Succeeded');
      expect(said).not.toContain('FAIL');
    },
    2 * minutes,
  );

  it(
    'says that cert-manager asks the operator first',
    async () => {
      const message = await eventually('the condition is there', minutes, async () => {
        const seen = await kubectl(
          'get',
          'account',
          'demo',
          '-o',
          'jsonpath={.status.conditions[?(@.type=="IssuerGuarded")].message}',
        );
        expectThat(seen !== '', 'no condition IssuerGuarded');
        return seen;
      });
      expect(message).toBe('only the operator approves requests of acmeissuers.projectdomain.io/pebble');
    },
    2 * minutes,
  );

  it(
    'tells the whole story with real Pods, and orders leave none',
    async () => {
      const lines: string[] = [];
      const told = await play(story(), installed.stage, (line) => {
        lines.push(line);
        process.stderr.write(`${line}\n`);
      });
      expect(told.failed).toBeUndefined();
      expect(told.steps.map(({ name }) => name)).toContain('removed');
      expect(lines.join('\n')).toContain('answers 301');
      expect(await kubectl('get', 'orders,challenges', '-A', '-o', 'name')).toBe('');
    },
    8 * minutes,
  );

  it(
    'takes the removed hostname back as a redirect, by its tombstone and without a new order',
    async () => {
      const orders = () => kubectl('get', 'hostnameclaim', apex, '-o', 'jsonpath={.spec.orders[*].request}');
      const before = await orders();
      expect(before).not.toBe('');
      const rest = await installed.stage.rest('acme');
      const redirect = { hostname: apex, role: 'redirect', redirect: { to: shop, status: 301 } };
      expect((await rest('/v1/projects/shop/domains', { method: 'POST', body: redirect })).status).toBe(201);
      await eventually('it redirects again', 90_000, async () => {
        const complaint = await redirects.visit();
        expectThat(complaint === null, complaint ?? '');
      });
      expect(await orders()).toBe(before);
    },
    2 * minutes,
  );
});

/** Makes a change and lets it settle while visitors come: none of them may notice. */
async function under(visitors: readonly Visitor[], change: () => Promise<void>): Promise<void> {
  const traffic = startTraffic(visitors);
  let seen;
  try {
    await change();
    await settled();
  } finally {
    seen = await traffic.end();
  }
  expect(seen.wrong).toEqual([]);
  for (const count of Object.values(seen.right)) expect(count).toBeGreaterThan(20);
}

describe('without a failed request', () => {
  it(
    'everything restarts (kubectl rollout restart)',
    async () => {
      await under([pages, redirects, await caller('acme')], async () => {
        await ours('rollout', 'restart', 'deployment/projectdomain-operator', 'deployment/projectdomain-redirector');
        await rolledOut('projectdomain-operator', 'projectdomain-redirector');
      });
    },
    4 * minutes,
  );

  it(
    'an upgrade changes the configuration of every part (helm upgrade)',
    async () => {
      const generation = () => ours('get', 'deployments', '-o', 'jsonpath={.items[*].metadata.generation}');
      const before = await generation();
      await under([pages, redirects, await caller('acme')], () =>
        installChart(installed.cluster, {
          requireTxt: false,
          operator: { resources: { limits: { memory: '500Mi' } } },
          redirector: { resources: { limits: { memory: '250Mi' } } },
        }),
      );
      expect(await generation()).not.toBe(before);
    },
    4 * minutes,
  );
});

describe('the leader', () => {
  it(
    'is killed, and another makes the next domain Live',
    async () => {
      const holder = () =>
        ours('get', 'lease', 'projectdomain-operator', '-o', 'jsonpath={.spec.holderIdentity}').then((text) =>
          text.replace(/-\d+$/, ''),
        );
      const first = await holder();
      const { stage } = installed;
      await stage.putZone(
        'example.edu',
        `www CNAME ${await kubectl('get', 'project', 'shop', '-n', 'acme', '-o', 'jsonpath={.status.target}')}.\n@ CAA 0 issue "pebble.projectdomain.test"`,
      );
      await ours('delete', 'pod', first, '--grace-period=0', '--force');
      await installed.cluster.kubectl.apply({
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'ProjectDomain',
        metadata: { name: 'www.example.edu', namespace: 'acme' },
        spec: { project: 'shop', hostname: 'www.example.edu', role: 'Redirect', redirect: { to: shop } },
      });
      await stage.domainWhere('acme', 'www.example.edu', 'is Live', inState('Live'));
      expect(await holder()).not.toBe(first);
      await rolledOut('projectdomain-operator');
    },
    4 * minutes,
  );
});

describe('the API as a Deployment of its own', () => {
  it(
    'counts exactly with three replicas',
    async () => {
      const standalone = { standalone: true, autoscaling: { minReplicas: 3, maxReplicas: 3 } };
      await installChart(installed.cluster, { api: standalone });
      await eventually('three Pods answer', 2 * minutes, async () => {
        const ready = await ours('get', 'deployment', 'projectdomain-api', '-o', 'jsonpath={.status.readyReplicas}');
        expectThat(ready === '3', `${ready} are ready`);
      });
      await settled();
      const { facts } = installed.stage;
      await installed.stage.account('exact', 'free');
      const clients = await Promise.all(
        [1, 2].map(async () => restClient(facts.apiUrl ?? '', await createKey('exact', facts.kubeconfig))),
      );
      for (const rest of clients)
        await eventually('every API server knows the key', minutes, async () => {
          const answers = await Promise.all(Array.from({ length: 12 }, () => rest('/v1/account/usage')));
          expectThat(
            answers.every(({ status }) => status === 200),
            'some do not',
          );
        });
      const served = () =>
        ours(
          'get',
          'endpointslices',
          '-l',
          'kubernetes.io/service-name=projectdomain-api',
          '-o',
          'jsonpath={.items[*].endpoints[*].addresses[0]}',
        );
      const replicas = (await served()).split(' ');
      expect(replicas).toHaveLength(3);
      /** A replica that Redis leaves without an answer for 25 ms decides alone, and counts that it did. */
      const withoutRedis = async () => {
        const metrics = await Promise.all(replicas.map((address) => scrape(`http://${address}:9403`)));
        return metrics.reduce((sum, of) => sum + of('projectdomain_quota_decisions_total', 'degraded="true"'), 0);
      };
      const before = await withoutRedis();
      const answers = await Promise.all(
        clients.flatMap((rest) => Array.from({ length: 60 }, () => rest('/v1/account'))),
      );
      const decidedAlone = (await withoutRedis()) - before;
      const admitted = answers.filter(({ status }) => status === 200);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(answers.length - admitted.length);
      expect(Math.abs(admitted.length - 60)).toBeLessThanOrEqual(decidedAlone);
      for (const { headers } of answers) expect(headers.get('x-ratelimit-limit')).toBe('60');
    },
    6 * minutes,
  );
});

describe('an uninstallation that was told to keep routes', () => {
  it(
    'leaves pages and redirects serving, the definitions, and the key of every target',
    async () => {
      await installChart(installed.cluster, { uninstall: { keepRoutes: true } });
      await settled();
      await under([pages, redirects], async () => {
        await installed.cluster.helm(['uninstall', releaseName, '--wait', '--timeout', '1m']);
        await eventually('the operator is gone', minutes, async () => {
          const pods = await ours('get', 'pods', '-l', 'app.kubernetes.io/component=operator', '-o', 'name');
          expectThat(pods === '', pods);
        });
      });
      expect(await kubectl('get', 'crd', 'projectdomains.projectdomain.io', '-o', 'name')).toContain('projectdomains');
      expect(await ours('get', 'secret', 'projectdomain-hmac', '-o', 'name')).toContain('projectdomain-hmac');
      expect(await kubectl('get', 'projectdomains', '-A', '-o', 'name')).toContain(shop);
    },
    4 * minutes,
  );

  it(
    'is taken up again by the next installation, with every target as it was',
    async () => {
      const target = () => kubectl('get', 'project', 'shop', '-n', 'acme', '-o', 'jsonpath={.status.target}');
      const before = await target();
      await installChart(installed.cluster);
      await installed.stage.domainWhere('acme', shop, 'is Live', inState('Live'));
      expect(await target()).toBe(before);
    },
    4 * minutes,
  );
});

describe('a backup', () => {
  it(
    'brings everything back after everything was lost',
    async () => {
      const { cluster, stage } = installed;
      const picture = async () => {
        const claims = await kubectl(
          'get',
          'hostnameclaims',
          '-o',
          'jsonpath={range .items[*]}{.metadata.name} {.spec.account} {.spec.phase} {.spec.epoch}{"\\n"}{end}',
        );
        const targets = await kubectl(
          'get',
          'projects',
          '-A',
          '-o',
          'jsonpath={range .items[*]}{.metadata.name} {.status.target}{"\\n"}{end}',
        );
        const account = await kubectl('get', 'acmeissuers', '-o', 'jsonpath={.items[*].status.accounts[*].uri}');
        return { claims: claims.split('\n').toSorted(), targets: targets.split('\n').toSorted(), account };
      };
      const before = await picture();
      expect(before.account).toMatch(/^https:/);
      const file = join(folder, 'backup.json');
      writeFileSync(file, await commandLine('backup', '--kubeconfig', cluster.controlPlane.kubeconfig), {
        mode: 0o600,
      });
      await loseEverything();
      await installChart(cluster, { operator: { replicas: 0 } });
      expect(await refusals(kubectl('create', '-f', file))).toEqual([
        'namespaces "projectdomain-system" already exists',
      ]);
      await installChart(cluster);
      const tenant = await stage.tenant('acme', 'shop-web');
      await tenant.becomeReady();
      await stage.domainWhere('acme', shop, 'is Live', inState('Live'));
      await stage.answers(shop, 'shop-web');
      await eventually('it redirects', 2 * minutes, async () => {
        const complaint = await redirects.visit();
        expectThat(complaint === null, complaint ?? '');
      });
      expect(await picture()).toEqual(before);
    },
    8 * minutes,
  );

  async function loseEverything(): Promise<void> {
    await installed.cluster.helm(['uninstall', releaseName, '--wait', '--timeout', '1m']);
    const crds = (await kubectl('get', 'crd', '-o', 'name'))
      .split('\n')
      .filter((name) => name.endsWith('projectdomain.io'));
    const names = crds.map((name) => name.slice(name.indexOf('/') + 1));
    await confirmDeletion(installed.stage.kubectl, 'crd', ...names);
    await confirmDeletion(installed.stage.kubectl, 'namespaces', '-l', 'projectdomain.io/account');
    await kubectl('delete', '--timeout=50s', ...crds);
    await kubectl('delete', 'namespace', '-l', 'projectdomain.io/account', '--timeout=50s');
    await ours('delete', 'secret', 'projectdomain-hmac', 'projectdomain-acme-account');
  }

  /** What kubectl could not create, each in its words. */
  const refusals = (created: Promise<string>): Promise<readonly string[]> =>
    created.then(
      () => [],
      (error: unknown) =>
        [...String(error).matchAll(/\(AlreadyExists\)[^:]*: [^:]*: (.*)/g)].map(([, said = '']) => said),
    );
});
