import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Authority } from '../../../dev/dns/authority.ts';
import { startAuthority } from '../../../dev/dns/authority.ts';
import type { Corner } from '../../../dev/platform/address.ts';
import { takeCorner } from '../../../dev/platform/address.ts';
import type { SharedControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, sharedControlPlane } from '../../support/control-plane.ts';
import { operatorConfig } from '../../support/process-configs.ts';
import type { Ran } from './command-line.ts';
import { run } from './command-line.ts';

/** The doctor for a domain in the cluster: what it takes from where, as a process against real servers. */

const apiVersion = 'projectdomain.io/v1alpha1';
const namespace = 'checks';
const system = 'platform-system';
const target = 'p-mine.cname.apps.example.net';
const txt = 'projectdomain-verify=right';

let controlPlane: SharedControlPlane;
let corner: Corner;
let dns: Authority;
let administrator: string;
let tenant: string;

beforeAll(async () => {
  corner = await takeCorner();
  dns = await startAuthority({ ...corner, port: 53 });
  dns.putZone('apps.example.net', `*.cname A ${corner.address}`);
  dns.putZone('example.com', [`www CNAME ${target}.`, 'shop CNAME shop.apps.example.net.'].join('\n'));
  controlPlane = await sharedControlPlane();
  administrator = controlPlane.kubeconfigFor({ commonName: 'cli', organizations: ['system:masters'] });
  tenant = controlPlane.kubeconfigFor({ commonName: 'tenant', organizations: [] });
  for (const name of [namespace, system]) await controlPlane.kubectl.run(['create', 'namespace', name]);
  const ours = '--resource=projectdomains.projectdomain.io,projects.projectdomain.io';
  await controlPlane.kubectl.run(['create', 'role', 'reader', '--verb=get,list', ours, '-n', namespace]);
  await controlPlane.kubectl.run([
    'create',
    'rolebinding',
    'tenant',
    '--role=reader',
    '--user=tenant',
    '-n',
    namespace,
  ]);
  const place = { roots: [`${corner.address}:53`], resolvers: [], permittedRanges: ['127.0.0.0/8'] };
  const config = { ...operatorConfig, ...place, caDomains: ['ca.test'] };
  await controlPlane.kubectl.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'projectdomain-operator', namespace: system },
    data: { 'config.json': JSON.stringify(config) },
  });
  await domain('www', [routing], 'Verified');
  await domain('contested', [routing, ownership], 'HeldElsewhere', 'www.example.com');
  await domain('shop', [routing], 'WrongTarget');
  await domain('fresh', [], 'Waiting');
}, controlPlaneDeadlineMs);

afterAll(async () => {
  await controlPlane.stop();
  await dns.stop();
  corner.release();
}, controlPlaneDeadlineMs);

const shown = { name: 'x', fqdn: 'x', ttl: 3_600 } as const;
const routing = { ...shown, purpose: 'Routing', type: 'CNAME', value: target };
const ownership = { ...shown, purpose: 'Ownership', type: 'TXT', value: txt };

async function domain(name: string, records: readonly object[], reason: string, hostname = `${name}.example.com`) {
  const object = { apiVersion, kind: 'ProjectDomain', metadata: { name, namespace } };
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const condition = { type: 'OwnershipVerified', status: 'False', reason, message: reason, lastTransitionTime };
  await controlPlane.kubectl.apply({ ...object, spec: { project: 'shop', hostname } });
  await controlPlane.kubectl.run(
    ['apply', '--server-side', '--subresource=status', '--field-manager=operator', '-f', '-'],
    JSON.stringify({ ...object, status: { records, conditions: [condition] } }),
  );
}

const check = (kubeconfig: string, name: string, ...more: readonly string[]): Promise<Ran> =>
  run(['check', name, '-n', namespace, '--kubeconfig', kubeconfig, '--system-namespace', system, ...more]);

const reportOf = async (name: string) => {
  const { status, out, err } = await check(administrator, name, '--json');
  expect(err).toBe('');
  return { status, report: JSON.parse(out) as Record<'routing' | 'ownership' | 'caa', { readonly code: string }> };
};

describe('a domain in the cluster is checked', () => {
  it('by the hostname, with target and settings of the operator', async () => {
    const { status, report } = await reportOf('www');
    expect(report).toMatchObject({
      hostname: 'www.example.com',
      routing: { code: 'Verified' },
      ownership: { code: 'Verified' },
      caa: { code: 'Verified' },
      notes: [expect.stringContaining('the ACME account of ClusterIssuer letsencrypt is unknown') as unknown],
    });
    expect(status).toBe(0);
  });

  it('as contested while its status says so', async () => {
    const { status, report } = await reportOf('contested');
    expect([status, report.routing.code, report.ownership.code]).toEqual([1, 'Verified', 'TxtMissing']);
  });

  it('with the platform’s own domain, which no command line gave', async () => {
    expect((await reportOf('shop')).report.routing.code).toBe('WrongTarget');
  });
});

describe('what is missing is said', () => {
  it('a target', async () => {
    const { status, err } = await check(administrator, 'fresh');
    expect([status, err]).toEqual([1, expect.stringContaining('project shop of fresh.example.com has no target yet')]);
  });

  it('the operator’s configuration', async () => {
    const { status, err } = await check(administrator, 'www', '--system-namespace', 'default');
    expect([status, err]).toEqual([1, expect.stringContaining('no ConfigMap projectdomain-operator')]);
  });

  it('the right to read it', async () => {
    const { status, err } = await check(tenant, 'www');
    expect([status, err]).toEqual([1, expect.stringContaining("tenant lacks the right 'get' on configmaps")]);
  });
});
