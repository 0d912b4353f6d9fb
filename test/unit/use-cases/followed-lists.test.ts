import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { verifyAnnotation } from '../../../src/resources/object-metadata.ts';
import type { RequestContext } from '../../../src/use-cases/api-dependencies.ts';
import type { DomainView } from '../../../src/use-cases/domain-view.ts';
import { listDomains } from '../../../src/use-cases/read-domains.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Fails when a list that is asked for again does not follow what a view depends on. */

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
    expect(after.find((view) => view.hostname === hostname)?.reason).toBe('PrimaryExists');
  });
});
