import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { Kubectl } from '../../../dev/platform/kubectl.ts';
import type { Part } from '../../../dev/platform/process.ts';
import { startPart } from '../../../dev/platform/process.ts';
import { installCertManagerKinds } from '../../../dev/platform/services.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { Ingress } from '../../../src/resources/kubernetes-types.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';
import { shippedConfig } from '../../support/shipped-config.ts';
import * as made from '../../support/tenant-objects.ts';
import { fromNow } from '../../support/from-now.ts';

/**
 * Whoever may write finalizers keeps objects that were deleted, to be served on (kubernetes#77081), and a policy engine sets labels that others own (kyverno#1519).
 * A real kube-apiserver, its garbage collector and a MutatingAdmissionPolicy; the operator finds four Live hostnames as an earlier version left them.
 */

const apiVersion = 'projectdomain.io/v1alpha1';
const keeper = 'example.com/keeps';
const soon = 60_000;
const accountId = '6b1f2f0e-0000-4000-8000-000000000001';
let controlPlane: TestControlPlane;
let kubectl: Kubectl;
let dir: string;
let operator: Part | undefined;

const hostnameOf = (name: string) => `${name}.outlive.example`;
const conditions = ['Accepted', 'OwnershipVerified', 'DNSVerified', 'CertificateIssued', 'Routed', 'Ready'].map(
  (type) => ({
    type,
    status: 'True',
    reason: type === 'Ready' ? 'Routed' : type,
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: 1,
  }),
);

const uidOf = async (kind: string, name: string, namespace?: string): Promise<string> => {
  const found = await kubectl.get<{ metadata: { uid: string } }>(kind, name, namespace);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found.metadata.uid;
};
const patch = (kind: string, name: string, change: object, ...more: readonly string[]) =>
  kubectl.run(['patch', kind, name, '--type=merge', '-p', JSON.stringify(change), ...more]);

/** A project with a Live domain, as an operator left them that knew its children by one label. */
async function layLive(name: string, account: string): Promise<void> {
  const hostname = hostnameOf(name);
  const subject = made.projectDomain(hostname, name, account);
  await kubectl.apply(made.project(name, account), { ...subject, spec: { ...subject.spec, project: name } });
  await patch(
    'project',
    name,
    { status: { deployedAt: '2026-01-01T00:00:00Z' } },
    '-n',
    account,
    '--subresource=status',
  );
  const owner = {
    apiVersion,
    kind: 'ProjectDomain',
    name,
    uid: await uidOf('projectdomain', name, account),
    controller: true,
  };
  const metadata = {
    name: childName(hostname),
    namespace: account,
    labels: { 'app.kubernetes.io/managed-by': 'projectdomain' },
    annotations: { 'projectdomain.io/hostname': hostname },
    ownerReferences: [owner],
  };
  const ingress = made.ingress(hostname, metadata.name, account);
  const certificate = {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata,
    spec: {
      secretName: metadata.name,
      dnsNames: [hostname],
      issuerRef: { name: 'letsencrypt', kind: 'ClusterIssuer' },
    },
  };
  const claim = {
    apiVersion,
    kind: 'HostnameClaim',
    metadata: { name: hostname },
    spec: {
      account: account === 'acme' ? accountId : accountId.replace(/1$/, '2'),
      holder: { namespace: account, name },
      phase: 'Held',
      epoch: 1,
      proof: { method: 'CNAME', at: new Date(fromNow(0)).toISOString().replace(/\.\d+Z$/, 'Z') },
    },
  };
  await kubectl.apply({ ...ingress, metadata }, certificate, claim);
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'Ready',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  const issued = {
    status: { conditions: [ready], notAfter: '2099-01-01T00:00:00Z', notBefore: '2026-01-01T00:00:00Z' },
  };
  await patch('certificate', metadata.name, issued, '-n', account, '--subresource=status');
  await patch('projectdomain', name, { status: { state: 'Live', conditions } }, '-n', account, '--subresource=status');
}

const domain = async (name: string, account = 'acme') => kubectl.get<ProjectDomain>('projectdomain', name, account);
const route = async (name: string, account = 'acme') =>
  kubectl.get<Ingress & { readonly metadata: { readonly uid: string } }>(
    'ingress',
    childName(hostnameOf(name)),
    account,
  );
const phaseOf = async (name: string) =>
  (await kubectl.get<HostnameClaim>('hostnameclaim', hostnameOf(name)))?.spec.phase ?? 'none';
const backendsOf = (ingress: Ingress | null): readonly (string | undefined)[] =>
  (ingress?.spec?.rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend.service?.name));

/** Verify makes the operator look at the domain anew; resolves once it has said what it saw. */
async function looked(name: string): Promise<ProjectDomain> {
  const at = new Date(fromNow(0)).toISOString();
  await kubectl.run([
    'annotate',
    '--overwrite',
    'projectdomain',
    name,
    '-n',
    'acme',
    `projectdomain.io/verify-requested-at=${at}`,
  ]);
  return eventually(`${name} is looked at`, soon, async () => {
    const seen = await domain(name);
    expectThat(seen?.status?.check?.verifySeen === at, JSON.stringify(seen?.status));
    return seen;
  });
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-outlive-'));
  controlPlane = await startTestControlPlane();
  ({ kubectl } = controlPlane);
  await controlPlane.installRights({});
  await installCertManagerKinds(kubectl);
  for (const [index, name] of ['acme', 'brief'].entries()) {
    const account = made.account(name);
    await kubectl.apply(
      { ...account, spec: { ...account.spec, id: accountId.replace(/1$/, String(index + 1)) } },
      made.namespace(name, name),
      ...made.ourRights(name),
    );
  }
  for (const name of ['labelled', 'kept', 'armed', 'shop']) await layLive(name, 'acme');
  await layLive('tenant', 'brief');
  await kubectl.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'projectdomain-hmac', namespace: systemNamespace },
    data: { key: Buffer.alloc(32, 1).toString('base64') },
  });
  const config = {
    ...(await shippedConfig()),
    kubeconfig: await controlPlane.kubeconfigOf('projectdomain-operator'),
    resolvers: ['127.0.0.1:1'],
    certManager: null,
    sidecar: null,
    metricsAddress: '127.0.0.1:19417',
  };
  writeFileSync(join(dir, 'operator.json'), JSON.stringify(config));
  const entry = join(import.meta.dirname, '../../../src/operator/main.ts');
  const args = ['--disable-warning=ExperimentalWarning', entry, '--config', join(dir, 'operator.json')];
  operator = await startPart({ name: 'operator', program: process.execPath, args, dir });
}, 2 * controlPlaneDeadlineMs);

afterAll(async () => {
  await operator?.stop();
  await controlPlane.stop();
  rmSync(dir, { recursive: true, force: true });
}, controlPlaneDeadlineMs);

describe("a policy that sets everybody's labels", () => {
  it(
    'takes no Live hostname down, and its route is the one that was there',
    async () => {
      const before = await route('labelled');
      await eventually('the operator has taken it over', soon, async () => {
        const seen = await domain('labelled');
        expectThat((seen?.status?.records ?? []).length > 0, JSON.stringify(seen?.status));
      });
      const group = 'admissionregistration.k8s.io';
      const metadata = { name: 'everything-is-ours' };
      await kubectl.apply(
        {
          apiVersion: `${group}/v1`,
          kind: 'MutatingAdmissionPolicy',
          metadata,
          spec: {
            failurePolicy: 'Fail',
            reinvocationPolicy: 'Never',
            matchConstraints: {
              resourceRules: [
                {
                  apiGroups: ['networking.k8s.io'],
                  apiVersions: ['v1'],
                  resources: ['ingresses'],
                  operations: ['CREATE', 'UPDATE'],
                },
              ],
            },
            mutations: [
              {
                patchType: 'ApplyConfiguration',
                applyConfiguration: {
                  expression:
                    'Object{metadata: Object.metadata{labels: {"app.kubernetes.io/managed-by": "policies", "projectdomain.io/managed": "no"}}}',
                },
              },
            ],
          },
        },
        {
          apiVersion: `${group}/v1`,
          kind: 'MutatingAdmissionPolicyBinding',
          metadata,
          spec: { policyName: metadata.name },
        },
      );
      let touches = 0;
      await eventually('the policy sets the labels', soon, async () => {
        touches += 1;
        await kubectl.run([
          'annotate',
          '--overwrite',
          'ingress',
          childName(hostnameOf('labelled')),
          '-n',
          'acme',
          `touched=${touches}`,
        ]);
        const labels = (await route('labelled'))?.metadata.labels;
        expectThat(labels?.['app.kubernetes.io/managed-by'] === 'policies', JSON.stringify(labels));
      });
      expect((await looked('labelled')).status?.state).toBe('Live');
      expect((await route('labelled'))?.metadata.uid).toBe(before?.metadata.uid);
      await kubectl.run(['delete', 'mutatingadmissionpolicybinding,mutatingadmissionpolicy', metadata.name]);
    },
    3 * soon,
  );
});

describe("somebody's finalizer", () => {
  const keep = (kind: string, name: string, ...where: readonly string[]) =>
    patch(kind, name, { metadata: { finalizers: [keeper] } }, ...where);
  const remove = (kind: string, name: string, ...where: readonly string[]) =>
    kubectl.run(['delete', kind, name, '--wait=false', ...where]);
  const isServedNoMore = (name: string, account?: string) =>
    eventually(`${name} is served no more`, soon, async () => {
      const left = await route(name, account);
      expectThat(left === null, JSON.stringify(left));
    });

  it(
    'on a domain keeps the object, and neither its route nor its hostname',
    async () => {
      await keep('projectdomain', 'kept', '-n', 'acme');
      await remove('projectdomain', 'kept', '-n', 'acme');
      await isServedNoMore('kept');
      await eventually('the hostname is given up', soon, async () => {
        const phase = await phaseOf('kept');
        expectThat(phase === 'Tombstone', phase);
      });
      expect((await domain('kept'))?.metadata.deletionTimestamp).toBeDefined();
    },
    3 * soon,
  );

  it(
    'on an Ingress keeps it, and it leads to the redirector; the hostname is held until it is gone',
    async () => {
      const name = childName(hostnameOf('armed'));
      await keep('ingress', name, '-n', 'acme');
      await remove('projectdomain', 'armed', '-n', 'acme');
      await eventually('it leads to the redirector', soon, async () => {
        const left = await route('armed');
        expectThat(JSON.stringify(backendsOf(left)) === '["projectdomain-redirect"]', JSON.stringify(left));
      });
      expect(await phaseOf('armed')).toBe('Held');
      await patch('ingress', name, { metadata: { finalizers: null } }, '-n', 'acme');
      await eventually('the hostname is given up', soon, async () => {
        const phase = await phaseOf('armed');
        expectThat(phase === 'Tombstone', phase);
      });
      expect(await route('armed')).toBeNull();
    },
    3 * soon,
  );

  it(
    'on a project keeps the object, and none of its hostnames',
    async () => {
      await eventually('the domain is its own', soon, async () => {
        const seen = await domain('shop');
        expectThat(
          JSON.stringify(seen?.metadata.ownerReferences ?? []).includes('"Project"'),
          JSON.stringify(seen?.metadata),
        );
      });
      await keep('project', 'shop', '-n', 'acme');
      await remove('project', 'shop', '-n', 'acme');
      await isServedNoMore('shop');
      await eventually('it says why', soon, async () => {
        const status = JSON.stringify((await domain('shop'))?.status);
        expectThat(status.includes('project shop is being deleted'), status);
      });
      expect(await phaseOf('shop')).toBe('Held');
    },
    3 * soon,
  );

  it(
    'on an account keeps the object, and none of its hostnames',
    async () => {
      await eventually('its project is its own', soon, async () => {
        const seen = await kubectl.get<ProjectDomain>('project', 'tenant', 'brief');
        expectThat(
          JSON.stringify(seen?.metadata.ownerReferences ?? []).includes('"Account"'),
          JSON.stringify(seen?.metadata),
        );
      });
      await keep('account', 'brief');
      await kubectl.run(['annotate', 'account', 'brief', 'projectdomain.io/confirm-deletion=brief']);
      await remove('account', 'brief');
      await isServedNoMore('tenant', 'brief');
      expect((await kubectl.get<ProjectDomain>('account', 'brief'))?.metadata.deletionTimestamp).toBeDefined();
    },
    3 * soon,
  );
});
