import { beforeEach, describe, expect, it } from '@jest/globals';
import { denyForeignRequest, foreignRequestKeys } from '../../../src/controllers/orphan/foreign-requests.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import type { OperatorStores } from '../../../src/operator/operator-stores.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import type { Certificate, CertificateRequest } from '../../../src/resources/cert-manager-types.ts';
import { now, routes, settings } from '../../support/snapshot.ts';

/** Fails when a request that nobody answers for waits for ever, or one of our own is denied. */

const issuer = { kind: 'AcmeIssuer', name: 'ca' } as const;
const ours = { group: 'projectdomain.io', kind: 'AcmeIssuer', name: 'ca' };
const owner = (kind: string, uid: string) => ({ apiVersion: 'x', kind, name: uid, uid, controller: true });

const certificate = (annotations: Readonly<Record<string, string>> = {}): Certificate => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'c', namespace: 'acme', uid: 'u-c', resourceVersion: '1', annotations },
  spec: { secretName: 'c' },
});
const request = (changes: Partial<CertificateRequest> = {}): CertificateRequest => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'CertificateRequest',
  metadata: {
    name: 'r',
    namespace: 'acme',
    uid: 'u-r',
    resourceVersion: '1',
    annotations: { 'cert-manager.io/certificate-name': 'c' },
    ownerReferences: [owner('Certificate', 'u-c')],
  },
  spec: { issuerRef: ours },
  ...changes,
});
const byHand: CertificateRequest = {
  ...request(),
  metadata: { name: 'r', namespace: 'acme', uid: 'u-r', resourceVersion: '1' },
};

const ofDomain = { 'projectdomain.io/hostname': 'www.example.com' };

let stores: OperatorStores;
let applied: { readonly type: string; readonly status: string; readonly reason: string }[];

beforeEach(() => {
  stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  applied = [];
});

/** What the request says once it was looked at, where the cluster has this Certificate and the caches are behind. */
async function after(given: CertificateRequest, live: Certificate | undefined): Promise<readonly string[]> {
  stores.certificateRequests.put(given);
  const keys = foreignRequestKeys(stores, issuer, given).orphan ?? [];
  const dependencies = {
    caches: stores,
    settings: { ...settings, issuer },
    cluster: {
      get: () => Promise.resolve(live),
      applyStatus: (_: unknown, { status }: { status: { conditions: typeof applied } }) =>
        Promise.resolve(void applied.push(...status.conditions)),
    },
    recordEvent: () => undefined,
    now: () => now,
  } as unknown as ControllerNeeds;
  if (keys.length > 0) await denyForeignRequest(dependencies, { namespace: 'acme', name: 'r' });
  return applied.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
}

const denied = ['Denied True projectdomain.io', 'Ready False Denied'];
const decided = { conditions: [{ type: 'Approved', status: 'True' as const }] };

describe('a request that names our AcmeIssuer', () => {
  it.each<[string, CertificateRequest, Certificate | undefined, readonly string[]]>([
    ['is denied where it is of no Certificate', byHand, undefined, denied],
    ['is denied where its Certificate is gone', request(), undefined, denied],
    [
      'is denied where it bears the name of one of ours that has not made it',
      { ...request(), metadata: { ...request().metadata, ownerReferences: [] } },
      certificate(ofDomain),
      denied,
    ],
    ['is denied where its Certificate is somebody else’s', request(), certificate(), denied],
    [
      'is left to its domain, although the caches do not show its Certificate yet',
      request(),
      certificate(ofDomain),
      [],
    ],
    ['is left alone once it is decided', request({ status: decided }), undefined, []],
    ['of another issuer is left alone', request({ spec: { issuerRef: { ...ours, name: 'other' } } }), undefined, []],
  ])('%s', async (_, given, live, expected) => {
    expect(await after(given, live)).toEqual(expected);
  });
});
