import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { verifyAnnotation } from '../../../src/resources/object-metadata.ts';
import type { RequestContext } from '../../../src/use-cases/api-dependencies.ts';
import type { DomainView } from '../../../src/use-cases/domain-view.ts';
import { domainViews } from '../../../src/use-cases/domain-views.ts';
import { listDomains } from '../../../src/use-cases/list-domains.ts';
import { createRememberedViews } from '../../../src/use-cases/remembered-views.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** What a list remembers is what it would say without: fails when something that a view depends on is not among its sources. */

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-03-01T12:00:00.250Z');
const time = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z/, 'Z');
const hostname = 'www.example.com';
const conditions = ['Accepted', 'Ready'].map((type) => ({
  type,
  status: 'True' as const,
  reason: 'Routed',
  message: 'it answers',
  lastTransitionTime: time(start - hour),
}));
const live: ProjectDomain['status'] = {
  state: 'Live',
  conditions,
  check: { startedAt: time(start - 30 * hour), checkedAt: time(start - minute), routing: 'Yes' },
};
const uid = '7b0000ff-0000-4000-8000-000000000001';

let api: InMemoryApi;
let context: RequestContext;
let [now, driftInterval] = [start, 15 * minute];

const put = (status: ProjectDomain['status'], changes: Partial<ProjectDomain['metadata']> = {}, spec = {}) =>
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ProjectDomain',
    metadata: { name: hostname, namespace: 'acme', uid, creationTimestamp: time(start - 30 * hour), ...changes },
    spec: { project: 'shop', hostname, ...spec },
    status,
  });
const claim = (account: string, phase = 'Held') =>
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'HostnameClaim',
    metadata: { name: hostname },
    spec: {
      hostname,
      account,
      phase,
      epoch: 1,
      proof: { method: 'Cname' },
      holder: { namespace: 'acme', name: hostname, uid },
    },
  });

async function listed(asked = context): Promise<readonly DomainView[]> {
  return (await listDomains(asked, { project: 'shop', page: { limit: 50 } })).items;
}
const afresh = () => ({ ...context, dependencies: { ...context.dependencies, views: createRememberedViews() } });

beforeEach(() => {
  [now, driftInterval] = [start, 15 * minute];
  api = createInMemoryApi();
  const asked = api.as(api.account('acme', 'pro'));
  const dependencies = { ...asked.dependencies, now: () => now, driftInterval: () => driftInterval };
  context = { ...asked, dependencies };
  claim('id-of-acme');
  put(live);
});
afterEach(() => api.stop());

describe('a list that was asked for before', () => {
  it.each<[what: string, change: () => void, field: keyof DomainView | null]>([
    ['nothing', () => undefined, null],
    ['its state', () => put({ ...live, state: 'Degraded' }), 'state'],
    ['the records that its status tells of', () => put({ ...live, records: [] }), null],
    ['its project’s redirect', () => put(live, {}, { role: 'Redirect', redirect: { to: 'example.com' } }), 'redirect'],
    ['who holds its hostname', () => claim('id-of-another'), 'records'],
    ['the claim’s phase', () => claim('id-of-acme', 'Tombstone'), 'nextCheckAt'],
    ['a Verify', () => put(live, { annotations: { [verifyAnnotation]: time(now) } }), 'nextCheckAt'],
    ['the interval between checks', () => (driftInterval = 12 * hour), 'nextCheckAt'],
    ['the time, past its next check', () => (now += 16 * minute), 'nextCheckAt'],
    ['the time, by less than a second', () => (now += 700), null],
  ])('follows %s', async (_, change, field) => {
    const [before] = await listed();
    change();
    const after = await listed();
    expect(after).toEqual(await listed(afresh()));
    if (field !== null) expect(after[0]?.[field]).not.toEqual(before?.[field]);
  });

  it('follows the end of what caches may still give', async () => {
    put({ ...live, check: { ...live.check, lingersUntil: time(start + 5_000) } });
    expect((await listed())[0]?.lingersUntil).toBe(time(start + 5_000));
    now += 6_000;
    expect((await listed())[0]?.lingersUntil).toBeNull();
  });

  it('follows its siblings while the operator has said nothing of it, whatever was listed meanwhile', async () => {
    claim('id-of-acme', 'Tombstone');
    put({});
    expect((await listed())[0]?.state).toBe('Unverified');
    const another = { name: 'first', creationTimestamp: time(start - 60 * hour), uid: 'u' };
    put({}, another, { hostname: 'first.example.com' });
    const after = await listed();
    expect(after).toEqual(await listed(afresh()));
    expect(after.find((view) => view.hostname === hostname)?.reason).toBe('PrimaryExists');
  });

  it('unpacks nothing again, and has its JSON', async () => {
    const [before] = await listed();
    const { caches, views } = context.dependencies;
    const text = views.jsonOf(before as DomainView, JSON.stringify);
    const unpacked: string[] = [];
    const domains = Object.assign(Object.create(caches.domains) as typeof caches.domains, {
      get: (key: { name: string }) => void unpacked.push(key.name),
    });
    now += 5_000;
    const [after] = await listed({
      ...context,
      dependencies: { ...context.dependencies, caches: { ...caches, domains } },
    });
    expect(unpacked).toEqual([]);
    expect(after).toBe(before);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(after)));
  });

  // Would fail if one project with thousands of domains left none of the others' views.
  it('is remembered by nobody where it is longer than a page', async () => {
    const { caches, views } = context.dependencies;
    const [head] = caches.domains.byIndex('project', 'acme/shop');
    if (!head) throw new Error('no head');
    const walk = async (length: number) => {
      const kept: string[] = [];
      const remember = (key: string) => void kept.push(key);
      const recall = () => undefined;
      const dependencies = { ...context.dependencies, views: { ...views, recall, remember } };
      const heads = Array.from({ length }, () => head);
      await Array.fromAsync(domainViews({ ...context, dependencies }, heads));
      return kept.length;
    };
    expect([await walk(200), await walk(201)]).toEqual([200, 0]);
  });

  it('keeps no more than a thousand', async () => {
    const views = createRememberedViews();
    const [view] = await listed();
    if (!view) throw new Error('no view');
    const sources = { domain: 1, claim: 1, accountId: 'a', driftInterval };
    for (let at = 0; at <= 1_000; at += 1) views.remember(`k${at}`, sources, { view, refusal: null, plan: null }, now);
    expect(['k0', 'k1', 'k1000'].map((key) => views.recall(key, sources, now) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
  });
});
