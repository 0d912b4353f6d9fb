import { describe, expect, it } from '@jest/globals';
import { decideAccount } from '../../../src/controllers/account/decide-account.ts';
import type { AccountSnapshot } from '../../../src/controllers/account/account-snapshot.ts';
import { decideApiKey } from '../../../src/controllers/api-key/api-key-reconciler.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import type { RefusedWrite } from '../../../src/controllers/refused-write.ts';
import { createRefusedWrites } from '../../../src/controllers/refused-writes.ts';
import {
  isRouteRefused,
  lastingRefusals,
  recording,
  tellingRefusals,
} from '../../../src/controllers/lasting-refusals.ts';
import type { Actions, WriteAction } from '../../../src/controller-runtime/actions.ts';
import type { EventRecord } from '../../../src/kubernetes/kubernetes-port.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import { ingressControllers } from '../../../src/routing/edges/controllers.ts';
import { createIngressRoutes } from '../../../src/routing/ingress/ingress-routes.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { EndpointSliceKind, GatewayKind, IngressKind } from '../../../src/resources/kinds.ts';
import type { Condition } from '../../../src/rules/conditions.ts';
import { findCondition } from '../../../src/rules/conditions.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { refusalOf } from '../../../src/rules/write-refusal.ts';
import { defaultPlans } from '../../support/plans.ts';
import { account, claim, domain, now, project, routes, settings } from '../../support/snapshot.ts';

/** What the cluster refuses of the other kinds, and what one object is told of another's. */

const refusal = (kind: string): RefusedWrite => ({
  ...{ kind, namespace: 'acme', name: 'x' },
  ...{ code: 'AdmissionDenied', by: 'rules', said: 'no' },
});
const conditionOf = ({ writes }: Pick<Actions, 'writes'>, type: string): Condition | undefined => {
  const status = writes.find(({ verb }) => verb === 'applyStatus') as unknown as {
    object: { status: { conditions: Condition[] } };
  };
  return findCondition(status.object.status.conditions, type);
};

const stores = createOperatorStores(routes, (error) => {
  throw error;
});
const seenProject = { ...gatherProject(stores, settings, project, now), account };
const seenAccount: AccountSnapshot = {
  ...{ now, account, limits: defaultPlans.pro ?? null, namespace: 'acme', missingRights: [], issuerGuard: null },
  ...{ gatewayGuard: null, quota: null, areQuotasCounted: true, newId: 'new' },
};
const withoutId = { ...account, spec: { plan: 'pro' } };
const apiKey = {
  ...{ apiVersion: 'projectdomain.io/v1alpha1', kind: 'ApiKey', metadata: { name: 'k', uid: 'u-k' } },
  spec: { account: 'acme', name: 'k', scopes: [] },
};
const seenKey = {
  ...{ now, account, namespace: 'acme', newKey: { keyId: 'i', sha256: 's', key: 'k' } },
  apiKey: apiKey as never,
};

describe('a refused write is said in the condition of its step', () => {
  it.each<[string, Actions, string, string]>([
    ["a project's Ingress", decideProject({ ...seenProject, refused: [refusal('Ingress')] }), 'Routed', 'False'],
    ["a project's claim", decideProject({ ...seenProject, refused: [refusal('HostnameClaim')] }), 'Routed', 'False'],
    [
      'an entry of spec.domains',
      decideProject({ ...seenProject, refused: [refusal('ProjectDomain')] }),
      'DomainsDeclared',
      'False',
    ],
    ["an account's quota", decideAccount({ ...seenAccount, refused: [refusal('ResourceQuota')] }), 'PlanFound', 'True'],
    [
      "an account's id",
      decideAccount({ ...seenAccount, account: withoutId, refused: [refusal('Account')] }),
      'Ready',
      'False',
    ],
    ["a generated key's Secret", decideApiKey({ ...seenKey, refused: [refusal('Secret')] }), 'Ready', 'False'],
  ])('%s', (_, actions, type, status) => {
    expect(conditionOf(actions, type)).toMatchObject({ status, reason: 'WriteRefused' });
    expect(conditionOf(actions, type)?.message).toContain('the kube-apiserver says: no');
  });

  it('and of nothing else', () => {
    const actions = decideProject({ ...seenProject, refused: [refusal('Ingress')] });
    expect(conditionOf(actions, 'DomainsDeclared')?.reason).toBe('DomainsDeclared');
    expect(conditionOf(actions, 'Accepted')?.reason).toBe('Accepted');
  });
});

const denied = new KubernetesError({
  ...{ status: 403, reason: 'Forbidden', retryAfterMs: null },
  message: 'x "y" is forbidden: User "operator" cannot update globex/www',
});
const wildcardRoutes = createIngressRoutes({ className: 'traefik', controller: ingressControllers.Traefik });
const memory = () =>
  createRefusedWrites({ elapsed: () => 0, observe: () => undefined, isOfAccount: (name) => name !== 'edge' });
const codeOf = (error: unknown) => refusalOf(error) ?? { code: 'ObjectRejected' as const, by: '', said: '' };

describe('what is recorded on a claim write by write', () => {
  const caches = { claims: { get: () => claim() } };
  const domainOfClaim = { domain: domain(), claim: claim(), classes: ['default'], suspendedBelow: [] };

  it('is told in an Event about the claim, thrown, and stands for its domain until it succeeds', async () => {
    const [refusedWrites, events] = [memory(), [] as EventRecord[]];
    const telling = { refusedWrites, caches, recordEvent: (event: EventRecord) => void events.push(event) };
    await expect(tellingRefusals(telling, 'www.example.com', () => Promise.reject(denied))).rejects.toBe(denied);
    expect(events).toMatchObject([{ about: { kind: 'HostnameClaim' }, type: 'Warning', reason: 'WriteRefused' }]);
    expect(JSON.stringify(events)).not.toContain('globex');
    expect(lastingRefusals({ settings, refusedWrites }, domainOfClaim)).toMatchObject([{ code: 'OperatorForbidden' }]);
    await tellingRefusals(telling, 'www.example.com', () => Promise.resolve({}));
    expect(lastingRefusals({ settings, refusedWrites }, domainOfClaim)).toEqual([]);
  });

  it('is not told twice', async () => {
    const [refusedWrites, events] = [memory(), [] as EventRecord[]];
    refusedWrites.refused(recording(claim()), codeOf(denied), denied);
    const telling = { refusedWrites, caches, recordEvent: (event: EventRecord) => void events.push(event) };
    await expect(tellingRefusals(telling, 'www.example.com', () => Promise.reject(denied))).rejects.toBe(denied);
    expect(events).toEqual([]);
  });
});

describe('a domain is told of what others write for it', () => {
  const apply = (kind: WriteAction['kind'], namespace: string, name: string): WriteAction => ({
    ...{ verb: 'apply', kind },
    object: { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { namespace, name } },
  });
  const gateway = { class: 'edge', namespace: 'edge', name: 'customers', listeners: 'Gateway' } as const;
  const sources = { settings: { writtenGateways: [gateway], routes: wildcardRoutes }, refusedWrites: memory() };
  const redirect = domain({ spec: { role: 'Redirect', redirect: { to: 'example.com' } } });
  const refused = (action: WriteAction) => sources.refusedWrites.refused(action, codeOf(denied), denied);
  refused(apply(EndpointSliceKind, 'acme', 'projectdomain-redirect-ipv4'));
  refused(apply(GatewayKind, 'edge', 'customers'));
  const nothing = { claim: undefined, suspendedBelow: [] };
  const wildcard = domain({ spec: { hostname: '*.example.com' } });
  refused(apply(IngressKind, 'acme', `${childName('*.example.com')}-suspended`));

  it.each([
    ['a redirect of what leads its namespace to the redirector', redirect, ['default'], ['EndpointSlice']],
    ['a primary of nothing of it', domain(), ['default'], []],
    ['a hostname of the class of its Gateway', domain(), ['edge'], ['Gateway']],
  ])('%s', (_, subject, classes, kinds) => {
    const lasting = lastingRefusals(sources, { ...nothing, domain: subject, classes });
    expect(lasting.map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    ['while there are some', ['phish.example.com'], ['Ingress', 'EndpointSlice']],
    ['and of nothing once there are none', [], []],
  ])('a wildcard of what leads suspended hostnames around it, %s', (_, suspendedBelow, kinds) => {
    const lasting = lastingRefusals(sources, { ...nothing, domain: wildcard, classes: ['default'], suspendedBelow });
    expect(lasting.map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    ['while that is so', 'apply', true],
    ['and not once it is done', 'done', false],
  ])('and it is known that the route of its own is refused, %s', (_, ended, expected) => {
    const refusedWrites = memory();
    const own = apply(IngressKind, 'acme', childName('www.example.com'));
    refusedWrites.refused(own, codeOf(denied), denied);
    if (ended === 'done') refusedWrites.done(own);
    expect(isRouteRefused({ ...sources, refusedWrites }, domain())).toBe(expected);
    expect(isRouteRefused({ ...sources, refusedWrites }, wildcard)).toBe(false);
  });

  it('and of the Gateway in no words that may name hostnames of others', () => {
    const [lasting] = lastingRefusals(sources, { ...nothing, domain: domain(), classes: ['edge'] });
    expect(lasting?.said).toBe('see the Event about the Gateway');
  });
});
