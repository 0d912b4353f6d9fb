import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { WriteOptions } from '../../../dev/platform/cluster-client.ts';
import { installCertManagerKinds, installGatewayKinds } from '../../../dev/platform/services.ts';
import { resourceQuota } from '../../../src/controllers/account/account-resource-quota.ts';
import { certificateManifest } from '../../../src/issuing/certificate-manifest.ts';
import type { Intent, Kind } from '../../../src/kubernetes/kubernetes-port.ts';
import {
  AccountKind,
  ApiKeyKind,
  CertificateKind,
  EndpointSliceKind,
  HttpRouteKind,
  IngressKind,
  ListenerSetKind,
  ProjectDomainKind,
  ProjectKind,
  ReferenceGrantKind,
  ResourceQuotaKind,
  ServiceKind,
} from '../../../src/resources/kinds.ts';
import type { Owner } from '../../../src/resources/object-metadata.ts';
import { childLabels, ownerReference } from '../../../src/resources/object-metadata.ts';
import { createGatewayListenerRoutes } from '../../../src/routing/gateway/gateway-listener-routes.ts';
import { createGatewayRoutes } from '../../../src/routing/gateway/gateway-routes.ts';
import { ingressControllers } from '../../../src/routing/edges/controllers.ts';
import { createIngressRoutes } from '../../../src/routing/ingress/ingress-routes.ts';
import { redirectService, redirectSlices } from '../../../src/routing/redirect-service.ts';
import type { SharedControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, sharedControlPlane } from '../../support/control-plane.ts';
import { writesOfFreshClient } from '../../support/fresh-client.ts';
import { endpointSlice } from '../../support/tenant-objects.ts';

/** Each kind that is applied, on a real kube-apiserver, by one operator after the other: each knows only what its caches show. */

const namespace = 'applies';
const hostname = 'www.example.com';
const issuer = { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'pebble' } as const;
let controlPlane: SharedControlPlane;
let owner: Owner;

beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  const { kubectl } = controlPlane;
  await installCertManagerKinds(kubectl);
  await installGatewayKinds(kubectl);
  await kubectl.run(['create', 'namespace', namespace]);
  const { apiVersion, kind } = AccountKind;
  await kubectl.apply({ apiVersion, kind, metadata: { name: 'applies' }, spec: { plan: 'pro' } });
  owner = (await kubectl.get<Owner>('account', 'applies')) as Owner;
}, controlPlaneDeadlineMs);

afterAll(() => controlPlane.stop(), controlPlaneDeadlineMs);

const redirectorSlice = { ...endpointSlice('redirector', 'projectdomain-system'), addressType: 'IPv4' } as const;

interface Applied {
  readonly kind: Kind;
  readonly intent: () => Intent;
  /** a merge patch of somebody else, which takes or changes something of ours */
  readonly edit: object;
  /** what an earlier version applied beside it in spec; a label where there is no spec */
  readonly former: object | 'label';
}

const [backend, gateway] = [
  { name: 'shop', port: 80 },
  { namespace: 'edge', name: 'customers' },
];
const gatewayObject = (kind: string, name: RegExp, ofHostname = hostname): Intent => {
  const objects = createGatewayRoutes(gateway, '', true).manifests({
    ...{ namespace, hostname: ofHostname, owner, backend },
    ...{ hasCertificate: true, answersToken: true, answersChallenges: true },
  });
  return objects.find((object) => object.kind === kind && name.test(object.metadata.name)) as Intent;
};

const children: readonly Applied[] = [
  {
    kind: CertificateKind,
    intent: () => certificateManifest({ namespace, hostname, owner }, issuer),
    edit: { spec: { dnsNames: ['www.example.org'] } },
    former: { renewBefore: '360h' },
  },
  {
    kind: IngressKind,
    intent: () => {
      const route = { namespace, hostname, owner, backend, hasCertificate: true, answersToken: true };
      return createIngressRoutes({ className: 'nginx', controller: ingressControllers.Other }).manifests(
        route,
      )[0] as Intent;
    },
    edit: { spec: { tls: null } },
    former: { defaultBackend: { service: { name: 'former', port: { number: 80 } } } },
  },
  {
    kind: ListenerSetKind,
    intent: () => gatewayObject('ListenerSet', /^/),
    edit: { spec: { listeners: [{ name: 'http', protocol: 'HTTP', port: 8080 }] } },
    former: 'label',
  },
  {
    kind: HttpRouteKind,
    intent: () => gatewayObject('HTTPRoute', /^(?!.*-https$)/),
    edit: { spec: { rules: null } },
    former: 'label',
  },
  {
    kind: HttpRouteKind,
    intent: () => gatewayObject('HTTPRoute', /-https$/),
    edit: { spec: { hostnames: ['www.example.org'] } },
    former: 'label',
  },
  {
    kind: HttpRouteKind,
    intent: () => gatewayObject('HTTPRoute', /-https$/, '*.example.com'),
    edit: { spec: { rules: null } },
    former: 'label',
  },
  {
    kind: ReferenceGrantKind,
    intent: () =>
      createGatewayListenerRoutes(gateway).manifests({
        namespace,
        hostname,
        owner,
        backend,
        hasCertificate: true,
      })[1] as Intent,
    edit: { spec: { to: [{ group: '', kind: 'Secret', name: 'other' }] } },
    former: 'label',
  },
  {
    kind: ProjectDomainKind,
    intent: () => ({
      apiVersion: ProjectDomainKind.apiVersion,
      kind: ProjectDomainKind.kind,
      metadata: { name: hostname, namespace, labels: childLabels, ownerReferences: [ownerReference(owner, true)] },
      spec: { hostname, project: 'shop', role: 'Redirect', redirect: { to: 'example.com' } },
    }),
    edit: { metadata: { ownerReferences: null } },
    former: { redirect: { to: 'example.com', status: 308 } },
  },
  {
    kind: ServiceKind,
    intent: () => redirectService({ namespace, owner }),
    edit: { spec: { ports: [{ name: 'http', port: 8080, protocol: 'TCP', targetPort: 1 }] } },
    former: { publishNotReadyAddresses: true },
  },
  {
    kind: EndpointSliceKind,
    intent: () => redirectSlices({ namespace, owner }, [redirectorSlice], [])[0] as Intent,
    edit: { ports: [{ name: 'http', port: 1, protocol: 'TCP' }] },
    former: 'label',
  },
  {
    kind: ResourceQuotaKind,
    intent: () => resourceQuota({ namespace, owner }, { projects: 20, domains: 1_000, apiKeys: 5 }),
    edit: { spec: { hard: { 'count/projectdomains.projectdomain.io': '5' } } },
    former: { hard: { 'count/projects.projectdomain.io': '20', 'count/secrets': '5' } },
  },
];

interface Live {
  readonly metadata: { readonly resourceVersion: string; readonly labels?: object; readonly ownerReferences?: object };
  readonly [field: string]: unknown;
}

const find = async ({ kind, intent }: Pick<Applied, 'kind' | 'intent'>): Promise<Live | null> => {
  const { name, namespace: within } = intent().metadata;
  return controlPlane.kubectl.get<Live>(`${kind.plural}${groupOf(kind)}`, name, within);
};

const groupOf = ({ apiVersion }: Kind): string => (apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '');

/** All that is said by an object, without what each write changes and without addresses that are drawn. */
const saidBy = (live: Live | null) => {
  const { metadata, status: _, ...rest } = live ?? { metadata: { resourceVersion: '' } };
  const said = { ...rest, labels: metadata.labels, ownerReferences: metadata.ownerReferences };
  return JSON.parse(
    JSON.stringify(said, (key, value: unknown) => (key.startsWith('clusterIP') ? 'drawn' : value)),
  ) as object;
};

const patchAsOther = async ({ kind, intent }: Applied, change: object, options: WriteOptions = {}): Promise<void> => {
  const { name, namespace: within = '' } = intent().metadata;
  const patch = { kind: `${kind.plural}${groupOf(kind)}`, name, namespace: within, change };
  await controlPlane.kubectl.patch(patch, options);
};

/** An operator that has just started applies the intent. */
const applyAnew = ({ kind }: Applied, intent: Intent): Promise<readonly string[]> =>
  writesOfFreshClient(controlPlane.kubeconfig, (cluster) => cluster.apply(kind, intent));

const formerIntent = ({ intent, former }: Applied): Intent => {
  const today = intent();
  if (former !== 'label') return { ...today, spec: { ...(today.spec as object), ...former } };
  return { ...today, metadata: { ...today.metadata, labels: { ...today.metadata.labels, former: 'yes' } } };
};

const isCounted = (quota: Live | null): boolean =>
  Object.keys((quota?.status as { readonly used?: object } | undefined)?.used ?? {}).length > 0;

describe.each(children.map((child) => [child.kind.kind, child] as const))('a %s', (_, child) => {
  const write = [`patch ${child.kind.plural}: 2xx`];
  let applied: Live | null;

  beforeAll(async () => {
    expect(await applyAnew(child, child.intent())).toEqual(write);
    applied = await eventually('it is at rest', 20_000, async () => {
      const found = await find(child);
      expectThat(
        child.kind.kind !== 'ResourceQuota' || isCounted(found),
        'the kube-controller-manager has yet to write its status',
      );
      return found;
    });
  });

  it('is not written by the next operator when nothing changed', async () => {
    expect(await applyAnew(child, child.intent())).toEqual([]);
    expect((await find(child))?.metadata.resourceVersion).toBe(applied?.metadata.resourceVersion);
  });

  it.each<[sentence: string, disturb: () => Promise<unknown>]>([
    ['that somebody edited is mended by the next operator', () => patchAsOther(child, child.edit)],
    [
      'that somebody removed is made anew by the next operator',
      async () => {
        const { name, namespace: within = '' } = child.intent().metadata;
        await controlPlane.kubectl.run(['delete', `${child.kind.plural}${groupOf(child.kind)}`, name, '-n', within]);
      },
    ],
    [
      'loses a field that an earlier version of the operator applied',
      async () => {
        await applyAnew(child, formerIntent(child));
        expect(saidBy(await find(child))).not.toEqual(saidBy(applied));
      },
    ],
  ])('%s, once', async (_sentence, disturb) => {
    await disturb();
    expect(await applyAnew(child, child.intent())).toEqual(write);
    expect(saidBy(await find(child))).toEqual(saidBy(applied));
    expect(await applyAnew(child, child.intent())).toEqual([]);
  });

  // As a policy engine does that puts its own on everything, or takes what it does not know (kyverno#1519).
  it.each<[string, Readonly<Record<string, string | null>>]>([
    ['set to something else', { 'app.kubernetes.io/managed-by': 'somebody-else', 'projectdomain.io/managed': 'false' }],
    ['taken away', { 'app.kubernetes.io/managed-by': null, 'projectdomain.io/managed': null }],
  ])('whose labels are %s is still known, and is not written for it', async (_label, labels) => {
    await patchAsOther(child, { metadata: { labels } });
    const relabelled = await find(child);
    expect(await applyAnew(child, child.intent())).toEqual([]);
    // Not by its resourceVersion: the kube-controller-manager counts what a ResourceQuota was written for.
    expect(saidBy(await find(child))).toEqual(saidBy(relabelled));
  });
});

const observedGeneration = 1;
const condition = (type: string) => ({
  type,
  status: 'True',
  reason: type,
  message: 'it is so',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  observedGeneration,
});
const conditions = [condition('Accepted'), condition('Ready')];

const statuses: readonly {
  readonly kind: Kind;
  readonly object: object;
  readonly status: object;
  readonly edit: object;
}[] = [
  {
    kind: AccountKind,
    object: { metadata: { name: 'other' }, spec: { plan: 'pro' } },
    status: { observedGeneration, conditions },
    edit: { conditions: [] },
  },
  {
    kind: ApiKeyKind,
    object: { metadata: { name: 'key' }, spec: { account: 'applies', scopes: ['domains:read'] } },
    status: { observedGeneration, conditions },
    edit: { conditions: [] },
  },
  {
    kind: ProjectKind,
    object: { metadata: { name: 'shop', namespace }, spec: { service: { name: 'shop', port: 80 } } },
    status: {
      observedGeneration,
      platformHostname: 'shop.apps.example.net',
      domains: [{ hostname, role: 'Primary', state: 'Live' }],
      conditions,
    },
    edit: { domains: [] },
  },
  {
    kind: ProjectDomainKind,
    object: { metadata: { name: 'shop', namespace }, spec: { hostname: 'shop.example.com', project: 'shop' } },
    status: {
      observedGeneration,
      state: 'Verified',
      records: [],
      issues: [],
      certificate: { name: 'shop', attempts: 0 },
      timeline: [],
      conditions,
    },
    edit: { state: 'Degraded' },
  },
];

describe.each(statuses.map((row) => [row.kind.kind, row] as const))(
  'the status of a %s',
  (_, { kind, object, status, edit }) => {
    const write = [`patch ${kind.plural}/status: 2xx`];
    const intent = () => ({
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      ...(object as Pick<Intent, 'metadata'>),
      spec: undefined,
      status,
    });
    const row: Applied = { kind, intent, edit: {}, former: {} };
    const applyAgain = (wanted: object) =>
      writesOfFreshClient(controlPlane.kubeconfig, (cluster) =>
        cluster.applyStatus(kind, { ...intent(), status: wanted }),
      );

    beforeAll(async () => {
      await controlPlane.kubectl.apply({ apiVersion: kind.apiVersion, kind: kind.kind, ...object });
      expect(await applyAgain(status)).toEqual(write);
    });

    it.each<[sentence: string, disturb: () => Promise<unknown>, writes: readonly string[]]>([
      ['is not written by the next operator when nothing changed', () => Promise.resolve(), []],
      [
        'that somebody edited is mended by the next operator',
        () => patchAsOther(row, { status: edit }, { subresource: 'status' }),
        write,
      ],
      ['follows the next operator', () => applyAgain({ ...status, conditions: [condition('Accepted')] }), write],
    ])('%s', async (_sentence, disturb, writes) => {
      await disturb();
      expect(await applyAgain(status)).toEqual(writes);
      expect((await find(row))?.status).toEqual(status);
      expect(await applyAgain(status)).toEqual([]);
    });
  },
);

it.each([0, 1, 999, 1_000, 1_500, 10_000, 250_000, 1_000_000, 1_001_000, 2_000_000_000])(
  'a maximum of %i is sent as it is stored, so that the next operator finds it as it should be',
  async (domains) => {
    const intent = resourceQuota({ namespace, owner }, { projects: 20, domains, apiKeys: 5 });
    for (const writes of [['patch resourcequotas: 2xx'], []])
      expect(
        await writesOfFreshClient(controlPlane.kubeconfig, (cluster) => cluster.apply(ResourceQuotaKind, intent)),
      ).toEqual(writes);
  },
);
