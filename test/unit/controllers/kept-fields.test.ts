import { describe, expect, it } from '@jest/globals';
import {
  headOfAccount,
  keptOfChild,
  keptOfNamespace,
  keptOfRequest,
  keptOfSlice,
  withoutLastApplied,
} from '../../../src/controllers/kept-fields.ts';
import * as api from '../../../src/api-server/api-stores.ts';
import { redirectKinds } from '../../../src/redirector/redirect-kinds.ts';
import { childLabels } from '../../../src/resources/object-metadata.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { redirectSlices } from '../../../src/routing/redirect-service.ts';

type Kept = (object: never) => unknown;

const metadata = { name: 'x', namespace: 'a', uid: 'u', resourceVersion: '7' };
const owner = { apiVersion: 'projectdomain.io/v1alpha1', kind: 'ProjectDomain', metadata: { name: 'd', uid: 'd-uid' } };
const lastApplied = { 'kubectl.kubernetes.io/last-applied-configuration': '{"much":"text"}' };
const condition = { type: 'Approved', status: 'True' };
const ready = { type: 'Ready', status: 'True' };
const request = { issuerRef: { name: 'i' }, request: 'UEVN', username: 'somebody' };
const listed = (...roles: readonly string[]) => roles.map((role) => ({ hostname: 'x', role, state: 'Live' }));
const tenThousand = Array.from({ length: 10_000 }, () => 'Primary');
const [ours] = redirectSlices({ namespace: 'a', owner }, [], []);

describe('what is kept', () => {
  it.each<[string, Kept, object, object]>([
    [
      'the copy that kubectl apply leaves is not, other annotations are',
      withoutLastApplied,
      { metadata: { ...metadata, annotations: { ...lastApplied, mine: 'yes' } }, spec: { a: 1 } },
      { metadata: { ...metadata, annotations: { mine: 'yes' } }, spec: { a: 1 } },
    ],
    [
      'of a namespace: its metadata',
      keptOfNamespace,
      { kind: 'Namespace', metadata: { ...metadata, labels: { l: 'v' } }, spec: { finalizers: [] }, status: {} },
      { kind: 'Namespace', metadata: { ...metadata, labels: { l: 'v' } } },
    ],
    [
      'of the head of an account: that it is being deleted, after which it owns nothing new',
      headOfAccount,
      {
        kind: 'Account',
        metadata: { ...metadata, labels: { l: 'v' }, deletionTimestamp: 'now' },
        spec: { plan: 'pro' },
        status: {},
      },
      { kind: 'Account', metadata: { name: 'x', uid: 'u', deletionTimestamp: 'now' }, spec: { plan: 'pro' } },
    ],
    [
      'of the head of an account that is being deleted: whether what it owns is to stay',
      headOfAccount,
      {
        kind: 'Account',
        metadata: { ...metadata, deletionTimestamp: 'now', finalizers: ['orphan'] },
        spec: { plan: 'pro' },
      },
      {
        kind: 'Account',
        metadata: { name: 'x', uid: 'u', deletionTimestamp: 'now', finalizers: ['orphan'] },
        spec: { plan: 'pro' },
      },
    ],
    [
      'of a Certificate: all of its status, which a new attempt sends back by PUT',
      withoutLastApplied,
      { metadata, spec: { secretName: 's' }, status: { notAfter: 'then', revision: 3 } },
      { metadata, spec: { secretName: 's' }, status: { notAfter: 'then', revision: 3 } },
    ],
    [
      'of a request that waits for approval: what it asks for',
      keptOfRequest,
      { metadata, spec: request, status: { conditions: [], certificate: 'PEM', ca: 'PEM' } },
      { metadata, spec: { issuerRef: { name: 'i' }, request: 'UEVN' }, status: { conditions: [] } },
    ],
    [
      'of a request that was decided: still the signing request, which an order ends with',
      keptOfRequest,
      { metadata, spec: request, status: { conditions: [condition], certificate: 'PEM' } },
      { metadata, spec: { issuerRef: { name: 'i' }, request: 'UEVN' }, status: { conditions: [condition] } },
    ],
    [
      'of a request that has ended: no PEM at all',
      keptOfRequest,
      { metadata, spec: request, status: { conditions: [condition, ready], certificate: 'PEM' } },
      { metadata, spec: { issuerRef: { name: 'i' } }, status: { conditions: [condition, ready] } },
    ],
    [
      'of a request: which Certificate it names, and who owns it',
      keptOfRequest,
      {
        metadata: {
          ...metadata,
          ownerReferences: [{ uid: 'o' }],
          labels: { l: 'v' },
          annotations: { 'cert-manager.io/certificate-name': 'c', other: 'long' },
        },
        spec: { isCA: true, issuerRef: { name: 'i' } },
      },
      {
        metadata: {
          ...metadata,
          ownerReferences: [{ uid: 'o' }],
          annotations: { 'cert-manager.io/certificate-name': 'c' },
        },
        spec: { isCA: true, issuerRef: { name: 'i' } },
      },
    ],
    [
      'of a slice of somebody else: addresses and whether they are ready',
      keptOfSlice,
      {
        metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 's', other: 'l' } },
        addressType: 'IPv4',
        endpoints: [
          { addresses: ['192.0.2.1'], conditions: { ready: false, serving: true }, targetRef: { name: 'pod' } },
          { addresses: ['192.0.2.2'], nodeName: 'node' },
        ],
        ports: [{ port: 80 }],
      },
      {
        metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 's' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: false } }, { addresses: ['192.0.2.2'] }],
      },
    ],
    ['of a slice that the operator applies: all of it', keptOfSlice, { ...ours }, { ...ours }],
    [
      'by the API server of an account: who it is and its spec',
      api.keptOfAccount,
      {
        kind: 'Account',
        metadata: { name: 'x', uid: 'u', resourceVersion: '7', generation: 2 },
        spec: { plan: 'pro' },
        status: {},
      },
      { kind: 'Account', metadata: { name: 'x', uid: 'u', resourceVersion: '7' }, spec: { plan: 'pro' } },
    ],
    [
      'by the API server of a namespace: whose it is',
      api.keptOfNamespace,
      {
        metadata: { name: 'x', uid: 'u', resourceVersion: '7', labels: { 'projectdomain.io/account': 'a', l: 'v' } },
        spec: {},
      },
      { metadata: { name: 'x', uid: 'u', resourceVersion: '7', labels: { 'projectdomain.io/account': 'a' } } },
    ],
    [
      'by the redirector of a claim: who holds the hostname, and whether still',
      redirectKinds.claims.keep,
      {
        metadata: { name: 'x', uid: 'u', resourceVersion: '7' },
        spec: { phase: 'Held', holder: { namespace: 'a', name: 'd' }, proof: { method: 'CNAME' }, orders: [] },
      },
      {
        metadata: { name: 'x', resourceVersion: '7' },
        spec: { phase: 'Held', holder: { namespace: 'a', name: 'd' } },
      },
    ],
    [
      'by the redirector of a claim with an open order: the thumbprint that answers its challenges',
      redirectKinds.claims.keep,
      {
        metadata: { name: 'x', uid: 'u', resourceVersion: '7' },
        spec: {
          phase: 'Held',
          holder: { namespace: 'a', name: 'd' },
          proof: { method: 'Platform' },
          orders: [
            { request: 'r', at: 't', outcome: 'Failed', acme: { account: 'u', thumbprint: 'former', placed: 1 } },
            { request: 's', at: 't', outcome: 'Pending', acme: { account: 'u', thumbprint: 'ours', placed: 1 } },
          ],
        },
      },
      {
        metadata: { name: 'x', resourceVersion: '7' },
        spec: {
          phase: 'Held',
          holder: { namespace: 'a', name: 'd' },
          proof: { method: 'Platform' },
          orders: [{ outcome: 'Failed' }, { outcome: 'Pending', acme: { thumbprint: 'ours' } }],
        },
      },
    ],
    [
      'by the redirector of a platform hostname that is renewed: that a certificate was issued',
      redirectKinds.claims.keep,
      {
        metadata: { name: 'x', uid: 'u', resourceVersion: '7' },
        spec: {
          phase: 'Held',
          holder: { namespace: 'a', name: 'd' },
          proof: { method: 'Platform' },
          orders: [
            { request: 'r', at: 't', outcome: 'Issued', endedAt: 't' },
            { request: 's', at: 't', outcome: 'Pending', acme: { account: 'u', thumbprint: 'ours', placed: 1 } },
          ],
        },
      },
      {
        metadata: { name: 'x', resourceVersion: '7' },
        spec: {
          phase: 'Held',
          holder: { namespace: 'a', name: 'd' },
          proof: { method: 'Platform' },
          orders: [{ outcome: 'Issued' }, { outcome: 'Pending', acme: { thumbprint: 'ours' } }],
        },
      },
    ],
    [
      'by the redirector of a domain: its state, and that it has a certificate',
      redirectKinds.domains.keep,
      {
        metadata: { ...metadata, namespace: 'a', uid: 'u', labels: { l: 'v' } },
        spec: { project: 'shop', hostname: 'www.example.com' },
        status: { state: 'Live', certificate: { name: 'c', notAfter: 'then', attempts: 1 }, timeline: [] },
      },
      {
        metadata: { name: 'x', namespace: 'a', uid: 'u', resourceVersion: '7' },
        spec: { project: 'shop', hostname: 'www.example.com' },
        status: { state: 'Live', certificate: { notAfter: 'then' } },
      },
    ],
    [
      'by the redirector of a suspended claim: that it is, and not why',
      redirectKinds.claims.keep,
      {
        metadata: { ...metadata, annotations: { 'projectdomain.io/suspend': 'abuse report 12', other: 'x' } },
        spec: { phase: 'Tombstone', holder: { namespace: 'a', name: 'd' }, proof: { method: 'TXT', at: 'x' } },
      },
      {
        metadata: { name: 'x', resourceVersion: '7', annotations: { 'projectdomain.io/suspend': '' } },
        spec: { phase: 'Tombstone', holder: { namespace: 'a', name: 'd' } },
      },
    ],
    [
      'by the redirector of the claim of a platform hostname: whose it is, and that it is one',
      redirectKinds.claims.keep,
      {
        metadata: { ...metadata, labels: { l: 'v' } },
        spec: {
          account: 'acc',
          phase: 'Held',
          epoch: 1,
          holder: { namespace: 'a', name: 'shop' },
          proof: { method: 'Platform', at: '2026-01-01T00:00:00Z' },
        },
      },
      {
        metadata: { name: 'x', resourceVersion: '7' },
        spec: { phase: 'Held', holder: { namespace: 'a', name: 'shop' }, proof: { method: 'Platform' } },
      },
    ],
    [
      'by the redirector of a project with a redirect: its platform hostname, to which that may lead',
      redirectKinds.projects.keep,
      {
        metadata: { ...metadata, labels: { l: 'v' } },
        spec: { service: { name: 'web', port: 80 } },
        status: { platformHostname: 'shop.apps.example.net', target: 't', domains: listed('Primary', 'Redirect') },
      },
      {
        metadata: { name: 'x', namespace: 'a', resourceVersion: '7' },
        status: { platformHostname: 'shop.apps.example.net' },
      },
    ],
  ])('%s', (_, keep, given, wanted) => {
    const kept = keep(given as never) as object;
    expect(kept).toMatchObject(wanted);
    // A list after a restore is compared with the cached objects: a field without a value would make each look changed.
    expect(JSON.parse(JSON.stringify(kept))).toEqual(JSON.parse(JSON.stringify(wanted)));
  });

  it.each([
    ['is not kept where all domains serve', false, listed('Primary')],
    ['is not kept where there are no domains', false, []],
    ['is kept where its status cannot list all domains, so that any may redirect', true, listed(...tenThousand)],
  ])('by the redirector of a project: its platform hostname %s', (_, isKept, domains) => {
    const { keep } = redirectKinds.projects;
    const project = { metadata, status: { platformHostname: 'shop.apps.example.net', domains } };
    expect(keep(project as never) !== undefined).toBe(isKept);
  });

  it('nothing is undefined, so that what is kept compares as what was sent', () => {
    const bare = { apiVersion: 'v1', kind: 'K', metadata: { name: 'x' }, spec: { issuerRef: { name: 'i' } } };
    const keeps: readonly Kept[] = [keptOfNamespace, keptOfRequest, keptOfSlice, api.keptOfNamespace];
    for (const keep of keeps) {
      const kept = keep(bare as never);
      expect(kept).toStrictEqual(JSON.parse(JSON.stringify(kept)));
    }
  });
});

describe('which objects are kept as children', () => {
  const name = childName('www.example.com');
  const labels = { 'app.kubernetes.io/managed-by': 'somebody-else' };
  it.each<[string, string, object, boolean]>([
    ['one with the name of a hostname', name, {}, true],
    ['the same with labels of others', name, { labels }, true],
    ['one of a routing class', `${name}.gateway`, {}, true],
    ['a part of one', `${name}.gateway-https`, {}, true],
    ['not one of others that bears our label', 'pd-agent', { labels: childLabels }, false],
    ['not one whose name only begins like it', `${name}abc`, {}, false],
    ["not a customer's own Secret", `pd-own-${'a'.repeat(26)}`, { labels: childLabels }, false],
  ])('%s', (_, named, rest, isKept) => {
    const object = { apiVersion: 'v1', kind: 'X', metadata: { ...metadata, name: named, ...rest } };
    expect(keptOfChild((one) => one)(object)).toBe(isKept ? object : undefined);
  });
});
