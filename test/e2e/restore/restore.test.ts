import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat, within } from '../../../dev/lib/eventually.ts';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { Tenant } from '../../../dev/platform/tenant.ts';
import type { SeenDomain, Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import type { AuthorityOrders } from '../../support/authority-orders.ts';
import { takenFor, watchAuthorityOrders } from '../../support/authority-orders.ts';
import { confirmDeletion } from '../../support/confirm-deletion.ts';
import { fromNow } from '../../support/from-now.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';

/** A restore without status loses no claim, no target and no served domain, in whatever order it comes. */

const api = 'projectdomain.io/v1alpha1';
const front = 'www.example.com';
const removed = 'old.example.com';
const primary = 'www.example.org';
const apex = 'example.org';
const system = 'projectdomain-system';
/** A claim counts as restored when it is younger than its proof by more than a minute. */
const longAgoMs = 3_600_000;

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid?: string };
  readonly spec?: unknown;
  readonly status?: { readonly target?: string };
}

interface Claim extends Item {
  readonly spec: { readonly phase: string; readonly epoch: number; readonly proof: { readonly at: string } };
}

let platform: Platform;
let stage: Stage;
let tenants: Tenant[] = [];
let saved: readonly Item[];
let before: Picture;
let authority: AuthorityOrders;
/** by hostname, orders before everything was lost */
let ordered: Readonly<Record<string, number>>;

const list = async <T extends Item>(kinds: string, scope: readonly string[] = ['-A']): Promise<readonly T[]> =>
  (JSON.parse(await stage.kubectl.run(['get', kinds, ...scope, '-o', 'json'])) as { items: T[] }).items;

/** What must be the same afterwards: who holds what since when, and what customers have in their DNS. */
interface Picture {
  readonly claims: Readonly<Record<string, Claim['spec']>>;
  readonly targets: Readonly<Record<string, string | undefined>>;
  readonly accounts: Readonly<Record<string, unknown>>;
}

async function picture(): Promise<Picture> {
  const [claims, projects, accounts] = await Promise.all([
    list<Claim>('hostnameclaims'),
    list('projects'),
    list('accounts'),
  ]);
  const known = (name = '') => name !== 'rival';
  return {
    claims: Object.fromEntries(
      claims
        .filter(({ metadata }) => metadata.name !== 'copy.apps.example.net')
        .map(({ metadata, spec }) => [metadata.name, { ...spec, orders: [] }]),
    ),
    targets: Object.fromEntries(
      projects
        .filter(({ metadata }) => known(metadata.namespace))
        .map(({ metadata, status }) => [metadata.name, status?.target]),
    ),
    accounts: Object.fromEntries(
      accounts.filter(({ metadata }) => known(metadata.name)).map(({ metadata, spec }) => [metadata.name, spec]),
    ),
  };
}

/** A claim of a backup that was taken a while after it was proven, as most are. */
const provenLongAgo = (spec: Claim['spec']): Claim['spec'] => ({
  ...spec,
  proof: { ...spec.proof, at: new Date(Date.parse(spec.proof.at) - longAgoMs).toISOString() },
});

const uids = async (): Promise<readonly string[]> =>
  (await list('accounts,projects,projectdomains,hostnameclaims,apikeys,plans,secrets'))
    .filter(({ kind, metadata }) => kind !== 'Secret' || metadata.name.startsWith('p'))
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name} ${metadata.uid}`);

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

const backup = (...args: readonly string[]): Promise<Ended> => backupAs(platform.facts.kubeconfig, ...args);

function backupAs(kubeconfig: string, ...args: readonly string[]): Promise<Ended> {
  const cli = join(import.meta.dirname, '../../../src/cli/main.ts');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, 'backup', '--kubeconfig', kubeconfig, ...args]);
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, out, err }));
  });
}

/** As the guide says: what is there already is left as it is, and said. */
async function create(items: readonly object[], there: RegExp = /namespaces "projectdomain-system" already exists/) {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const complaint = await stage.kubectl.run(['create', '-f', '-'], input).then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  expect(complaint.split('\n').filter((line) => line !== '' && !there.test(line))).toEqual([]);
}

/** The installation's key, and with an AcmeIssuer that of its account. */
const secretNames = () => ofKind('Secret').map(({ metadata }) => metadata.name);

const ofKind = (...kinds: readonly string[]) => saved.filter(({ kind }) => kinds.includes(kind));

/** Customers' workloads come back by the namespace's own backup; here, by hand. */
async function deploy(): Promise<void> {
  tenants = [await stage.tenant('acme', 'shop-web'), await stage.tenant('beta', 'blog-web')];
  for (const tenant of tenants) await tenant.becomeReady();
}

/** A cluster that lost everything of ours: objects, namespaces, the key. */
async function loseEverything(): Promise<void> {
  await platform.ours('operator')?.stop();
  await Promise.all(tenants.map((tenant) => tenant.stop()));
  const { kubectl } = stage;
  await kubectl.run(['delete', 'projectdomains,projects', '-A', '--all']);
  await confirmDeletion(kubectl, 'accounts');
  await confirmDeletion(kubectl, 'namespaces', '-l', 'projectdomain.io/account');
  await kubectl.run(['delete', 'hostnameclaims,apikeys,accounts,plans,acmeissuers', '--all']);
  await kubectl.run(['delete', 'namespaces', '-l', 'projectdomain.io/account']);
  await kubectl.run(['delete', 'secret', ...secretNames(), '-n', system]);
  const left = await list('projectdomains,projects,hostnameclaims,accounts,ingresses,certificates');
  // The chart's own Ingress is no customer's.
  expect(left.filter(({ metadata }) => metadata.namespace !== system)).toEqual([]);
}

const answersAs = (hostname: string, expected: number) =>
  within(`${hostname} answers ${expected}`, stage.patienceMs, async () => {
    const ca = readFileSync(platform.facts.acmeRoot);
    const { status } = await askHttps({ address: platform.facts.ingressAddress, ca, hostname });
    expectThat(status === expected, `status ${status}`);
  });

async function everythingIsServed(): Promise<void> {
  await stage.domainWhere('acme', 'front', 'is Live', inState('Live'));
  for (const hostname of [primary, apex]) await stage.domainWhere('beta', hostname, 'is Live', inState('Live'));
  await stage.answers(front, 'shop-web');
  await stage.answers(primary, 'blog-web');
  await answersAs(apex, 301);
}

const recordOf = async (namespace: string, name: string, type: string) => {
  const seen = await stage.domainWhere(namespace, name, `shows its ${type}`, ({ status }) =>
    status?.records?.some((record) => record.type === type) ? null : `no ${type}`,
  );
  const record = seen.status?.records?.find((candidate) => candidate.type === type);
  return { name: record?.name ?? '', value: record?.value ?? '' };
};

const accepted = ({ status }: SeenDomain) => status?.conditions?.find(({ type }) => type === 'Accepted');

const projectOf = (namespace: string, name: string, service: string, domains?: object) => ({
  apiVersion: api,
  kind: 'Project',
  metadata: { name, namespace },
  spec: { service: { name: service, port: 8080 }, ...(domains ? { domains } : {}) },
});

const domainOf = (namespace: string, name: string, spec: object) => ({
  apiVersion: api,
  kind: 'ProjectDomain',
  metadata: { name, namespace },
  spec,
});

let betaZone = '';

beforeAll(async () => {
  platform = await testPlatform(true);
  stage = testStage(platform, 60_000);
  authority = watchAuthorityOrders(platform);
  for (const account of ['acme', 'beta']) await stage.account(account, 'pro');
  await deploy();
  const redirect = { role: 'Redirect', redirect: { to: front } };
  await stage.kubectl.apply(
    projectOf('acme', 'shop', 'shop-web'),
    domainOf('acme', 'front', { project: 'shop', hostname: front }),
    domainOf('acme', 'removed', { project: 'shop', hostname: removed, ...redirect }),
    projectOf('beta', 'blog', 'blog-web', { primary, redirects: [{ from: apex }] }),
  );
  const shop = await recordOf('acme', 'front', 'CNAME');
  await stage.putZone('example.com', `www CNAME ${shop.value}.\nold CNAME ${shop.value}.`);
  const [blog, txt] = [await recordOf('beta', primary, 'CNAME'), await recordOf('beta', apex, 'TXT')];
  betaZone = `www CNAME ${blog.value}.\n@ A ${platform.facts.ingressAddress}\n${txt.name} TXT "${txt.value}"`;
  await stage.putZone(apex, betaZone);
  await everythingIsServed();
  await stage.domainWhere('acme', 'removed', 'is verified', ({ status }) =>
    ['Verified', 'Live'].includes(status?.state ?? '') ? null : `state ${status?.state}`,
  );
  await stage.kubectl.run(['delete', 'projectdomain', 'removed', '-n', 'acme']);
  await eventually('its claim is a tombstone', 30_000, async () => {
    const claim = await stage.kubectl.get<Claim>('hostnameclaim', removed);
    expectThat(claim?.spec.phase === 'Tombstone', `phase ${claim?.spec.phase}`);
  });
  await stage.kubectl.run(['patch', 'hostnameclaim', front, '--type=merge', '-p', '{"spec":{"epoch":3}}']);
  expect((await (await stage.rest('acme'))('/v1/account')).status).toBe(200);
  before = await picture();
}, platformDeadlineMs);

afterAll(async () => {
  await authority.stop();
  await stage.close();
  await platform.stop();
}, platformDeadlineMs);

describe('a backup', () => {
  it('is one List on stdout, and says on stderr that it holds a secret', async () => {
    const { status, out, err } = await backup();
    expect([status, err.trim()]).toEqual([0, expect.stringContaining('mode 0600')]);
    saved = (JSON.parse(out) as { items: Item[] }).items;
    expect(saved.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(
      expect.arrayContaining(['Secret projectdomain-hmac', `HostnameClaim ${removed}`, 'Account acme', 'Project blog']),
    );
  });

  it('can be had without the secret', async () => {
    const { status, out } = await backup('--without-secrets');
    expect(status).toBe(0);
    expect(out).not.toContain('projectdomain-hmac');
  });

  it('fails as a whole when its Secret is somewhere else', async () => {
    const { status, out, err } = await backup('--system-namespace', 'elsewhere');
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^nothing was backed up: there is no Secret elsewhere\/projectdomain-hmac/);
  });
});

describe('who takes a backup', () => {
  const ours = ['plans', 'accounts', 'projects', 'projectdomains', 'hostnameclaims', 'apikeys', 'acmeissuers'];
  const role = (kind: string, rules: readonly object[]) => {
    const scope = kind === 'Role' ? { namespace: system } : {};
    const [apiGroup, name] = ['rbac.authorization.k8s.io', 'backup'];
    const subjects = [{ kind: 'ServiceAccount', name, namespace: system }];
    const metadata = { name, ...scope };
    const apiVersion = `${apiGroup}/v1`;
    return [
      { apiVersion, kind, metadata, rules },
      { apiVersion, kind: `${kind}Binding`, metadata, roleRef: { apiGroup, kind, name }, subjects },
    ];
  };
  const listing = (resources: readonly string[]) => [
    { apiGroups: ['projectdomain.io'], resources, verbs: ['list'] },
    { apiGroups: [''], resources: ['namespaces'], verbs: ['list'] },
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings'], verbs: ['list'] },
  ];
  const secrets = () => [{ apiGroups: [''], resources: ['secrets'], resourceNames: secretNames(), verbs: ['get'] }];
  const kubeconfig = async () => {
    const token = await stage.kubectl.run(['create', 'token', 'backup', '-n', system]);
    return platform.controlPlane.kubeconfigWith('backup', token.trim());
  };

  it('needs to list the kinds in it and to get its Secrets by name, and no more', async () => {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'backup', namespace: system } };
    await stage.kubectl.apply(account, ...role('ClusterRole', listing(ours)), ...role('Role', secrets()));
    const { status, out } = await backupAs(await kubeconfig());
    expect([status, (JSON.parse(out) as { items: Item[] }).items.length]).toEqual([0, saved.length]);
  });

  it('gets nothing at all, and is told why, when one kind may not be listed', async () => {
    await stage.kubectl.apply(...role('ClusterRole', listing(ours.filter((name) => name !== 'accounts'))));
    const last = await eventually('the right is gone', 30_000, async () => {
      const ended = await backupAs(await kubeconfig());
      expectThat(ended.status === 1, `status ${ended.status}`);
      return ended;
    });
    expect(last.out).toBe('');
    expect(last.err).toMatch(/^nothing was backed up: .*'list' on accounts\.projectdomain\.io/);
  });
});

describe('a cluster that lost everything', () => {
  it(
    'is restored before the operator starts: same targets, same holders, everything served, nothing collected',
    async () => {
      const secrets = await list<Item & { metadata: { annotations?: object; labels?: object } }>('secrets', [
        '-n',
        'acme',
        '-l',
        'controller.cert-manager.io/fao=true',
      ]);
      expect(secrets.length).toBeGreaterThanOrEqual(2);
      ordered = Object.fromEntries(
        await Promise.all([front, primary].map(async (name) => [name, await takenFor(authority, name)] as const)),
      );
      expect(ordered[front]).toBeGreaterThan(0);
      await loseEverything();
      await create(saved);
      await create(
        secrets.map(({ metadata: { name, namespace, labels, annotations }, ...secret }) => ({
          ...secret,
          metadata: { name, namespace, labels, annotations },
        })),
      );
      await deploy();
      const restored = await uids();
      await platform.restart('operator');
      await everythingIsServed();
      expect(await picture()).toEqual(before);
      expect(await uids()).toEqual(expect.arrayContaining([...restored]));
      expect((await (await stage.rest('acme'))('/v1/account')).status).toBe(200);
    },
    platformDeadlineMs,
  );

  it('orders no certificate anew whose Secret came back', async () => {
    expect(await takenFor(authority, front)).toBe(ordered[front]);
    expect(await takenFor(authority, primary)).toBeGreaterThan(ordered[primary] ?? 0);
  });

  it('has its configuration rule over the ProjectDomains that were made from it', async () => {
    const blog = await stage.kubectl.get<{ status: { conditions: { type: string; status: string }[] } }>(
      'project',
      'blog',
      'beta',
    );
    expect(blog?.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'DomainsDeclared', status: 'True' }),
    );
    const owners = await stage.kubectl.run([
      'get',
      'projectdomain',
      apex,
      '-n',
      'beta',
      '-o',
      'jsonpath={.metadata.ownerReferences[?(@.controller==true)].name}',
    ]);
    expect(owners).toBe('blog');
  });

  it("takes the administrator's next apply", async () => {
    await stage.account('acme', 'pro');
    expect((await picture()).accounts).toEqual(before.accounts);
  });

  it(
    'loses nothing either when the operator is up, Accounts come last and another account asks meanwhile',
    async () => {
      const wanted = {
        ...before,
        claims: Object.fromEntries(Object.entries(before.claims).map(([name, spec]) => [name, provenLongAgo(spec)])),
      };
      await loseEverything();
      await create(ofKind('Secret', 'AcmeIssuer'));
      await platform.restart('operator');
      await create(
        (ofKind('HostnameClaim') as readonly Claim[]).map((one) => ({ ...one, spec: provenLongAgo(one.spec) })),
      );

      await stage.account('rival', 'pro');
      const copy = await stage.tenant('rival', 'copy-web');
      await copy.becomeReady();
      await stage.kubectl.apply(
        projectOf('rival', 'copy', 'copy-web'),
        domainOf('rival', apex, { project: 'copy', hostname: apex }),
      );
      const txt = await recordOf('rival', apex, 'TXT');
      await stage.putZone(apex, `${betaZone}\n${txt.name} TXT "${txt.value}"`);
      await stage.domainWhere('rival', apex, 'proved itself twice', ({ status }) =>
        ((status?.check as { successes?: number } | undefined)?.successes ?? 0) >= 2
          ? null
          : JSON.stringify(status?.conditions),
      );
      expect((await picture()).claims).toEqual(wanted.claims);

      const there = /namespaces "projectdomain-system" already exists|plans.projectdomain.io "\w+" already exists/;
      await create(ofKind('Namespace', 'RoleBinding'));
      await deploy();
      await create(ofKind('ProjectDomain'));
      await create(ofKind('Project'));
      for (const [namespace, name] of [
        ['acme', 'front'],
        ['beta', apex],
      ] as const) {
        await stage.domainWhere(namespace, name, 'waits for its Account', (seen) =>
          accepted(seen)?.status === 'Unknown' && accepted(seen)?.reason === 'AccountNotFound'
            ? null
            : JSON.stringify(accepted(seen)),
        );
      }
      expect((await picture()).claims).toEqual(wanted.claims);

      await create(ofKind('Plan', 'Account', 'ApiKey'), there);
      await everythingIsServed();
      expect(await picture()).toEqual(wanted);
      const competitor = await stage.domain('rival', apex);
      expect(competitor.status?.state).toBe('Unverified');
    },
    platformDeadlineMs,
  );
});

describe('an Account that is missing for a while', () => {
  it(
    'takes nothing of its customer down',
    async () => {
      const ingress = async () =>
        (await list('ingresses', ['-n', 'acme', '-l', 'projectdomain.io/managed=true'])).map(
          ({ metadata }) => metadata.uid,
        );
      const routes = await ingress();
      await confirmDeletion(stage.kubectl, 'account', 'acme');
      await stage.kubectl.run(['delete', 'account', 'acme', '--cascade=orphan']);
      const at = new Date(fromNow(0)).toISOString();
      await stage.kubectl.run([
        'annotate',
        '--overwrite',
        'projectdomain',
        'front',
        '-n',
        'acme',
        `projectdomain.io/verify-requested-at=${at}`,
      ]);
      await stage.domainWhere('acme', 'front', 'is served without an Account', inState('Degraded', 'AccountNotFound'));
      await stage.answers(front, 'shop-web');
      await create(ofKind('Account'), /accounts.projectdomain.io "\w+" already exists/);
      await stage.domainWhere('acme', 'front', 'is Live', inState('Live'));
      expect(await ingress()).toEqual(routes);
    },
    platformDeadlineMs,
  );
});
