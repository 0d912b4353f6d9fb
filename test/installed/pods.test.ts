import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import type { Installed } from '../support/installed.ts';
import { installedDeadlineMs, startInstalled, systemNamespace } from '../support/installed.ts';

/** Our Pods as a kubelet runs them: who they are, what they may, and that they need nothing they were not given. */

let installed: Installed;
const minutes = 60_000;
/** For kubectl: a Pod that ends goes on until edges have left it, and its successors start meanwhile. */
const within = '--timeout=330s';

const kubectl = (...args: readonly string[]) => installed.cluster.kubectl.run(args);
const ours = (...args: readonly string[]) => kubectl('-n', systemNamespace, ...args);

type Container = readonly [deployment: string, container: string];
const operator: Container = ['projectdomain-operator', 'operator'];
const api: Container = ['projectdomain-operator', 'api'];
const redirector: Container = ['projectdomain-redirector', 'redirector'];

/** Runs JavaScript in a container; there is nothing else to run in it. */
const inside = ([deployment, container]: Container, script: string) =>
  ours('exec', `deployment/${deployment}`, '-c', container, '--', 'node', '-e', script).then((text) => text.trim());

beforeAll(async () => {
  installed = await startInstalled();
}, installedDeadlineMs);

afterAll(() => installed.stop(), installedDeadlineMs);

const identityFile = '/var/run/secrets/kubernetes.io/serviceaccount/token';
const subject = `console.log(JSON.parse(Buffer.from(fs.readFileSync('${identityFile}', 'utf8').split('.')[1], 'base64url')).sub)`;

describe('identity', () => {
  it.each([
    ['operator', operator],
    ['api', api],
    ['redirector', redirector],
  ] as const)('the %s speaks as itself', async (name, container) => {
    expect(await inside(container, subject)).toBe(`system:serviceaccount:${systemNamespace}:projectdomain-${name}`);
  });

  it("the API server's container holds no token but its own, for two days", async () => {
    const script = `
      const tokens = fs.readdirSync('/var/run', { recursive: true }).filter((file) => /(^|\\/)token$/.test(file));
      const { exp, iat } = JSON.parse(Buffer.from(fs.readFileSync('${identityFile}', 'utf8').split('.')[1], 'base64url'));
      console.log(JSON.stringify({ tokens, lifetime: exp - iat }));`;
    const seen = JSON.parse(await inside(api, script)) as { tokens: string[]; lifetime: number };
    expect(seen.tokens).toEqual(['secrets/kubernetes.io/serviceaccount/token']);
    expect(seen.lifetime).toBe(48 * 3_600);
  });
});

describe('confinement', () => {
  it.each([
    ['operator', operator],
    ['api', api],
    ['redirector', redirector],
  ] as const)('the %s has no capability, no new privileges and writes nowhere', async (_, container) => {
    const script = `
      const status = fs.readFileSync('/proc/self/status', 'utf8');
      const field = (name) => status.match(new RegExp(name + ':\\\\s*(\\\\S+)'))[1];
      const write = (path) => { try { fs.writeFileSync(path, ''); return 'written'; } catch (error) { return error.code; } };
      console.log(JSON.stringify({
        uid: process.getuid(), capabilities: Number('0x' + field('CapEff')) + Number('0x' + field('CapBnd')),
        noNewPrivileges: field('NoNewPrivs'), seccomp: field('Seccomp'), root: write('/app/x'), tmp: write('/tmp/x'),
      }));`;
    expect(JSON.parse(await inside(container, script))).toEqual({
      uid: 65_532,
      capabilities: 0,
      noNewPrivileges: '1',
      seccomp: '2',
      root: 'EROFS',
      tmp: 'EROFS',
    });
  });

  it(
    'all Pods are let in where the restricted Pod security standard is enforced',
    async () => {
      await kubectl('label', 'namespace', systemNamespace, 'pod-security.kubernetes.io/enforce=restricted');
      await ours('delete', 'pods', '--all', within);
      for (const name of ['operator', 'redirector', 'redis'])
        await ours('rollout', 'status', `deployment/projectdomain-${name}`, within);
    },
    4 * minutes,
  );

  it(
    'every part runs as a user that the image has never heard of',
    async () => {
      const patch = JSON.stringify({ spec: { template: { spec: { securityContext: { runAsUser: 1_000_770_000 } } } } });
      for (const deployment of ['projectdomain-operator', 'projectdomain-redirector']) {
        await ours('patch', 'deployment', deployment, '-p', patch);
        await ours('rollout', 'status', `deployment/${deployment}`, within);
      }
      for (const container of [operator, api, redirector])
        await eventually('the new Pod is the one that is asked', minutes, async () => {
          expectThat(
            (await inside(container, 'console.log(process.getuid())')) === '1000770000',
            'the old one answers',
          );
        });
    },
    5 * minutes,
  );
});

describe('the start', () => {
  it('is written down by every part, from its first instruction to ready', async () => {
    for (const [deployment, container] of [operator, api, redirector]) {
      const log = await ours('logs', `deployment/${deployment}`, '-c', container);
      const ms = Number(/"startedInMs":(\d+)/.exec(log)?.[1]);
      process.stderr.write(`${container} was ready ${ms} ms after its start\n`);
      expect(ms).toBeGreaterThan(0);
    }
  });
});

describe('a tenant with the edit role in its namespace', () => {
  const tenant = ['--as', 'tenant', '--as-group', 'system:authenticated', '-n', 'demo'];
  const attempt = (object: object) =>
    installed.cluster.kubectl.run(['create', ...tenant, '-f', '-'], JSON.stringify(object)).then(
      () => 'allowed',
      (error: unknown) => String(error),
    );
  const named = (apiVersion: string, kind: string, rest: object) => ({
    apiVersion,
    kind,
    metadata: { name: 'mine' },
    ...rest,
  });

  beforeAll(async () => {
    await kubectl('create', 'rolebinding', 'tenant', '--clusterrole=edit', '--user=tenant', '-n', 'demo');
    // As cert-manager's own chart does.
    await installed.cluster.kubectl.apply({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'cert-manager-edit', labels: { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' } },
      rules: [
        { apiGroups: ['cert-manager.io'], resources: ['certificates'], verbs: ['create', 'update', 'patch', 'delete'] },
      ],
    });
    await eventually('the role has been taken in', minutes, async () => {
      const said = await attempt(
        named('projectdomain.io/v1alpha1', 'Project', { spec: { service: { name: 'web', port: 80 } } }),
      );
      expectThat(said === 'allowed', said);
    });
  }, 2 * minutes);

  it.each<[string, object, RegExp]>([
    [
      "an Ingress for another's hostname",
      named('networking.k8s.io/v1', 'Ingress', {
        spec: {
          rules: [
            {
              host: 'www.example.com',
              http: {
                paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
              },
            },
          ],
        },
      }),
      /declare a ProjectDomain/,
    ],
    [
      'a Certificate',
      named('cert-manager.io/v1', 'Certificate', {
        spec: {
          secretName: 'mine',
          dnsNames: ['www.example.com'],
          issuerRef: { name: 'pebble', kind: 'ClusterIssuer' },
        },
      }),
      /declare a ProjectDomain/,
    ],
    [
      'an EndpointSlice',
      named('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }] }),
      /forbidden/i,
    ],
    [
      'an ExternalName Service',
      named('v1', 'Service', { spec: { type: 'ExternalName', externalName: 'elsewhere.example' } }),
      /would lead a hostname out of the account/,
    ],
    [
      "another account's ApiKey",
      named('projectdomain.io/v1alpha1', 'ApiKey', { spec: { account: 'acme', scopes: ['domains:read'] } }),
      /forbidden/i,
    ],
  ])('is refused %s', async (_, object, message) => {
    expect(await attempt(object)).toMatch(message);
  });

  it('is refused a status, and allowed what it is there for', async () => {
    const domain = { spec: { project: 'mine', hostname: 'www.tenant.example' } };
    expect(await attempt(named('projectdomain.io/v1alpha1', 'ProjectDomain', domain))).toBe('allowed');
    const status = installed.cluster.kubectl.run([
      'patch',
      'projectdomain',
      'mine',
      ...tenant,
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"status":{"state":"Live"}}',
    ]);
    await expect(status).rejects.toThrow(/projectdomains\/status|forbidden/i);
  });
});
