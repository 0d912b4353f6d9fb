import { describe, expect, it } from '@jest/globals';
import type { Plan } from '../../../src/generated/plan.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { reconcileProjectDomain } from '../../../src/controllers/project-domain/project-domain-reconciler.ts';
import { createRecentChecks } from '../../../src/controllers/project-domain/recent-checks.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import type { ProbeResult } from '../../../src/routing/https-probe.ts';
import type { CheckRequest, DnsFacts } from '../../../src/dns/dns-facts.ts';
import type { Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { noTracer } from '../../../src/lib/tracer.ts';
import { addresses, facts, name } from '../../support/dns-facts.ts';
import { defaultPlans } from '../../support/plans.ts';
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

/** When a scheduled check of a Live domain leaves out everything but DNS, and what ends that. */

const minute = 60_000;
const hour = 60 * minute;
const hostname = 'www.example.com';
const key = 'acme/www';
const target = settings.records.target({ accountId: 'acc-acme', name: 'shop' });

const noCaa = ['example.com', 'com'].map((parent) => name(parent, [{ CAA: 'NODATA' }, { CAA: 'NODATA' }]));
/** Two servers say so, and nobody has CAA records. */
const factsWith = (said: Parameters<typeof addresses>[0]): DnsFacts => {
  const view = { ...addresses(said), CAA: 'NODATA' };
  return facts(hostname, [name(hostname, [view, view]), ...noCaa]);
};
const right = factsWith(`-> ${target}`);

const types = ['Accepted', 'OwnershipVerified', 'DNSVerified', 'CertificateIssued', 'Routed', 'Ready'] as const;
const conditions = types.map((type) => ({
  type,
  status: 'True' as const,
  reason: type,
  message: '',
  lastTransitionTime: '2025-12-01T00:00:00Z',
}));
const check = {
  startedAt: '2025-12-01T00:00:00Z',
  checkedAt: '2026-01-01T11:00:00Z',
  routing: 'Yes',
  ownership: 'Yes',
  caa: 'Yes',
  corroborated: true,
  routedBy: 'target',
} as const;

/** A Live domain in the operator's caches, a DNS that is set by hand, and what its reconciles read and write. */
function createLiveDomain() {
  let time = now;
  let version = 1;
  let says = right;
  let meanwhile: () => void = () => undefined;
  let answer: 'done' | 'fault' = 'done';
  const asked: CheckRequest[] = [];
  const probed: object[] = [];
  const events: string[] = [];
  let shows: ProbeResult = { ok: true };
  const applied: string[] = [];
  const read: string[] = [];
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const put = <T extends KubernetesObject>(store: { put(object: T): void } | undefined, object: T) => {
    version += 1;
    const metadata = { ...object.metadata, resourceVersion: String(version) };
    store?.put({ ...object, metadata });
  };
  const { apiVersion } = account;
  put(stores.plans, { apiVersion, kind: 'Plan', metadata: { name: 'pro' }, spec: defaultPlans.pro as Plan['spec'] });
  put(stores.accounts, account);
  const labels = { 'projectdomain.io/account': 'acme' };
  put(stores.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme', labels } });
  put(stores.projects, project);
  put(stores.claims, claim());
  put(stores.certificates, certificateIn(true));
  put(stores.routeStores.ingresses, ingress);
  put(stores.domains, domain({ status: { state: 'Live', conditions, check } }));

  const write = (kind: Kind<KubernetesObject>, object: KubernetesObject) => {
    if (kind.kind !== 'ProjectDomain') return;
    const before = stores.domains.get({ namespace: 'acme', name: 'www' });
    const status = JSON.parse(JSON.stringify((object as ProjectDomain).status)) as ProjectDomain['status'];
    if (JSON.stringify(before?.status) === JSON.stringify(status)) return;
    applied.push(status?.state ?? '');
    put(stores.domains, { ...before, status } as ProjectDomain);
  };
  const dependencies = {
    settings,
    caches: new Proxy(stores, {
      get(target_, property: keyof typeof stores) {
        read.push(property);
        return target_[property];
      },
    }),
    cluster: {
      apply: (_: unknown, object: KubernetesObject) =>
        answer === 'fault' ? Promise.reject(new Error('refused')) : Promise.resolve(object),
      applyStatus: (kind: Kind<KubernetesObject>, object: KubernetesObject) => {
        write(kind, object);
        return Promise.resolve(object);
      },
    },
    dns: {
      check: (request: CheckRequest) => {
        asked.push(request);
        meanwhile();
        return Promise.resolve(says);
      },
    },
    probe: {
      ask: (request: object) => {
        probed.push(request);
        return Promise.resolve(shows);
      },
    },
    tokenProbe: { ask: () => Promise.reject(new Error('not asked')) },
    targets: { of: () => [], saw: () => undefined },
    recentChecks: createRecentChecks(),
    observeRecordFound: () => undefined,
    tracer: noTracer,
    certManagerUnavailable: () => false,
    gatewayGuard: () => Promise.resolve(null),
    edgeControllers: () => Promise.resolve({}),
    recordEvent: ({ reason }: { readonly reason: string }) => void events.push(reason),
    now: () => time,
  } as unknown as ControllerNeeds;
  dependencies.recentChecks.begin(now - 14 * minute);

  const signal = new AbortController().signal;
  return {
    stores,
    put,
    asked,
    probed,
    events,
    applied,
    /** One reconcile; what it read, whether it was of the whole, and when it comes again. */
    async reconcile(isScheduled: boolean) {
      read.length = 0;
      const { requeueAfterMs = Number.NaN } = await reconcileProjectDomain(dependencies, { key, isScheduled }, signal);
      return { isWhole: read.includes('claims'), requeueAfterMs };
    },
    /** Brings the domain to rest at one of its scheduled times. */
    async settle() {
      for (let round = 0; round < 5; round += 1) await this.reconcile(false);
      asked.length = 0;
      probed.length = 0;
      events.length = 0;
      applied.length = 0;
    },
    shows: (result: ProbeResult) => void (shows = result),
    says: (found: DnsFacts) => void (says = found),
    answers: (next: typeof answer) => void (answer = next),
    whileAsked: (happens: () => void) => void (meanwhile = happens),
    pass: (ms: number) => void (time += ms),
    forget: () => dependencies.recentChecks.forget(domain().metadata.uid ?? ''),
    check: () => dependencies.recentChecks.of(domain().metadata.uid ?? ''),
  };
}

const foreign = { ok: false, code: 'Untrusted', detail: 'SELF_SIGNED_CERT_IN_CHAIN', isForeign: true } as const;

describe('a scheduled check of a settled domain', () => {
  it('asks DNS and the edge alone where they say the same, and comes again at the next scheduled time', async () => {
    const live = createLiveDomain();
    await live.settle();
    live.pass(15 * minute);
    const { isWhole, requeueAfterMs } = await live.reconcile(true);
    expect({ isWhole, requeueAfterMs, asked: live.asked.length }).toEqual({
      isWhole: false,
      requeueAfterMs: 15 * minute,
      asked: 1,
    });
    expect(live.asked[0]).toMatchObject({ hostname, target, isConfirmation: true, caa: false, txtName: null });
    expect(live.probed).toEqual([{ hostname, classes: ['default'], notAfter: certificateIn(true).status?.notAfter }]);
    expect(live.check()).toMatchObject({ checkedAt: now + 15 * minute, nextAt: now + 30 * minute });
    expect(live.applied).toEqual([]);
  });

  it('is a whole reconcile at least every two hours, as an event may have been missed', async () => {
    const live = createLiveDomain();
    await live.settle();
    const whole: number[] = [];
    for (let round = 1; round <= 17; round += 1) {
      live.pass(15 * minute);
      if ((await live.reconcile(true)).isWhole) whole.push(round);
    }
    expect(whole).toEqual([8, 16]);
    expect(live.applied).toEqual([]);
  });

  it.each<[string, (live: ReturnType<typeof createLiveDomain>) => void | Promise<void>, boolean]>([
    ['something happened to it', () => undefined, false],
    ['the record is gone', (live) => live.says(factsWith('NX')), true],
    ['the record leads elsewhere', (live) => live.says(factsWith('-> elsewhere.test')), true],
    ['no server answers', (live) => live.says(factsWith('timeout')), true],
    ['an address of somebody else stands in', (live) => live.says(factsWith(['198.51.100.9'])), true],
    ['it leads here in another way', (live) => live.says(factsWith(['203.0.113.10'])), true],
    ['visitors see a certificate that is not its own', (live) => live.shows(foreign), true],
    ['its account is gone', (live) => live.stores.accounts.drop(account), true],
  ])('is a whole reconcile where %s', async (_, happens, isScheduled) => {
    const live = createLiveDomain();
    await live.settle();
    await happens(live);
    live.pass(15 * minute);
    expect((await live.reconcile(isScheduled)).isWhole).toBe(true);
  });

  it('decides nothing where the edge does not answer', async () => {
    const live = createLiveDomain();
    await live.settle();
    live.shows({ ok: false, code: 'Unreachable', detail: 'ECONNREFUSED' });
    live.pass(15 * minute);
    expect((await live.reconcile(true)).isWhole).toBe(false);
  });

  it('says within seconds that visitors see a certificate that is not its own, and that they no longer do', async () => {
    const live = createLiveDomain();
    await live.settle();
    live.shows(foreign);
    live.pass(15 * minute);
    let passed = 0;
    for (let round = 0; round < 40 && live.applied.length === 0; round += 1) {
      const { requeueAfterMs } = await live.reconcile(true);
      live.pass(requeueAfterMs);
      passed += requeueAfterMs;
    }
    expect([live.applied, live.events]).toEqual([['Degraded'], ['ForeignCertificate', 'Degraded']]);
    expect(passed).toBeLessThan(30_000);
    live.shows({ ok: true });
    await live.reconcile(true);
    expect(live.applied).toEqual(['Degraded', 'Live']);
  });

  it('remembers nothing of a domain that is removed while DNS is asked', async () => {
    const live = createLiveDomain();
    await live.settle();
    live.pass(15 * minute);
    live.whileAsked(() => {
      live.stores.domains.drop(domain());
      live.forget();
    });
    expect(await live.reconcile(true)).toMatchObject({ requeueAfterMs: Number.NaN });
    expect(live.check()).toBeUndefined();
  });

  it('is a whole reconcile after one that failed', async () => {
    const live = createLiveDomain();
    await live.settle();
    live.answers('fault');
    await expect(live.reconcile(false)).rejects.toThrow('refused');
    live.answers('done');
    live.pass(15 * minute);
    expect((await live.reconcile(true)).isWhole).toBe(true);
  });

  it('is a whole reconcile while the domain fails, and settles again after a yes', async () => {
    const live = createLiveDomain();
    await live.settle();
    live.says(factsWith('NX'));
    live.pass(15 * minute);
    await live.reconcile(true);
    live.says(right);
    live.pass(15 * minute);
    expect((await live.reconcile(true)).isWhole).toBe(true);
    const whole: boolean[] = [];
    for (let round = 0; round < 4; round += 1) {
      await live.reconcile(false);
      live.pass(15 * minute);
      whole.push((await live.reconcile(true)).isWhole);
    }
    expect(whole).toEqual([false, false, false, false]);
  });
});

it('time alone never makes a check that is not due', async () => {
  const live = createLiveDomain();
  await live.settle();
  live.pass(hour / 60);
  expect(await live.reconcile(true)).toMatchObject({ isWhole: true });
  expect(live.asked).toEqual([]);
});
