import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { declaredDomains } from '../../../src/rules/declared-domains.ts';
import { decideDeclaredDomains } from '../../../src/controllers/project/declared-domains-step.ts';
import { noOrderUsage } from '../../../src/controllers/order-ledger/order-usage.ts';
import type { ProjectSnapshot } from '../../../src/controllers/project/project-snapshot.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { redirectSlices } from '../../../src/routing/redirect-service.ts';
import {
  accountsWith,
  orderLimits,
  account,
  certificateIn,
  domain,
  heldBy,
  ingress,
  routeOf,
  verdict,
  now,
  project,
  settings,
  snapshot,
} from '../../support/snapshot.ts';

const leading = (service: string) =>
  routeOf({
    ...ingress,
    spec: { rules: [{ http: { paths: [{ path: '/', backend: { service: { name: service } } }] } }] },
  } as KubernetesObject);
const toRedirector = leading('projectdomain-redirect');
const toProject = leading('shop-web');

describe('the route of a redirect', () => {
  const redirect = domain({ spec: { role: 'Redirect', redirect: { to: 'example.com' } } });
  const sibling = {
    namespace: 'acme',
    name: 'apex',
    hostname: 'example.com',
    role: 'Primary',
    precedence: { held: true, provedAt: '1', createdAt: '1', key: 'acme/apex' },
  } as const;
  it.each<[string, Parameters<typeof snapshot>[0], string]>([
    ['leads to the redirector from the start', { route: undefined }, 'projectdomain-redirect'],
    [
      'goes on leading to the project while its destination still redirects',
      { route: toProject, destination: toRedirector },
      'shop-web',
    ],
    ['goes on leading to the project while its destination has no route', { route: toProject }, 'shop-web'],
    [
      'changes once its destination leads to the project',
      { route: toProject, destination: toProject },
      'projectdomain-redirect',
    ],
    [
      'stays with the redirector whatever becomes of the destination',
      { route: toRedirector },
      'projectdomain-redirect',
    ],
  ])('%s', (_, changes, backend) => {
    const actions = decideProjectDomain(
      snapshot({
        ...heldBy,
        domain: redirect,
        siblings: [sibling],
        certificate: certificateIn(true),
        verdict: verdict(),
        ...changes,
      }),
    );
    const apply = actions.writes.find(({ verb, kind }) => verb === 'apply' && kind.kind === 'Ingress');
    expect(JSON.stringify(apply)).toContain(`"name":"${backend}"`);
  });
});

describe("the redirector's endpoints in an account namespace", () => {
  it('are its ready Pods, sorted, by address family', () => {
    const slice = (addressType: 'IPv4' | 'IPv6', addresses: readonly string[], ready?: boolean) => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'x' },
      addressType,
      endpoints: addresses.map((address) => ({
        addresses: [address],
        conditions: ready === undefined ? {} : { ready },
      })),
    });
    const made = redirectSlices(
      { namespace: 'acme', owner: account },
      [slice('IPv4', ['10.0.0.2', '10.0.0.1']), slice('IPv4', ['10.0.0.3'], false), slice('IPv6', ['fd00::1'])],
      [],
    );
    expect(
      made.map(({ addressType, endpoints }) => [addressType, endpoints.flatMap(({ addresses }) => addresses)]),
    ).toEqual([
      ['IPv4', ['10.0.0.1', '10.0.0.2']],
      ['IPv6', ['fd00::1']],
    ]);
  });

  it('of a family that is no longer in use are emptied, not left to lead nowhere', () => {
    const existing = [
      { apiVersion: 'v1', kind: 'EndpointSlice', metadata: { name: 'x' }, addressType: 'IPv6' as const },
    ];
    expect(redirectSlices({ namespace: 'acme', owner: account }, [], existing)[1]).toMatchObject({
      addressType: 'IPv6',
      endpoints: [],
    });
  });

  it('are none, but there, while no Pod is', () => {
    expect(redirectSlices({ namespace: 'acme', owner: account }, [], [])).toMatchObject([
      { addressType: 'IPv4', endpoints: [] },
    ]);
  });
});

describe('project configuration', () => {
  const domains = {
    primary: 'www.example.com',
    redirects: [{ from: 'example.com' }, { from: 'old.example.com', to: 'example.org', status: 302 as const }],
  };

  it('is one ProjectDomain for each entry, the primary first, with its defaults', () => {
    expect(declaredDomains('shop', domains)).toEqual([
      { project: 'shop', hostname: 'www.example.com', role: 'Primary' },
      { project: 'shop', hostname: 'example.com', role: 'Redirect', redirect: { to: 'www.example.com', status: 301 } },
      { project: 'shop', hostname: 'old.example.com', role: 'Redirect', redirect: { to: 'example.org', status: 302 } },
    ]);
  });

  const child = (hostname: string, controlled: boolean): ProjectDomain => ({
    ...domain({ spec: { hostname } }),
    metadata: {
      name: controlled ? hostname : 'by-hand',
      namespace: 'acme',
      uid: `u-${hostname}`,
      ownerReferences: [{ apiVersion: '', kind: 'Project', name: 'shop', uid: 'u-shop', controller: controlled }],
    },
  });
  const scene = (own: readonly ProjectDomain[]): ProjectSnapshot => ({
    now,
    settings,
    project: { ...project, spec: { ...project.spec, domains } },
    account,
    hostname: 'shop.apps.example.net',
    target: null,
    permittedClasses: [],
    claim: undefined,
    serving: true,
    certificate: undefined,
    orderLedger: undefined,
    issuerAccounts: accountsWith(orderLimits),
    ...noOrderUsage,
    requests: [],
    route: undefined,
    domains: own,
    sameHostname: own,
    probe: null,
    isAccountFull: false,
  });
  const deeds = (own: readonly ProjectDomain[]) =>
    decideDeclaredDomains(scene(own)).writes.map(
      (action) =>
        `${action.verb} ${action.verb === 'remove' ? action.key.name : action.verb === 'apply' ? action.object.metadata.name : ''}`,
    );

  it.each<[string, readonly ProjectDomain[], readonly string[]]>([
    ['makes what is not there', [], ['apply www.example.com', 'apply example.com', 'apply old.example.com']],
    [
      'removes what it no longer declares',
      [child('gone.example.com', true)],
      ['remove gone.example.com', 'apply www.example.com', 'apply example.com', 'apply old.example.com'],
    ],
    [
      'leaves alone what somebody made by hand',
      [child('gone.example.com', false)],
      ['apply www.example.com', 'apply example.com', 'apply old.example.com'],
    ],
    [
      'adopts nothing that somebody made by hand',
      [child('example.com', false)],
      ['apply www.example.com', 'apply old.example.com'],
    ],
  ])('%s', (_, own, expected) => {
    expect(deeds(own)).toEqual(expected);
  });

  it('says where a hostname is declared that it could not take', () => {
    expect(decideDeclaredDomains(scene([child('example.com', false)])).finding).toMatchObject({
      status: 'False',
      reason: 'DeclaredElsewhere',
      message: expect.stringContaining('example.com by acme/by-hand') as unknown,
    });
  });
});
