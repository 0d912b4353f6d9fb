import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import { installGatewayKinds } from '../../../dev/platform/services.ts';
import { findTools, moduleFolder } from '../../../dev/platform/tools.ts';
import { readApiConfig } from '../../../src/api-server/config.ts';
import { readOperatorConfig } from '../../../src/operator/config.ts';
import { readRedirectorConfig } from '../../../src/redirector/config.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';
import { renderings } from './changes.ts';
import type { Container, Manifest, PodSpec } from './rendering.ts';
import { drawnPassword, nameOf, podOf, render } from './rendering.ts';
import type { Values } from './values.ts';
import { base, merged, valueAt } from './values.ts';

/** What the chart makes of every value, looked at and shown to a real API server. */

let helm = '';
let controlPlane: TestControlPlane;
const rendered = new Map<string, Promise<readonly Manifest[]>>();

function manifestsOf(values: Values): Promise<readonly Manifest[]> {
  const key = JSON.stringify(values);
  const found = rendered.get(key) ?? render(helm, values);
  rendered.set(key, found);
  return found;
}

const names = renderings.map(([name]) => name);

/** The values of a rendering by its name. */
const valuesOf = (name: string): Values => renderings.find(([other]) => other === name)?.[1] ?? {};

beforeAll(async () => {
  ({ helm } = await findTools((line) => process.stderr.write(`${line}\n`)));
  controlPlane = await startTestControlPlane();
  const { kubectl } = controlPlane;
  const levels = Object.fromEntries(
    ['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  );
  const restricted = { name: systemNamespace, labels: levels };
  await kubectl.apply(
    { apiVersion: 'v1', kind: 'Namespace', metadata: restricted },
    // The last one is the chart's own, which a dry run does not make.
    ...['cert-manager', 'edge', '123', `${systemNamespace}-token`].map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    })),
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: '123' }, value: 1 },
  );
  await kubectl.run(['apply', '--server-side', '-f', '-'], await monitoringCrds());
  await installGatewayKinds(kubectl);
  await kubectl.untilEstablished();
  await eventually('Pods may be made', 30_000, async () =>
    expectThat((await kubectl.get('serviceaccount', 'default', systemNamespace)) !== null, 'no ServiceAccount'),
  );
}, controlPlaneDeadlineMs);

afterAll(() => controlPlane.stop(), controlPlaneDeadlineMs);

async function monitoringCrds(): Promise<string> {
  const source = await moduleFolder('prometheus-operator', 'github.com/prometheus-operator/prometheus-operator');
  const folder = join(source, 'example/prometheus-operator-crd');
  const files = readdirSync(folder).filter((file) => /_(servicemonitors|prometheusrules)\.yaml$/.test(file));
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n---\n');
}

describe('the API server of Kubernetes takes', () => {
  /** Addresses of Services are of the cluster that is installed to, and this one has a range of its own. */
  const ofThisCluster = (list: string) => list.replaceAll(/"clusterIP":"[^"]+",/g, '');

  /** Rejects with a refusal or a warning. */
  const taking = (object: object) => controlPlane.kubectl.applyAs(object, { isRehearsal: true, refusesWarnings: true });

  /** What one rendering shares with another is shown once. */
  const taken = new Set<string>();

  it.each(names)('%s, and warns of nothing', async (name) => {
    const manifests = (await manifestsOf(valuesOf(name))).filter((manifest) => !taken.has(JSON.stringify(manifest)));
    for (const manifest of manifests) taken.add(JSON.stringify(manifest));
    const objects = JSON.parse(ofThisCluster(JSON.stringify(manifests))) as readonly object[];
    for (const object of objects) await taking(object);
  });

  it('nothing that Pod security forbids', async () => {
    const manifests = await manifestsOf(base);
    const pods = manifests.filter((manifest) => podOf(manifest) !== null);
    const careless = JSON.parse(
      JSON.stringify(pods).replaceAll('"runAsNonRoot":true', '"runAsNonRoot":false'),
    ) as readonly Manifest[];
    expect(careless.length).toBeGreaterThan(0);
    for (const object of careless)
      await expect(taking(object)).rejects.toThrow(
        object.kind === 'Pod' ? /Forbidden.*violates PodSecurity/ : /Warning: .*would violate PodSecurity/,
      );
  });

  it('no field that it does not know', async () => {
    const [service] = (await manifestsOf(base)).filter(({ kind }) => kind === 'Service');
    const misspelt = { ...service, spec: { ...service?.spec, selectors: {} } };
    await expect(taking(misspelt)).rejects.toThrow(/spec\.selectors/);
  });
});

describe.each(names)('%s', (name) => {
  const podsOf = (manifests: readonly Manifest[]): readonly (readonly [Manifest, PodSpec])[] =>
    manifests.flatMap((manifest) => {
      const pod = podOf(manifest);
      return pod === null ? [] : [[manifest, pod] as const];
    });

  it('names nothing twice', async () => {
    const all = (await manifestsOf(valuesOf(name))).map(nameOf);
    expect(all.filter((one, index) => all.indexOf(one) !== index)).toEqual([]);
  });

  it('is read by the processes themselves', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'projectdomain-chart-'));
    const manifests = await manifestsOf(valuesOf(name));
    const fileOf = (part: string) => {
      const config = manifests.find(
        ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === `projectdomain-${part}`,
      );
      const path = join(dir, `${part}.json`);
      writeFileSync(path, config?.data?.['config.json'] ?? '');
      return path;
    };
    try {
      const operator = readOperatorConfig(fileOf('operator'));
      const api = readApiConfig(fileOf('api'));
      readRedirectorConfig(fileOf('redirector'));
      const both = ({ platformDomain, cnameDomain, requireTxt }: typeof operator | typeof api) => ({
        platformDomain,
        cnameDomain,
        requireTxt,
      });
      expect(both(api)).toEqual(both(operator));
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('bounds and watches every container', async () => {
    const manifests = await manifestsOf(valuesOf(name));
    for (const [{ kind }, pod] of podsOf(manifests))
      for (const container of [...(pod.initContainers ?? []), ...pod.containers])
        expect({ container: container.name, lacks: lacksOf(container, kind) }).toEqual({
          container: container.name,
          lacks: [],
        });
  });

  function lacksOf(container: Container, kind: string): readonly string[] {
    const { resources, readinessProbe, livenessProbe, args } = container;
    // It has a supervisor instead, so that the API beside it stays in its Service.
    const supervised = args?.[0] === 'lib/operator/supervisor/main.js';
    const needed: Readonly<Record<string, unknown>> = {
      'requests.cpu': resources?.requests?.cpu,
      'requests.memory': resources?.requests?.memory,
      'limits.memory': resources?.limits?.memory,
      // A Pod that stands alone runs once, to its end.
      ...(kind === 'Deployment' && !supervised && { readinessProbe, livenessProbe }),
    };
    return Object.keys(needed).filter((what) => needed[what] === undefined);
  }

  it('hands out no token but by name, each to one container', async () => {
    const pods = podsOf(await manifestsOf(valuesOf(name)));
    for (const [, pod] of pods) expect(pod.automountServiceAccountToken).toBe(false);
    const standalone = valueAt(valuesOf(name), 'api.standalone') === true;
    expect(pods.flatMap(([{ metadata }, pod]) => holdersOf(metadata.name, pod)).toSorted()).toEqual([
      ...(standalone ? ['projectdomain-api in projectdomain-api/api'] : []),
      'projectdomain-operator in projectdomain-operator/operator',
      'projectdomain-redirector in projectdomain-redirector/redirector',
    ]);
  });

  /** Containers that a token of the Pod's ServiceAccount is mounted in. */
  function holdersOf(name: string, { serviceAccountName, volumes = [], containers }: PodSpec): readonly string[] {
    const tokens = volumes.filter((volume) => JSON.stringify(volume).includes('serviceAccountToken'));
    return containers
      .filter(({ volumeMounts = [] }) =>
        volumeMounts.some((mount) => tokens.some((token) => token.name === mount.name)),
      )
      .map((container) => `${serviceAccountName ?? 'default'} in ${name}/${container.name}`);
  }

  it("shows Redis' password in its Secret alone", async () => {
    const manifests = await manifestsOf(valuesOf(name));
    const password = drawnPassword(manifests);
    const drawn =
      valueAt(valuesOf(name), 'redis.included') === true && !valueAt(valuesOf(name), 'redis.passwordSecret.name');
    expect(password === null).toBe(!drawn);
    if (password === null) return;
    expect(password).toMatch(/^\w{40}$/);
    const showing = manifests.filter((manifest) => JSON.stringify(manifest).includes(password));
    expect(showing.map(nameOf)).toEqual([`Secret ${systemNamespace}/projectdomain-redis`]);
  });

  it('keeps its definitions and makes no object of theirs, nor the key of all targets', async () => {
    const manifests = await manifestsOf(valuesOf(name));
    const definitions = manifests.filter(({ kind }) => kind === 'CustomResourceDefinition');
    expect(definitions).toHaveLength(valueAt(valuesOf(name), 'crds.install') === false ? 0 : 8);
    for (const { metadata } of definitions) expect(metadata.annotations?.['helm.sh/resource-policy']).toBe('keep');
    expect(manifests.filter(({ apiVersion }) => apiVersion.startsWith('projectdomain.io/'))).toEqual([]);
    expect(manifests.map(nameOf)).not.toContain(`Secret ${systemNamespace}/projectdomain-hmac`);
  });

  it('selects as every other rendering does, so that it can follow on any of them', async () => {
    const selectors = await selectorsOf(valuesOf(name));
    const usual = { ...(await selectorsOf(base)), ...(await selectorsOf(withEverything)) };
    expect(Object.entries(selectors)).not.toHaveLength(0);
    for (const [deployment, selector] of Object.entries(selectors)) expect(selector).toEqual(usual[deployment]);
  });
});

const withEverything = merged(base, {
  redis: { url: '', included: true },
  api: { standalone: true },
  validatingResolvers: { enabled: true, image: 'unbound', clusterIPs: ['10.96.0.201', '10.96.0.202'] },
});

async function selectorsOf(values: Values): Promise<Readonly<Record<string, unknown>>> {
  const deployments = (await manifestsOf(values)).filter(({ kind }) => kind === 'Deployment');
  return Object.fromEntries(deployments.map((manifest) => [nameOf(manifest), manifest.spec?.selector]));
}

describe('selectors', () => {
  it('hold nothing that an upgrade changes', async () => {
    const selectors = Object.entries(await selectorsOf(withEverything));
    expect(selectors.map(([, selector]) => selector)).toEqual(
      ['api', 'operator', 'redirector', 'redis', 'resolver-1', 'resolver-2'].map((component) => ({
        matchLabels: {
          'app.kubernetes.io/name': 'projectdomain',
          'app.kubernetes.io/instance': 'projectdomain',
          'app.kubernetes.io/component': component,
        },
      })),
    );
  });
});

describe('at uninstall', () => {
  const kept = async (values: Values) =>
    (await manifestsOf(values))
      .filter(
        ({ kind, metadata }) =>
          kind !== 'CustomResourceDefinition' && metadata.annotations?.['helm.sh/resource-policy'],
      )
      .map(nameOf)
      .toSorted();

  it('nothing but definitions is kept when nothing is said', async () => {
    expect(await kept(base)).toEqual([]);
  });

  it('all that the redirector needs is kept when it is said', async () => {
    const own = [
      ...['ConfigMap', 'Deployment', 'NetworkPolicy', 'PodDisruptionBudget'],
      ...['Role', 'RoleBinding', 'Service', 'ServiceAccount'],
    ];
    expect(await kept(merged(base, { uninstall: { keepRoutes: true } }))).toEqual(
      [
        ...own.map((kind) => `${kind} ${systemNamespace}/projectdomain-redirector`),
        'ClusterRole projectdomain-redirector',
        'ClusterRoleBinding projectdomain-redirector',
      ].toSorted(),
    );
  });
});
