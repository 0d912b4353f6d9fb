import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { installGatewayKinds } from '../../../dev/platform/services.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';

/** The chart's rights, asked of the real authorizer: what the operator and tenants may do, and what they may not. */

let controlPlane: TestControlPlane;

const operator = 'system:serviceaccount:projectdomain-system:projectdomain-operator';
const system = 'projectdomain-system';
/** an account namespace, as config/samples/account.yaml makes it; and one that belongs to no account */
const acme = 'acme';
const foreign = 'kube-system';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
type Verb = (typeof verbs)[number] | 'approve' | 'bind' | 'escalate' | 'impersonate';

/** `resource` as kubectl writes it: plural, dot, group; with `/status` or `/<name>` after it. */
interface Wish {
  readonly verb: Verb;
  readonly resource: string;
  readonly namespace?: string;
}

const subresources = ['status', 'finalizers', 'token'];

function review(user: string, { verb, resource, namespace }: Wish): object {
  const [kind = '', ...rest] = resource.split('/');
  const [plural, ...group] = kind.split('.');
  const subresource = subresources.includes(rest.at(-1) ?? '') ? rest.pop() : undefined;
  const name = rest.length === 0 ? undefined : rest.join('/');
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: {
      user,
      resourceAttributes: {
        verb,
        resource: plural,
        group: group.join('.'),
        ...(subresource && { subresource }),
        ...(name && { name }),
        ...(namespace && { namespace }),
      },
    },
  };
}

/** What the authorizer says to each wish, in their order. */
const may = (user: string, wishes: readonly Wish[]): Promise<readonly boolean[]> =>
  Promise.all(
    wishes.map(async (wish) => {
      const { status } = await controlPlane.kubectl.create<Review>(review(user, wish));
      return status.allowed;
    }),
  );

interface Review {
  readonly status: { readonly allowed: boolean };
}

/** The verbs of the eight usual ones that the user has on a resource. */
async function verbsOf(user: string, resource: string, namespace?: string): Promise<readonly Verb[]> {
  const answers = await may(
    user,
    verbs.map((verb) => ({ verb, resource, ...(namespace && { namespace }) })),
  );
  return verbs.filter((_, index) => answers[index]);
}

beforeAll(async () => {
  controlPlane = await startTestControlPlane();
  const { kubectl, folderOf } = controlPlane;
  await controlPlane.installRights();
  await kubectl.run(['apply', '-f', `${folderOf('config/samples')}/account.yaml`]);
  for (const role of ['view', 'edit', 'admin'])
    await kubectl.run(['create', 'rolebinding', role, `--clusterrole=${role}`, `--user=${role}`, '-n', acme]);
  await eventually('the built-in roles have taken ours in', 30_000, async () => {
    for (const [user, verb] of [
      ['view', 'get'],
      ['edit', 'create'],
      ['admin', 'create'],
    ] as const)
      expectThat(
        (await verbsOf(user, 'projectdomains.projectdomain.io', acme)).includes(verb),
        `${user} cannot ${verb} ProjectDomains`,
      );
  });
}, controlPlaneDeadlineMs);

afterAll(() => controlPlane.stop(), controlPlaneDeadlineMs);

const read: readonly Verb[] = ['get', 'list', 'watch'];
const all: readonly Verb[] = verbs;

describe('the operator', () => {
  it.each<[string, string | undefined, readonly Verb[]]>([
    ['plans.projectdomain.io', undefined, [...read, 'create']],
    ['accounts.projectdomain.io', undefined, [...read, 'update']],
    ['accounts.projectdomain.io/status', undefined, ['patch']],
    ['projects.projectdomain.io', acme, [...read, 'patch']],
    ['projects.projectdomain.io/status', acme, ['patch']],
    ['projectdomains.projectdomain.io', acme, [...read, 'create', 'update', 'patch', 'delete']],
    ['projectdomains.projectdomain.io/status', acme, ['patch']],
    ['hostnameclaims.projectdomain.io', undefined, [...read, 'create', 'update', 'delete']],
    ['apikeys.projectdomain.io', undefined, [...read, 'update']],
    ['apikeys.projectdomain.io/status', undefined, ['patch']],
    ['acmeissuers.projectdomain.io', undefined, read],
    ['acmeissuers.projectdomain.io/status', undefined, ['patch']],
    ['certificates.cert-manager.io', acme, [...read, 'create', 'patch', 'delete']],
    ['certificates.cert-manager.io/status', acme, ['update']],
    ['certificaterequests.cert-manager.io', acme, [...read, 'delete']],
    ['certificaterequests.cert-manager.io/status', acme, ['patch']],
    ['clusterissuers.cert-manager.io', undefined, read],
    ['ingresses.networking.k8s.io', acme, [...read, 'create', 'patch', 'delete']],
    ['endpointslices.discovery.k8s.io', acme, [...read, 'create', 'patch']],
    ['services', acme, ['create', 'patch']],
    ['services/projectdomain-redirect', acme, ['get', 'create', 'patch']],
    ['resourcequotas', acme, ['create', 'patch']],
    ['resourcequotas/projectdomain-maximum', acme, ['get', 'create', 'patch', 'delete']],
    ['namespaces', undefined, read],
    ['events.events.k8s.io', acme, ['create', 'patch']],
    ['pods', acme, []],
    ['configmaps', system, ['create']],
    ['configmaps/projectdomain-redirector-endpoints', system, ['get', 'create', 'update']],
    ['configmaps/somebody-elses', system, ['create']],
    ['configmaps', acme, []],
  ])('has on %s these verbs and no others', async (resource, namespace, expected) => {
    expect(await verbsOf(operator, resource, namespace)).toEqual(expected);
  });

  it.each<[string, string, string, readonly Verb[]]>([
    [
      'makes Secrets of an account and deletes them by name, and cannot read one',
      'secrets',
      acme,
      ['create', 'delete'],
    ],
    ['has nothing on Secrets of other namespaces', 'secrets', foreign, []],
    ['has nothing on Secrets of the default namespace', 'secrets', 'default', []],
    ['makes Secrets in its own namespace', 'secrets', system, ['create']],
    ['reads its own key there', 'secrets/projectdomain-hmac', system, ['get', 'create']],
    ['reads what the tokens of the API end with', 'secrets/projectdomain-api-tokens', system, ['get', 'create']],
    ['reads no other Secret there', 'secrets/somebody-elses', system, ['create']],
    ['keeps its own lease', 'leases.coordination.k8s.io/projectdomain-operator', system, ['get', 'create', 'update']],
    ['touches no other lease there', 'leases.coordination.k8s.io/somebody-elses', system, ['create']],
    ['touches no lease elsewhere', 'leases.coordination.k8s.io/projectdomain-operator', foreign, []],
  ])('%s', async (_, resource, namespace, expected) => {
    expect(await verbsOf(operator, resource, namespace)).toEqual(expected);
  });

  it.each<[boolean, string, Wish]>([
    [
      true,
      'approves requests of its issuer',
      { verb: 'approve', resource: signer('acmeissuers.projectdomain.io', 'pebble') },
    ],
    [false, 'approves none of another', { verb: 'approve', resource: signer('acmeissuers.projectdomain.io', 'other') }],
    [
      false,
      'approves none of cert-manager',
      { verb: 'approve', resource: signer('clusterissuers.cert-manager.io', 'pebble') },
    ],
    [
      false,
      'approves none of a namespace',
      { verb: 'approve', resource: signer('issuers.cert-manager.io', 'acme.mine') },
    ],
    [false, 'binds no role', { verb: 'bind', resource: 'clusterroles.rbac.authorization.k8s.io/cluster-admin' }],
    [false, 'gives no role rights', { verb: 'escalate', resource: 'clusterroles.rbac.authorization.k8s.io' }],
    [
      false,
      'writes no role binding',
      { verb: 'create', resource: 'rolebindings.rbac.authorization.k8s.io', namespace: acme },
    ],
    [false, 'is nobody else', { verb: 'impersonate', resource: 'users' }],
    [
      true,
      "makes the API server's token",
      { verb: 'create', resource: 'serviceaccounts/projectdomain-api/token', namespace: system },
    ],
    [false, 'makes no other token', { verb: 'create', resource: 'serviceaccounts/token', namespace: system }],
    [
      false,
      'makes no token in other namespaces',
      { verb: 'create', resource: 'serviceaccounts/projectdomain-api/token', namespace: foreign },
    ],
  ])('%s: %s', async (expected, _, wish) => {
    expect(await may(operator, [wish])).toEqual([expected]);
  });

  function signer(kind: string, name: string): string {
    return `signers.cert-manager.io/${kind}/${name}`;
  }
});

const apiServer = 'system:serviceaccount:projectdomain-system:projectdomain-api';
const redirector = 'system:serviceaccount:projectdomain-system:projectdomain-redirector';
const write: readonly Verb[] = ['create', 'update', 'patch', 'delete'];

describe('the API server', () => {
  it.each<[string, string | undefined, readonly Verb[]]>([
    ['plans.projectdomain.io', undefined, read],
    ['accounts.projectdomain.io', undefined, read],
    ['hostnameclaims.projectdomain.io', undefined, read],
    ['projects.projectdomain.io', acme, [...read, ...write]],
    ['projectdomains.projectdomain.io', acme, [...read, ...write]],
    ['projectdomains.projectdomain.io/status', acme, []],
    ['apikeys.projectdomain.io', undefined, [...read, 'create', 'delete']],
    ['apikeys.projectdomain.io/status', undefined, ['patch']],
    ['namespaces', undefined, read],
    ['acmeissuers.projectdomain.io', undefined, []],
    ['acmeissuers.projectdomain.io/pebble', undefined, ['get']],
    ['clusterissuers.cert-manager.io/pebble', undefined, []],
    ['secrets', acme, ['create', 'delete']],
    ['secrets', foreign, []],
    ['secrets', system, []],
    ['secrets/projectdomain-hmac', system, []],
    ['ingresses.networking.k8s.io', acme, []],
    ['certificates.cert-manager.io', acme, []],
    ['services', acme, []],
  ])('has on %s these verbs and no others', async (resource, namespace, expected) => {
    expect(await verbsOf(apiServer, resource, namespace)).toEqual(expected);
  });
});

describe('the redirector', () => {
  it.each<[string, string | undefined, readonly Verb[]]>([
    ['projects.projectdomain.io', acme, read],
    ['projectdomains.projectdomain.io', acme, read],
    ['hostnameclaims.projectdomain.io', undefined, read],
    ['accounts.projectdomain.io', undefined, []],
    ['apikeys.projectdomain.io', undefined, []],
    ['secrets', acme, []],
    ['secrets', system, []],
    ['configmaps', system, []],
    ['configmaps/projectdomain-redirector-endpoints', system, ['get']],
  ])('has on %s these verbs and no others', async (resource, namespace, expected) => {
    expect(await verbsOf(redirector, resource, namespace)).toEqual(expected);
  });
});

describe('tenants', () => {
  const ours = ['projects.projectdomain.io', 'projectdomains.projectdomain.io'];

  it.each<[string, readonly Verb[]]>([
    ['view', read],
    ['edit', all],
    ['admin', all],
  ])('bound to %s in their namespace have these verbs on Projects and ProjectDomains', async (role, expected) => {
    for (const resource of ours) expect(await verbsOf(role, resource, acme)).toEqual(expected);
  });

  it.each(['view', 'edit', 'admin'])('bound to %s write no status, and see nothing elsewhere', async (role) => {
    for (const resource of ours) {
      expect(await verbsOf(role, `${resource}/status`, acme)).toEqual([]);
      expect(await verbsOf(role, resource, 'default')).toEqual([]);
    }
  });

  it.each(['edit', 'admin'])('bound to %s write no ResourceQuota, which holds their own caps', async (role) => {
    expect(await verbsOf(role, 'resourcequotas', acme)).toEqual(read);
    expect(await verbsOf(role, 'resourcequotas/status', acme)).toEqual(read);
  });

  it.each(['plans', 'accounts', 'hostnameclaims', 'apikeys'])('have nothing on %s', async (plural) => {
    for (const role of ['view', 'edit', 'admin']) {
      expect(await verbsOf(role, `${plural}.projectdomain.io`)).toEqual([]);
    }
  });
});

/** Last: it takes the rights of an installation with an ingress controller away. */
describe('the operator of an installation whose hostnames a Gateway serves', () => {
  beforeAll(async () => {
    const { kubectl } = controlPlane;
    await installGatewayKinds(kubectl);
    await kubectl.run(['create', 'namespace', 'edge']);
    await controlPlane.installRights({ ingressClass: '', gateway: { namespace: 'edge', name: 'customers' } });
  }, controlPlaneDeadlineMs);

  it.each<[string, string, readonly Verb[]]>([
    ['listenersets.gateway.networking.k8s.io', acme, [...read, 'create', 'patch', 'delete']],
    ['httproutes.gateway.networking.k8s.io', acme, [...read, 'create', 'patch', 'delete']],
    ['gateways.gateway.networking.k8s.io/customers', 'edge', ['get']],
    ['gateways.gateway.networking.k8s.io/another', 'edge', []],
    ['gateways.gateway.networking.k8s.io', acme, []],
    ['gatewayclasses.gateway.networking.k8s.io', acme, ['get']],
    ['referencegrants.gateway.networking.k8s.io', acme, []],
    ['ingresses.networking.k8s.io', acme, []],
  ])('has on %s in %s these verbs and no others', async (resource, namespace, expected) => {
    await eventually('the authorizer knows the new rights', 10_000, async () =>
      expectThat((await verbsOf(operator, resource, namespace)).join() === expected.join(), 'other verbs'),
    );
  });

  it.each([
    [acme, /created \(server dry run\)/],
    [foreign, /projectdomain writes httproutes in account namespaces alone/],
  ])('makes a route in %s: %s', async (namespace, said) => {
    const route = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: 'pd-www', namespace },
      spec: { hostnames: ['www.example.com'] },
    };
    const create = ['create', '--dry-run=server', `--as=${operator}`, '-f', '-'];
    const answer = await controlPlane.kubectl.run(create, JSON.stringify(route)).catch(String);
    expect(answer).toMatch(said);
  });
});

/** After that: the rights of an installation with ListenerSets are gone. */
describe('the operator of an installation whose hostnames have listeners of the Gateway itself', () => {
  beforeAll(
    () =>
      controlPlane.installRights({
        ingressClass: '',
        gateway: { namespace: 'edge', name: 'customers', listeners: 'Gateway' },
      }),
    controlPlaneDeadlineMs,
  );

  it.each<[string, string, readonly Verb[]]>([
    ['referencegrants.gateway.networking.k8s.io', acme, [...read, 'create', 'patch', 'delete']],
    ['httproutes.gateway.networking.k8s.io', acme, [...read, 'create', 'patch', 'delete']],
    ['gateways.gateway.networking.k8s.io/customers', 'edge', ['get', 'patch']],
    ['gateways.gateway.networking.k8s.io/another', 'edge', []],
    ['gateways.gateway.networking.k8s.io', acme, []],
    ['listenersets.gateway.networking.k8s.io', acme, []],
  ])('has on %s in %s these verbs and no others', async (resource, namespace, expected) => {
    await eventually('the authorizer knows the new rights', 10_000, async () =>
      expectThat((await verbsOf(operator, resource, namespace)).join() === expected.join(), 'other verbs'),
    );
  });
});
