import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { chartFolder, runHelm, systemNamespace, vantageChartFolder } from '../../../dev/platform/chart.ts';
import { findTools } from '../../../dev/platform/tools.ts';
import { readVantageConfig } from '../../../src/vantage/config.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';
import type { Manifest } from './rendering.ts';
import { podOf } from './rendering.ts';
import { valuesReadBy } from './template-values.ts';
import type { Values } from './values.ts';
import { isMap, leavesOf, merged, valueAt } from './values.ts';

/** The chart that runs a vantage point alone, in a cluster that has nothing else of ours. */

const folder = vantageChartFolder;
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const schema = JSON.parse(read('values.schema.json')) as Parameters<typeof leavesOf>[0];
const defaults = parse(read('values.yaml')) as Values;
const least = { tokenSecret: 'token' };

let helm = '';
let controlPlane: TestControlPlane;

beforeAll(async () => {
  ({ helm } = await findTools((line) => process.stderr.write(`${line}\n`)));
  controlPlane = await startTestControlPlane();
  const { kubectl } = controlPlane;
  const enforce = {
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/warn': 'restricted',
  };
  await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace, labels: enforce } });
  await eventually('Pods may be made', 30_000, async () =>
    expectThat((await kubectl.get('serviceaccount', 'default', systemNamespace)) !== null, 'no ServiceAccount'),
  );
}, controlPlaneDeadlineMs);

afterAll(() => controlPlane.stop(), controlPlaneDeadlineMs);

async function manifestsOf(values: Values): Promise<readonly Manifest[]> {
  const text = await runHelm(helm, ['template', 'vantage', folder, '-n', systemNamespace], values);
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}

const resources = { requests: { cpu: '75m', memory: '200Mi' }, limits: { memory: '600Mi', cpu: 1 } };
const peers = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }];

/** Every value, set to something else than its default. */
const changes: Readonly<Record<string, unknown>> = {
  tokenSecret: 'true',
  tlsSecret: '123',
  replicas: 1,
  concurrentChecks: 8,
  'dns.resolvers': ['[2606:4700:4700::1111]:53'],
  'dns.roots': ['127.0.0.1:5353'],
  'dns.permittedRanges': ['10.0.0.0/8', 'fc00::/7'],
  'service.type': 'LoadBalancer',
  'service.annotations': { 'example.net/name': 'vantage.example.net' },
  'service.sourceRanges': ['203.0.113.7/32'],
  'image.repository': 'registry.example.net:5000/platform/projectdomain',
  'image.tag': '1.20',
  'image.digest': 'sha256:'.padEnd(71, '0'),
  'image.pullPolicy': 'Always',
  imagePullSecrets: [{ name: '123' }],
  logLevel: 'debug',
  resources,
  'networkPolicy.enabled': false,
  'networkPolicy.deniedRanges': ['10.244.0.0/16', 'fd00::/8'],
  'networkPolicy.metricsFrom': peers,
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
};

const only = (path: string, value: unknown): Values =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Values;

const leaves = leavesOf(schema);
const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted();

describe('values.yaml, its schema, its README and the templates', () => {
  const paths = leaves.map(({ path }) => path);

  it('tell of the same values', () => {
    const inFile = (values: Values, above = ''): readonly string[] =>
      Object.entries(values).flatMap(([name, value]) => {
        const path = above === '' ? name : `${above}.${name}`;
        return isMap(value) && !paths.includes(path) ? inFile(value, path) : [path];
      });
    const told = [...read('README.md').matchAll(/^\| `([^`]+)` \| (.*?) \| (.*) \|$/gm)];
    expect(sorted(inFile(defaults))).toEqual(sorted(paths));
    expect(sorted(valuesReadBy(join(folder, 'templates')))).toEqual(sorted(paths));
    expect(sorted(Object.keys(changes))).toEqual(sorted(paths));
    expect(told.map(([, path = '', value, text]) => [path, value, text])).toEqual(
      leaves.map(({ path, description }) => [path, `\`${JSON.stringify(valueAt(defaults, path))}\``, description]),
    );
  });

  it.each(Object.entries(changes))('%s changes what is installed', async (path, value) => {
    const after = merged(least, only(path, value));
    expect(await manifestsOf(after)).not.toEqual(await manifestsOf(least));
  });
});

describe('what is installed', () => {
  const everything = Object.entries(changes)
    .filter(([path]) => path !== 'networkPolicy.enabled')
    .reduce<Values>((all, [path, value]) => merged(all, only(path, value)), {});

  it.each<[string, Values]>([
    ['with the least said', least],
    ['with everything changed', everything],
  ])('is taken by the API server of Kubernetes under restricted Pod security, %s', async (_, values) => {
    const list = { apiVersion: 'v1', kind: 'List', items: await manifestsOf(values) };
    const how = ['--dry-run=server', '--validate=strict', '--warnings-as-errors'];
    const said = await controlPlane.kubectl.run(['apply', ...how, '-f', '-'], JSON.stringify(list));
    expect(said.match(/\(server dry run\)/g)).toHaveLength(list.items.length);
  });

  it('has no rights and no token', async () => {
    const manifests = await manifestsOf(everything);
    expect(sorted(manifests.map(({ kind }) => kind))).toEqual([
      'ConfigMap',
      'Deployment',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
    ]);
    const pods = manifests.flatMap((manifest) => podOf(manifest) ?? []);
    expect(pods.map(({ automountServiceAccountToken }) => automountServiceAccountToken)).toEqual([false]);
    expect(JSON.stringify(pods)).not.toMatch(/serviceAccountToken"|serviceAccountName/);
  });

  it.each<[string, Values, object | null]>([
    [
      'over TLS',
      { tlsSecret: 'tls' },
      { certFile: '/etc/projectdomain/tls/tls.crt', keyFile: '/etc/projectdomain/tls/tls.key' },
    ],
    ['without', {}, null],
  ])('has a configuration that the process reads, %s', async (_, values, tls) => {
    const dir = mkdtempSync(join(tmpdir(), 'projectdomain-chart-'));
    try {
      const config = (await manifestsOf(merged(least, values))).find(({ kind }) => kind === 'ConfigMap');
      writeFileSync(join(dir, 'config.json'), config?.data?.['config.json'] ?? '');
      expect(readVantageConfig(join(dir, 'config.json'))).toMatchObject({ tls, concurrentChecks: 64 });
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

describe('helm', () => {
  it('lints the chart without a warning', async () => {
    const said = await runHelm(helm, ['lint', '--strict', folder], least);
    expect(said).not.toMatch(/\[(WARNING|ERROR)\]/);
  });

  it('is told what is missing', async () => {
    await expect(manifestsOf({})).rejects.toThrow(/Please set:\s+- tokenSecret/);
  });

  it.each<[string, unknown]>([
    ['replicas', 0],
    ['concurrentChecks', 0],
    ['service.type', 'NodePort'],
    ['tokenSecret', 'My Secret'],
    ['dns.roots', ['a.root-servers.net']],
    ['vantage', true],
  ])('refuses %s: %j', async (path, value) => {
    await expect(manifestsOf(merged(least, only(path, value)))).rejects.toThrow(/values don't meet the specifications/);
  });
});

it('has the version and the image of everything else', () => {
  const ours = JSON.parse(readFileSync(join(chartFolder, '../../package.json'), 'utf8')) as { version: string };
  const chart = parse(read('Chart.yaml')) as Readonly<Record<'version' | 'appVersion' | 'kubeVersion', string>>;
  const main = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8')) as typeof chart;
  expect([chart.version, chart.appVersion, chart.kubeVersion]).toEqual([ours.version, ours.version, main.kubeVersion]);
});
