import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';
import * as made from './objects.ts';
import type { Actor } from './rights.ts';
import {
  actAs,
  administrator,
  certManager,
  endpointsController,
  operator,
  overtrusted,
  rightsIn,
  somebodyElses,
  tenant,
} from './rights.ts';

/** The chart's admission policies and rights before a real API server: what a customer tries, and what must go on. */

let controlPlane: TestControlPlane;

/** an account namespace, another that will be deleted, and one that belongs to no account */
const acme = 'acme';
const leaving = 'leaving';
const plain = 'plain';

const cert = 'cert-manager.io/v1';
const acmeGroup = 'acme.cert-manager.io/v1';
const gateway = 'gateway.networking.k8s.io/v1';
const traefik = 'traefik.io/v1alpha1';

/** Runs kubectl as somebody; resolves to what it printed, on stderr where it was refused. */
function tries(actor: Actor, args: readonly string[], object?: object): Promise<string> {
  return controlPlane.kubectl.run(
    [...actAs(actor), ...args],
    object === undefined ? undefined : JSON.stringify(object),
  );
}

const refusal = (actor: Actor, args: readonly string[], object?: object): Promise<string> =>
  tries(actor, args, object).then(
    (said) => `was let through: ${said}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

const create = ['create', '-f', '-'];
const rehearse = ['create', '--dry-run=server', '-f', '-'];

beforeAll(async () => {
  controlPlane = await startTestControlPlane();
  const { kubectl, folderOf } = controlPlane;
  await controlPlane.installRights();
  await kubectl.apply(...made.foreignDefinitions);
  await kubectl.run(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
  await kubectl.run(['apply', '-f', `${folderOf('config/samples')}/account.yaml`]);
  await kubectl.apply(
    made.namespace(leaving, leaving),
    made.namespace(plain),
    ...rightsIn(acme, leaving, plain),
    made.service({ selector: { app: 'shop' } }, 'shop', acme),
    made.ingress('www.example.com', 'www.example.com', acme),
    made.ingress('www.example.net', 'www.example.net', leaving),
    made.foreign(cert, 'Certificate', 'www.example.com', acme),
    made.project('shop', acme),
    made.projectDomain('www.example.com', 'www.example.com', acme),
    made.ingress('free.example.com', 'free', plain),
  );
  await eventually('rights and policies hold', 30_000, async () => {
    const said = await refusal(tenant, rehearse, made.foreign(traefik, 'IngressRoute', 'probe', acme));
    expectThat(/projectdomain-routes/.test(said), said);
    const also = await refusal(
      tenant,
      rehearse,
      made.service({ type: 'ExternalName', externalName: 'a.b' }, 'x', acme),
    );
    expectThat(/projectdomain-services/.test(also), also);
    await tries(tenant, rehearse, made.projectDomain('probe.example.com', 'probe', acme));
    await tries(tenant, rehearse, made.foreign(cert, 'Certificate', 'probe', plain));
  });
}, controlPlaneDeadlineMs);

afterAll(() => controlPlane.stop(), controlPlaneDeadlineMs);

/** What the admission policy says of a resource. */
const byOperatorAlone = (resource: string) =>
  new RegExp(
    `forbidden: .*${resource} in an account namespace are written by the operator alone: declare a ProjectDomain`,
  );

/** What the authorizer says. */
const cannot = (verb: string, resource: string) => new RegExp(`User "tenant" cannot ${verb} resource "${resource}"`);

const change = (kind: string, name: string, patch: object): readonly string[] => [
  'patch',
  kind,
  name,
  '-n',
  acme,
  '--type=merge',
  '-p',
  JSON.stringify(patch),
];
const label = { metadata: { labels: { mine: 'true' } } };
const outside = { spec: { type: 'ExternalName', externalName: 'evil.example.org' } };
const external = { spec: { externalIPs: ['203.0.113.10'] } };
const account = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'Account',
  metadata: { name: acme },
  spec: { plan: 'enterprise' },
};
const claim = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'HostnameClaim',
  metadata: { name: 'www.example.org' },
  spec: {},
};
const key = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ApiKey',
  metadata: { name: 'x' },
  spec: { account: 'other' },
};

describe('a tenant with the edit role in its account namespace is refused', () => {
  it.each<[what: string, saying: RegExp, args: readonly string[], object?: object]>([
    [
      "an Ingress for another's hostname",
      byOperatorAlone('ingresses'),
      create,
      made.ingress('www.example.org', 'mine', acme),
    ],
    ["a change of the operator's Ingress", byOperatorAlone('ingresses'), change('ingress', 'www.example.com', label)],
    [
      "the deletion of the operator's Ingress",
      byOperatorAlone('ingresses'),
      ['delete', 'ingress', 'www.example.com', '-n', acme],
    ],
    ['the deletion of all of them', byOperatorAlone('ingresses'), ['delete', 'ingress', '--all', '-n', acme]],
    ['a Certificate', byOperatorAlone('certificates'), create, made.foreign(cert, 'Certificate', 'mine', acme)],
    [
      "a fresh order for the operator's Certificate",
      byOperatorAlone('certificates'),
      ['replace', '--subresource=status', '-f', '-'],
      { ...made.foreign(cert, 'Certificate', 'www.example.com', acme), status: { conditions: [{ type: 'Issuing' }] } },
    ],
    ['an Order', cannot('create', 'orders'), create, made.foreign(acmeGroup, 'Order', 'mine', acme)],
    ['a Challenge', cannot('create', 'challenges'), create, made.foreign(acmeGroup, 'Challenge', 'mine', acme)],
    ['an HTTPRoute', byOperatorAlone('httproutes'), create, made.foreign(gateway, 'HTTPRoute', 'mine', acme)],
    ['an IngressRoute', byOperatorAlone('ingressroutes'), create, made.foreign(traefik, 'IngressRoute', 'mine', acme)],
    ['an EndpointSlice', cannot('create', 'endpointslices'), create, made.endpointSlice('mine', acme)],
    ['Endpoints', cannot('create', 'endpoints'), create, made.endpoints('mine', acme)],
    [
      'a Service that is the name of something outside',
      /ExternalName would lead a hostname out of the account; serve the project from its own Pods/,
      create,
      made.service(outside.spec, 'mine', acme),
    ],
    ['that change of a Service', /ExternalName would lead a hostname out/, change('service', 'shop', outside)],
    [
      "a Service with others' addresses",
      /spec\.externalIPs would take other accounts' traffic; leave it out/,
      create,
      made.service(external.spec, 'mine', acme),
    ],
    ['that change of a Service too', /spec\.externalIPs would take/, change('service', 'shop', external)],
    [
      'the status of its ProjectDomain',
      cannot('patch', 'projectdomains/status'),
      ['apply', '--server-side', '--subresource=status', '-f', '-'],
      { ...made.projectDomain('www.example.com', 'www.example.com', acme), status: { state: 'Live' } },
    ],
    ["another account's ApiKey", cannot('create', 'apikeys'), create, key],
    ['a HostnameClaim', cannot('create', 'hostnameclaims'), create, claim],
    ["its account's plan", cannot('patch', 'accounts'), ['apply', '--server-side', '-f', '-'], account],
    [
      'taking the label off its namespace',
      cannot('patch', 'namespaces'),
      ['label', 'namespace', acme, 'projectdomain.io/account-'],
    ],
  ])('%s', async (...[, saying, args, object]) => {
    expect(await refusal(tenant, args, object)).toMatch(saying);
  });

  it('nothing happened meanwhile', async () => {
    const left = await controlPlane.kubectl.run([
      'get',
      'ingress',
      '-n',
      acme,
      '-o',
      'jsonpath={.items[*].metadata.name} {.items[*].metadata.labels}',
    ]);
    expect(left.trim()).toBe('www.example.com');
  });
});

describe('whoever was given more rights than edit in an account namespace is refused by the policies', () => {
  it.each<[string, Actor, string, readonly string[], object?]>([
    ['an Ingress', overtrusted, 'ingresses', create, made.ingress('www.example.org', 'mine', acme)],
    ['an Order', overtrusted, 'orders', create, made.foreign(acmeGroup, 'Order', 'mine', acme)],
    ['a Challenge', overtrusted, 'challenges', create, made.foreign(acmeGroup, 'Challenge', 'mine', acme)],
    ['an EndpointSlice', overtrusted, 'endpointslices', create, made.endpointSlice('mine', acme)],
    ['Endpoints', overtrusted, 'endpoints', create, made.endpoints('mine', acme)],
    [
      "an Ingress of a ServiceAccount that has cert-manager's name alone",
      somebodyElses,
      'ingresses',
      create,
      made.ingress('www.example.org', 'mine', acme),
    ],
  ])('%s', async (...[, actor, resource, args, object]) => {
    expect(await refusal(actor, args, object)).toMatch(byOperatorAlone(resource));
  });
});

describe('there is let through', () => {
  it.each<[what: string, actor: Actor, object: object]>([
    ["a tenant's ClusterIP Service", tenant, made.service({ selector: { app: 'shop' } }, 'second', acme)],
    ["a tenant's headless Service", tenant, made.service({ clusterIP: 'None' }, 'third', acme)],
    ["a tenant's Deployment", tenant, made.deployment('shop', acme)],
    ["a tenant's Project", tenant, made.project('second', acme)],
    ["a tenant's ProjectDomain", tenant, made.projectDomain('second.example.com', 'second', acme)],
    ["a tenant's Ingress outside of accounts", tenant, made.ingress('www.example.org', 'mine', plain)],
    ["a tenant's Certificate outside of accounts", tenant, made.foreign(cert, 'Certificate', 'mine', plain)],
    ["a tenant's HTTPRoute outside of accounts", tenant, made.foreign(gateway, 'HTTPRoute', 'mine', plain)],
    ["a tenant's IngressRoute outside of accounts", tenant, made.foreign(traefik, 'IngressRoute', 'mine', plain)],
    ["a tenant's ExternalName Service outside of accounts", tenant, made.service(outside.spec, 'mine', plain)],
    ["the operator's Ingress", operator, made.ingress('second.example.com', 'second', acme)],
    ["the operator's Certificate", operator, made.foreign(cert, 'Certificate', 'second', acme)],
    ["the operator's EndpointSlice", operator, made.endpointSlice('second', acme)],
    ["cert-manager's Order", certManager, made.foreign(acmeGroup, 'Order', 'second', acme)],
    ["cert-manager's Challenge", certManager, made.foreign(acmeGroup, 'Challenge', 'second', acme)],
    ["cert-manager's solver Ingress", certManager, made.ingress('second.example.com', 'cm-acme-http-solver', acme)],
    ["a controller's Endpoints", endpointsController, made.endpoints('second', acme)],
    ["an administrator's Ingress", administrator, made.ingress('second.example.com', 'second', acme)],
    ["an administrator's ExternalName Service", administrator, made.service(outside.spec, 'second', acme)],
    ["an administrator's Service with external addresses", administrator, made.service(external.spec, 'second', acme)],
  ])('%s', async (_, actor, object) => {
    expect(await tries(actor, rehearse, object)).toMatch(/created \(server dry run\)/);
  });

  it('a tenant who changes and deletes its own Service and Ingress where both are its own', async () => {
    expect(await tries(tenant, change('service', 'shop', label))).toMatch(/patched/);
    expect(await tries(tenant, ['delete', 'ingress', 'free', '-n', plain])).toMatch(/deleted/);
  });

  it("cert-manager's note of a certificate", async () => {
    const noted = { ...made.foreign(cert, 'Certificate', 'www.example.com', acme), status: { revision: 1 } };
    expect(await tries(certManager, ['replace', '--subresource=status', '-f', '-'], noted)).toMatch(/replaced/);
  });
});

describe('Kubernetes itself goes on', () => {
  it("lists the endpoints of a tenant's Service", async () => {
    await tries(tenant, create, made.service({ selector: { app: 'listed' } }, 'listed', acme));
    await eventually('its endpoints are listed', 20_000, async () => {
      const find = ['get', 'endpointslices', '-n', acme, '-l', 'kubernetes.io/service-name=listed', '-o', 'name'];
      expectThat((await controlPlane.kubectl.run(find)).trim() !== '', 'no EndpointSlice');
    });
  });

  it('collects the Ingress of a ProjectDomain that its tenant deleted', async () => {
    const { kubectl } = controlPlane;
    const domain = await kubectl.get<{ metadata: { uid: string } }>('projectdomain', 'www.example.com', acme);
    const owner = {
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'ProjectDomain',
      name: 'www.example.com',
      uid: domain?.metadata.uid,
    };
    await kubectl.run(change('ingress', 'www.example.com', { metadata: { ownerReferences: [owner] } }));
    await tries(tenant, ['delete', 'projectdomain', 'www.example.com', '-n', acme]);
    await eventually('the Ingress is collected', 40_000, async () =>
      expectThat((await kubectl.get('ingress', 'www.example.com', acme)) === null, 'the Ingress is there'),
    );
  });

  it('deletes an account namespace with all that is in it', async () => {
    const { kubectl } = controlPlane;
    await kubectl.run(['delete', 'namespace', leaving, '--timeout=50s']);
    expect(await kubectl.get('namespace', leaving)).toBeNull();
  });
});
