import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { renderChart, runHelm, systemNamespace } from '../../../dev/platform/chart.ts';
import { installCertManagerKinds } from '../../../dev/platform/services.ts';
import { findTools, moduleFolder } from '../../../dev/platform/tools.ts';
import { issuerGuardFinding } from '../../../src/controllers/account/issuer-guard.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';

/** What config/ gives to administrators is taken by the real API server, and its files agree with each other. */

const root = join(import.meta.dirname, '../../..');
const textOf = (path: string): string => readFileSync(join(root, 'config', path), 'utf8');
const valuesOf = (path: string): object => parse(textOf(path)) as object;

/** This API server's Services have other addresses than kind's. */
const withoutAddress = (manifests: string): string => manifests.replaceAll(/^ +clusterIP: .*\n/gm, '');

let controlPlane: TestControlPlane;
let helm: string;
let certManagerChart: string;

const applyStrictly = (manifests: string, ...more: readonly string[]): Promise<string> =>
  controlPlane.kubectl.run(['apply', '--validate=strict', '-f', '-', ...more], manifests);
const tryStrictly = (manifests: string): Promise<string> => applyStrictly(manifests, '--dry-run=server');

beforeAll(async () => {
  controlPlane = await startTestControlPlane();
  ({ helm } = await findTools(() => undefined));
  const { kubectl } = controlPlane;
  await kubectl.run(['apply', '--server-side', '-f', join(root, 'crds/acme-issuer.yaml')]);
  await installCertManagerKinds(kubectl);
  const certManager = await moduleFolder('cert-manager', 'github.com/cert-manager/cert-manager');
  certManagerChart = join(certManager, 'deploy/charts/cert-manager');
  for (const namespace of [systemNamespace, 'acme']) await kubectl.run(['create', 'namespace', namespace]);
  await eventually('Pods can be made', 30_000, async () =>
    expectThat(
      (await kubectl.get('serviceaccount', 'default', systemNamespace)) !== null,
      'there is no ServiceAccount yet',
    ),
  );
}, controlPlaneDeadlineMs);

afterAll(() => controlPlane.stop(), controlPlaneDeadlineMs);

describe('issuers', () => {
  const files = [
    'issuers/acme-issuer-staging.yaml',
    'issuers/acme-issuer-production.yaml',
    'issuers/letsencrypt-staging.yaml',
    'issuers/letsencrypt-production.yaml',
    'kind/issuer.yaml',
  ];

  it.each(files)('%s is taken as it is', async (file) => {
    expect(await tryStrictly(textOf(file))).toContain('created');
  });

  it('may have the annotation that Traefik needs beside its redirect (docs/ingress-controllers.md)', async () => {
    const template = '            ingressTemplate:\n              metadata:\n                annotations:\n';
    const annotation = '                  traefik.ingress.kubernetes.io/router.entrypoints: web\n';
    expect(readFileSync(join(root, 'docs/ingress-controllers.md'), 'utf8')).toContain(annotation.trim());
    const annotated = textOf('issuers/letsencrypt-staging.yaml').trimEnd() + `\n${template}${annotation}`;
    expect(await tryStrictly(annotated)).toContain('created');
  });

  it('with a field that cert-manager does not know is refused', async () => {
    const misspelt = textOf('issuers/letsencrypt-staging.yaml').replace('ingressClassName:', 'ingressClassNames:');
    await expect(tryStrictly(misspelt)).rejects.toThrow('unknown field "spec.acme.solvers[0].http01.ingress');
  });
});

describe('the laptop', () => {
  it.each(['kind/dns.yaml', 'kind/pebble.yaml', 'kind/shop.yaml'])('runs %s as it is', async (file) => {
    expect(await applyStrictly(withoutAddress(textOf(file)))).toMatch(/^service\/\S+ created$/m);
  });

  it('takes our chart with its values', async () => {
    const taken = await tryStrictly(await renderChart(helm, valuesOf('kind/values.yaml')));
    for (const name of ['projectdomain-operator', 'projectdomain-redirector', 'projectdomain-redis'])
      expect(taken).toContain(`deployment.apps/${name} created`);
    expect(taken).toContain('ingress.networking.k8s.io/projectdomain-api created');
  });

  const dns = '10.96.0.53';
  const ingress = '10.96.0.80';

  it.each([
    ['the Service of its DNS', 'kind/dns.yaml', `clusterIP: ${dns}`],
    ['the name server of its zones', 'kind/zones/root', `ns.laptop. A ${dns}`],
    ['where walks begin', 'kind/values.yaml', `roots: ['${dns}:53']`],
    ['what is asked when the zone is silent', 'kind/values.yaml', `resolvers: ['${dns}:53']`],
    ["cert-manager's look at challenges", 'kind/cert-manager.yaml', `nameservers=${dns}:53`],
    ["the authority's look at challenges", 'kind/pebble.yaml', `'${dns}:53'`],
    ['the Service of Traefik', 'kind/traefik.yaml', `clusterIP: ${ingress}`],
    ['the Service of ingress-nginx', 'kind/ingress-nginx.yaml', `clusterIP: ${ingress}`],
    ["the platform's hostnames", 'kind/zones/apps.example.net', `* A ${ingress}`],
    ["the customers' targets", 'kind/zones/apps.example.net', `*.cname A ${ingress}`],
    ['what the operator looks at', 'kind/values.yaml', `platformAddresses: [${ingress}]`],
    ["the cluster's addresses", 'kind/cluster.yaml', 'serviceSubnet: 10.96.0.0/16'],
    ['addresses that may be asked', 'kind/values.yaml', 'permittedRanges: [10.96.0.0/16]'],
    ["the authority's name in CAA", 'kind/pebble.yaml', '"caaIdentities": ["pebble.laptop"]'],
    ["the operator's word for it", 'kind/values.yaml', 'caDomains: [pebble.laptop]'],
  ])('has one set of addresses and names: %s', (_, file, expected) => {
    expect(textOf(file)).toContain(expected);
  });

  it('has ports 80 and 443 of this machine alone', () => {
    const { nodes } = valuesOf('kind/cluster.yaml') as { nodes: readonly { extraPortMappings: readonly object[] }[] };
    const mapping = (port: number) => ({ containerPort: port, hostPort: port, listenAddress: '127.0.0.1' });
    expect(nodes.flatMap(({ extraPortMappings }) => extraPortMappings)).toEqual([mapping(80), mapping(443)]);
  });
});

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly args?: readonly string[] }[] } };
  };
}

const issuer = { kind: 'ClusterIssuer', name: 'pebble' } as const;

/** May cert-manager's own ServiceAccount approve requests of this signer? The real authorizer is asked. */
async function mayApprove(signer: string): Promise<boolean> {
  const resourceAttributes = { group: 'cert-manager.io', resource: 'signers', verb: 'approve', name: signer };
  const asked = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user: 'system:serviceaccount:cert-manager:cert-manager', resourceAttributes },
  };
  const args = ['create', '-f', '-', '-o', 'jsonpath={.status.allowed}'];
  return (await controlPlane.kubectl.run(args, JSON.stringify(asked))) === 'true';
}

/** Names that let cert-manager approve our requests: the issuer's own, and the one with a star that it takes for all. */
const ours = ['clusterissuers.cert-manager.io/pebble', 'clusterissuers.cert-manager.io/*'];
const others = 'issuers.cert-manager.io/*';

/** What cert-manager's own chart makes of the values: the controller's command line, and its right to approve. */
async function setupOf(values: object) {
  const shown = ['rbac.yaml', 'deployment.yaml'].flatMap((file) => ['--show-only', `templates/${file}`]);
  const text = await runHelm(
    helm,
    ['template', 'cert-manager', certManagerChart, '-n', 'cert-manager', ...shown],
    values,
  );
  const objects = parseAllDocuments(text).flatMap((document) => (document.toJS() as Rendered | null) ?? []);
  const rights = objects.filter(({ metadata }) => metadata.name.includes('controller-approve'));
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: rights });
  const expectOthers = (expected: boolean) =>
    eventually(`approving others is ${expected ? 'allowed' : 'refused'}`, 10_000, async () =>
      expectThat((await mayApprove(others)) === expected, 'the authorizer has not heard of it'),
    );
  if (rights.length > 0) await applyStrictly(list);
  await expectOthers(rights.length > 0);
  const answers = await Promise.all(ours.map(mayApprove));
  if (rights.length > 0) await controlPlane.kubectl.run(['delete', '-f', '-'], list);
  await expectOthers(false);
  const args = objects.find(({ kind }) => kind === 'Deployment')?.spec?.template.spec.containers[0]?.args ?? [];
  return { args, mayApprove: answers.includes(true) };
}

describe('cert-manager', () => {
  it.each<[string, object, string]>([
    ['as its chart installs it approves our requests on its own', {}, 'ApprovedElsewhere'],
    ["with the laptop's values leaves them to the operator", valuesOf('kind/cert-manager.yaml'), 'IssuerGuarded'],
    [
      'leaves them to the operator where it may approve others alone',
      { approveSignerNames: ['issuers.cert-manager.io/*', 'clusterissuers.cert-manager.io/wildcard'] },
      'IssuerGuarded',
    ],
    [
      'with owner references ties Secrets to Certificates',
      { disableAutoApproval: true, enableCertificateOwnerRef: true },
      'SecretsOwned',
    ],
  ])('%s', async (_, values, reason) => {
    expect(issuerGuardFinding(await setupOf(values), issuer).reason).toBe(reason);
  });
});
