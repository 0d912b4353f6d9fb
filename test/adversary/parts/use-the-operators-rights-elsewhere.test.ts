import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { Actor } from '../../support/actors.ts';
import { api, operator } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, apply, attackCluster, create, patch, plain, rehearse } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * Who takes the operator or the API over has rights on Services, endpoints, routes and Projects of every namespace, for
 * RBAC knows no labels. The admission policy projectdomain-own-rights holds them to account namespaces.
 */

const cert = 'cert-manager.io/v1';
const secret = (name: string, namespace: string) => made.tlsSecret({}, name, namespace);

const request = (name: string, group: string) => ({
  ...made.foreign(cert, 'CertificateRequest', name, plain),
  spec: { issuerRef: { group, kind: 'Issuer', name: 'one' } },
});

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(
    made.service({}, 'platform', plain),
    made.ingress('platform.example.com', 'platform', plain),
    made.foreign(cert, 'Certificate', 'platform', plain),
    made.ingress('www.example.com', 'pd-www', plain),
    made.project('shop', plain),
    request('ours', 'projectdomain.io'),
    request('others', 'cert-manager.io'),
  );
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const outside = (resource: string, namespace: string) =>
  `projectdomain writes ${resource} in account namespaces alone, and ${namespace} has no label projectdomain.io/account`;
const label = { metadata: { labels: { mine: 'true' } } };

describe("outside of account namespaces the operator's identity is refused", () => {
  it.each<[what: string, resource: string, namespace: string, args: readonly string[], object?: object]>([
    ['a Service beside Kubernetes itself', 'services', 'kube-system', create, made.service({}, 'dns', 'kube-system')],
    ["a change of the platform's Service", 'services', plain, apply, made.service({}, 'platform', plain)],
    ["endpoints of the platform's Service", 'endpointslices', plain, create, made.endpointSlice('platform', plain)],
    ['endpoints of the API server', 'endpointslices', 'default', create, made.endpointSlice('kubernetes-2', 'default')],
    ['a route', 'ingresses', plain, create, made.ingress('bank.example.com', 'mine', plain)],
    ["the platform's route", 'ingresses', plain, patch('ingress', 'platform', label, plain)],
    ["the end of the platform's route", 'ingresses', plain, ['delete', 'ingress', 'platform', '-n', plain]],
    ['a certificate', 'certificates', plain, create, made.foreign(cert, 'Certificate', 'mine', plain)],
    [
      "the end of the platform's certificate",
      'certificates',
      plain,
      ['delete', 'certificate', 'platform', '-n', plain],
    ],
    [
      "a Secret of another's beside its own",
      'secrets',
      systemNamespace,
      create,
      secret('sh.helm.release.v1.mine', systemNamespace),
    ],
  ])('%s', async (...[, resource, namespace, args, object]) => {
    expect(await cluster.refusal(operator, args, object)).toContain(outside(resource, namespace));
  });
});

describe("outside of account namespaces the API's identity is refused", () => {
  it.each<[what: string, resource: string, args: readonly string[], object?: object]>([
    ['a Project', 'projects', create, made.project('mine', plain)],
    ['a change of a Project', 'projects', patch('project', 'shop', label, plain)],
    ['a ProjectDomain', 'projectdomains', create, made.projectDomain('www.example.com', 'www', plain)],
  ])('%s', async (...[, resource, args, object]) => {
    expect(await cluster.refusal(api, args, object)).toContain(outside(resource, plain));
  });
});

describe('a request for a certificate, outside of account namespaces,', () => {
  const decide = ['apply', '--server-side', '--subresource=status', '--dry-run=server', '--force-conflicts', '-f', '-'];
  const decided = (name: string, group: string, type: string) => ({
    ...request(name, group),
    status: { conditions: [{ type, status: 'True' }] },
  });

  it('is denied by the operator, who alone decides on it, where it names an AcmeIssuer', async () => {
    const denied = decided('ours', 'projectdomain.io', 'Denied');
    expect(await cluster.as(operator, decide, denied)).toMatch(/serverside-applied/);
  });

  it.each([
    ['is not approved', decided('ours', 'projectdomain.io', 'Approved')],
    ['is not denied where it names another issuer', decided('others', 'cert-manager.io', 'Denied')],
  ])('%s', async (_, object) => {
    expect(await cluster.refusal(operator, decide, object)).toContain(outside('certificaterequests', plain));
  });
});

describe('what they are for goes on', () => {
  it.each<[what: string, actor: Actor, object: object]>([
    ["the operator's Service for redirects", operator, made.service({}, 'projectdomain-redirect', acme)],
    ["the operator's endpoints", operator, made.endpointSlice('projectdomain-redirect-ipv4', acme)],
    ["the operator's route", operator, made.ingress('www.example.com', 'pd-www', acme)],
    ["the operator's certificate", operator, made.foreign(cert, 'Certificate', 'pd-www', acme)],
    ["the operator's Secret of a new API key", operator, secret('apikey-first', acme)],
    ["the operator's own key", operator, secret('projectdomain-hmac', systemNamespace)],
    ["the API's Project", api, made.project('second', acme)],
    ["the API's ProjectDomain", api, made.projectDomain('api.example.com', 'api', acme)],
  ])('%s', async (_, actor, object) => {
    expect(await cluster.as(actor, rehearse, object)).toMatch(/created \(server dry run\)/);
  });

  it('the operator cleans up where an account was until its label was taken away', async () => {
    expect(await cluster.as(operator, ['delete', 'ingress', 'pd-www', '-n', plain])).toMatch(/deleted/);
  });
});
