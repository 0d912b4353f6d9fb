import { describe, expect, it } from '@jest/globals';
import { createForeignLooks } from '../../../src/controllers/project/foreign-looks.ts';

import { reconcileProject } from '../../../src/controllers/project/project-reconciler.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import type { Project } from '../../../src/generated/project.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import type { ProbeRequest, ProbeResult } from '../../../src/routing/https-probe.ts';
import { findCondition, timestamp } from '../../../src/rules/conditions.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { ownSecretName } from '../../../src/rules/own-certificate.ts';
import {
  account,
  certificateIn,
  claim,
  domain,
  ingress,
  now,
  project,
  routes,
  settings,
} from '../../support/snapshot.ts';

/**
 * A platform hostname is looked at as often as a customer's. Fails when visitors of one see a customer's certificate and nobody is told, or when a tenant can
 * raise the alarm by what it writes into its own objects.
 */

const minute = 60_000;
const hostname = 'shop.apps.example.net';
const facts = {
  chain: ['f'.repeat(64)],
  names: ['www.example.com'],
  issuer: 'CN=ca',
  notBefore: timestamp(now),
  notAfter: timestamp(now + 1_000 * minute),
};
const secretName = ownSecretName(settings.records, { accountId: 'acc-acme', hostname: 'www.example.com' }, facts);

/** A project that is served, and an edge that shows what is given for its platform hostname. */
function served(platformTls: 'Default' | 'PerHost', shows: (request: ProbeRequest) => ProbeResult) {
  let time = now;
  const [events, asked]: [string[], ProbeRequest[]] = [[], []];
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  let version = 1;
  const put = <T extends KubernetesObject>(store: { put(object: T): void } | undefined, object: T) => {
    version += 1;
    store?.put({ ...object, metadata: { ...object.metadata, resourceVersion: String(version) } });
  };
  const labels = { 'projectdomain.io/account': 'acme' };
  put(stores.accounts, account);
  put(stores.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme', labels } });
  const routed = {
    type: 'Routed',
    status: 'True',
    reason: 'Routed',
    message: '',
    lastTransitionTime: timestamp(now),
  } as const;
  put(stores.projects, { ...project, status: { deployedAt: timestamp(now), conditions: [routed] } });
  const holder = { namespace: 'acme', name: project.metadata.name };
  put(stores.claims, {
    ...claim({ holder, proof: { method: 'Platform', at: timestamp(now) } }),
    metadata: { name: hostname },
  });
  put(stores.certificates, {
    ...certificateIn(true),
    metadata: { ...certificateIn(true).metadata, name: childName(hostname) },
  });
  const ofHostname = JSON.parse(JSON.stringify(ingress).replaceAll('www.example.com', hostname)) as KubernetesObject;
  put(stores.routeStores.ingresses, { ...ofHostname, metadata: { ...ofHostname.metadata, name: childName(hostname) } });
  const dependencies = {
    settings: { ...settings, platformTls },
    caches: stores,
    cluster: {
      apply: (_: unknown, object: KubernetesObject) => Promise.resolve(object),
      replace: (_: unknown, object: KubernetesObject) => Promise.resolve(object),
      create: (_: unknown, object: KubernetesObject) => Promise.resolve(object),
      applyStatus: (kind: { kind: string }, object: KubernetesObject) => {
        const before = stores.projects.get({ namespace: 'acme', name: project.metadata.name });
        if (kind.kind === 'Project') put(stores.projects, { ...before, status: (object as Project).status } as Project);
        return Promise.resolve(object);
      },
    },
    probe: {
      ask: (request: ProbeRequest) => {
        asked.push(request);
        return Promise.resolve(shows(request));
      },
    },
    foreignLooks: createForeignLooks(),
    gatewayGuard: () => Promise.resolve(null),
    edgeControllers: () => Promise.resolve({}),
    recordEvent: ({ reason }: { readonly reason: string }) => void events.push(reason),
    now: () => time,
  } as unknown as ControllerNeeds;
  return {
    asked,
    events,
    hasCertificate: (spec: ProjectDomain['spec']['certificate']) =>
      put(stores.domains, domain({ spec: { certificate: spec } } as never)),
    /** Visits the project, after some time, until it has been looked at, at most so often; what it says of its hostname then. */
    async looked(afterMs = 0) {
      time += afterMs;
      for (let visits = 0; visits < 3 && asked.length === 0; visits += 1) {
        const key = `acme/${project.metadata.name}`;
        const { requeueAfterMs = 0 } = await reconcileProject(dependencies, key, new AbortController().signal);
        if (asked.length === 0) time += requeueAfterMs;
      }
      asked.length = 0;
      const { status } = stores.projects.get({ namespace: 'acme', name: project.metadata.name }) as Project;
      return findCondition(status?.conditions, 'Routed')?.reason;
    },
  };
}

const foreign = { ok: false, code: 'Untrusted', detail: 'SELF_SIGNED_CERT_IN_CHAIN', isForeign: true } as const;
const down = { ok: false, code: 'NoAnswer', detail: 'answered with status 503', isForeign: false } as const;
const unreachable = { ok: false, code: 'Unreachable', detail: 'ECONNREFUSED' } as const;
/** What the real probe makes of a certificate with this fingerprint. */
const showing =
  (fingerprint: string) =>
  (request: ProbeRequest): ProbeResult =>
    request.isForeign?.(fingerprint) ? { ...foreign, code: 'WrongCertificate' } : { ok: true };

describe('a platform hostname that is served', () => {
  it('says so where visitors see one that is not its own for ten seconds, and no more once they do not', async () => {
    let shows: ProbeResult = foreign;
    const site = served('PerHost', () => shows);
    expect(await site.looked()).toBe('Routed');
    expect(await site.looked(9_000)).toBe('Routed');
    expect(site.events).toEqual([]);
    expect(await site.looked(1_000)).toBe('ForeignCertificate');
    expect(await site.looked()).toBe('ForeignCertificate');
    expect(site.events).toEqual(['ForeignCertificate']);
    shows = { ok: true };
    expect(await site.looked()).toBe('Routed');
  });

  it('with the platform’s own certificate says so where visitors see a customer’s', async () => {
    const site = served('Default', showing('f'.repeat(64)));
    site.hasCertificate({ ...facts, secretName });
    expect(await site.looked()).toBe('Routed');
    expect(await site.looked(10_000)).toBe('ForeignCertificate');
    expect(site.events).toEqual(['ForeignCertificate']);
  });

  it.each<[string, ProjectDomain['spec']['certificate']]>([
    ['nobody sent', undefined],
    ['a tenant says to have sent, and has not', { ...facts, secretName: `pd-own-${'a'.repeat(26)}` }],
  ])('says nothing where visitors see one that %s', async (_, spec) => {
    const site = served('Default', showing('f'.repeat(64)));
    site.hasCertificate(spec);
    expect(await site.looked()).toBe('Routed');
    expect(site.events).toEqual([]);
  });

  it('says nothing of a wrong handshake now and then, as while an edge starts again', async () => {
    let shows: ProbeResult = foreign;
    const site = served('PerHost', () => shows);
    await site.looked();
    shows = { ok: true };
    await site.looked(5_000);
    shows = foreign;
    expect(await site.looked(3_600_000)).toBe('Routed');
    expect(site.events).toEqual([]);
  });

  it.each<[string, ProbeResult, string]>([
    ['no more once its own is shown, whatever the application answers', down, 'Routed'],
    ['for as long as the edge shows none', unreachable, 'ForeignCertificate'],
  ])('goes on saying so %s', async (_, then, wanted) => {
    let shows: ProbeResult = foreign;
    const site = served('PerHost', () => shows);
    await site.looked();
    await site.looked(10_000);
    shows = then;
    expect(await site.looked(60_000)).toBe(wanted);
  });

  it('says nothing where the edge does not answer', async () => {
    const site = served('PerHost', () => unreachable);
    expect(await site.looked()).toBe('Routed');
  });
});
