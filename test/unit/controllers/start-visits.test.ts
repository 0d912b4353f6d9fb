import { beforeEach, describe, expect, it } from '@jest/globals';
import { settledVisits, unsettledVisits } from '../../../src/controllers/start-visits.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { OperatorStores } from '../../../src/operator/operator-stores.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { account, certificateIn, claim, domain, ingress, now, project, routes } from '../../support/snapshot.ts';

let stores: OperatorStores;

beforeEach(() => {
  stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  stores.certificates.put(certificateIn(true));
  stores.routeStores.ingresses?.put(ingress);
});

const minutes = 60_000;
const condition = {
  type: 'Live',
  status: 'True' as const,
  reason: 'Live',
  message: '',
  observedGeneration: 1,
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const live = { state: 'Live' as const, conditions: [condition] };

/** After how many milliseconds each key is visited: the earliest time counts. */
const visits = (): Readonly<Record<string, number>> => {
  const all = [...unsettledVisits(stores, now), ...settledVisits(stores, () => now)].flatMap(({ keys, afterMs }) =>
    Object.entries(keys).flatMap(([controller, list]) =>
      (list as readonly string[]).map((key) => [`${controller} ${key}`, afterMs] as const),
    ),
  );
  return Object.fromEntries(all.toSorted(([, one], [, other]) => other - one));
};

describe('a domain after a start', () => {
  it('that is served as it should be is visited at its own moment within 15 minutes, as before the start', () => {
    stores.domains.put(domain({ status: live }));
    const after = visits()['projectDomain acme/www'] ?? 0;
    expect(after).toBeGreaterThan(0);
    expect(after).toBeLessThanOrEqual(15 * minutes);
    expect(visits()).toEqual({ 'projectDomain acme/www': after });
  });

  it('whose project is being deleted is not visited for that: what the project holds itself is', () => {
    stores.domains.put(domain({ status: live }));
    const metadata = { ...project.metadata, deletionTimestamp: '2026-01-01T11:59:00Z', resourceVersion: '2' };
    stores.projects.put({ ...project, metadata });
    const held = claim({
      holder: { namespace: 'acme', name: 'shop' },
      proof: { method: 'Platform', at: '2026-01-01T00:00:00Z' },
    });
    stores.claims.put({ ...held, metadata: { ...held.metadata, name: 'shop.apps.example.net', uid: 'u-platform' } });
    expect(visits()['hostnameClaim shop.apps.example.net']).toBe(0);
  });

  it('has another moment than others, so that they are not all visited at the same time', () => {
    const many = Array.from({ length: 64 }, (_, index) => {
      const made = domain({ status: live });
      const uid = `${(index * 0x03ff1357).toString(16).padStart(8, '0')}-x`;
      return { ...made, metadata: { ...made.metadata, name: `d${index}`, uid, resourceVersion: String(index) } };
    });
    many.forEach(stores.domains.put);
    expect(new Set(Object.values(visits())).size).toBeGreaterThan(32);
  });

  it('keeps its moment however long it takes until its turn to be queued comes', () => {
    stores.domains.put(domain({ status: live }));
    const moment = visits()['projectDomain acme/www'] ?? 0;
    let asked = 0;
    const [visit] = settledVisits(stores, () => now + (asked++ === 0 ? 0 : 1_000));
    expect(visit?.afterMs).toBe(moment - 1_000);
  });

  const check = { checkedAt: '2026-01-01T11:50:00Z' };
  it.each<[why: string, left: () => ProjectDomain]>([
    ['that was never reconciled', () => domain()],
    ['that is not Live', () => domain({ status: { ...live, state: 'Verified' } })],
    [
      'whose checks say no',
      () => domain({ status: { ...live, check: { ...check, failingSince: '2026-01-01T11:50:00Z' } } }),
    ],
    [
      'whose checks say nothing',
      () => domain({ status: { ...live, check: { ...check, unknownSince: '2026-01-01T11:50:00Z' } } }),
    ],
    [
      'that waits for the time of an order',
      () => domain({ status: { ...live, certificate: { waitsUntil: '2026-01-01T12:05:00Z' } } }),
    ],
    [
      'that somebody wants verified',
      () => {
        const asked = domain({ status: live });
        const annotations = { 'projectdomain.io/verify-requested-at': '2026-01-01T11:59:00Z' };
        return { ...asked, metadata: { ...asked.metadata, annotations } };
      },
    ],
    ['that waits for an order', () => domain({ status: { ...live, certificate: { request: 'u-1' } } })],
    [
      'that was edited and not reconciled since',
      () => {
        const edited = domain({ status: live });
        return { ...edited, metadata: { ...edited.metadata, generation: 2 } };
      },
    ],
    [
      'that is being removed',
      () => {
        const leaving = domain({ status: live });
        return { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: '2026-01-01T11:59:00Z' } };
      },
    ],
    [
      'whose certificate is missing: nobody was told who removed it',
      () => {
        stores.certificates.drop(certificateIn(true));
        return domain({ status: live });
      },
    ],
    [
      'whose Ingress is missing',
      () => {
        stores.routeStores.ingresses?.drop(ingress);
        return domain({ status: live });
      },
    ],
  ])('%s is visited at once', (_why, left) => {
    stores.domains.put(left());
    expect(visits()['projectDomain acme/www']).toBe(0);
  });
});

describe('a domain that waits for its DNS after a start', () => {
  const waiting = (startedAt: string, check: object = { checkedAt: startedAt }, conditions = [condition]) =>
    domain({ status: { state: 'Unverified', conditions, check: { startedAt, ...check } } });
  const [minute, hour, day] = [minutes, 60 * minutes, 24 * 60 * minutes];
  const ago = (ms: number) => new Date(now - ms).toISOString();

  it.each<[string, age: number, after: number]>([
    ['since a minute is visited at the next of its checks, five seconds apart', minute + 2_000, 3_000],
    ['since an hour at the next of its checks, five minutes apart', hour, 168_000],
    [
      'since two days, checked every hour, at its own moment within fifteen minutes, as any other',
      2 * day + 5 * minute,
      15 * minutes,
    ],
    ['and is checked no more, too: what else is to be seen of it is', 8 * day, 15 * minutes],
  ])('%s', (_why, age, after) => {
    stores.domains.put(waiting(ago(age)));
    expect(visits()['projectDomain acme/www']).toBe(after);
  });

  it.each<[string, () => ProjectDomain]>([
    ['that was not checked yet', () => waiting(ago(minute), {})],
    ['whose last check was before Verify', () => waiting(ago(minute), { checkedAt: ago(hour) })],
    ['that was edited and not reconciled since', () => waiting(ago(minute), undefined, [])],
    [
      'that somebody wants verified',
      () => {
        const asked = waiting(ago(minute));
        const annotations = { 'projectdomain.io/verify-requested-at': ago(1_000) };
        return { ...asked, metadata: { ...asked.metadata, annotations } };
      },
    ],
  ])('%s is visited at once', (_why, left) => {
    stores.domains.put(left());
    expect(visits()['projectDomain acme/www']).toBe(0);
  });
});

describe('a claim after a start', () => {
  it.each<[why: string, changes: Partial<HostnameClaim['spec']>, atOnce: boolean]>([
    ['that is held waits', {}, false],
    ['whose holder is gone is visited at once', { holder: { namespace: 'acme', name: 'gone' } }, true],
    ['that is not held is visited at once', { phase: 'Released' as never }, true],
    ['with the Secrets of a former holder is visited at once', { formerHolders: ['left'] }, true],
    [
      'with an order under way is visited at once',
      { orders: [{ at: '2026-01-01T11:59:00Z', outcome: 'Pending' }] as never },
      true,
    ],
  ])('%s', (_why, changes, atOnce) => {
    stores.domains.put(domain({ status: live }));
    stores.claims.put(claim(changes));
    expect(visits()['hostnameClaim www.example.com'] === 0).toBe(atOnce);
  });
});

describe('the claim of a platform hostname after a start', () => {
  const spec = { holder: { namespace: 'acme', name: project.metadata.name }, proof: { method: 'Platform', at: '' } };

  it.each([
    ['whose project is there waits', true],
    ['whose project is gone is visited at once', false],
  ])('%s', (_why, isThere) => {
    if (isThere) stores.projects.put(project);
    stores.claims.put(claim(spec as Partial<HostnameClaim['spec']>));
    expect((visits()['hostnameClaim www.example.com'] ?? 0) > 0).toBe(isThere);
  });
});

describe('a project after a start', () => {
  const { generation = 0 } = project.metadata;
  const served = (status: 'True' | 'False' | 'Unknown') => ({
    ...project,
    metadata: { ...project.metadata, generation },
    status: {
      deployedAt: '2026-01-01T00:00:00Z',
      conditions: [{ ...condition, status, observedGeneration: generation }],
    },
  });

  it.each<[why: string, put: typeof project, atOnce: boolean]>([
    ['that was never reconciled is visited at once', project, true],
    ['that is served waits', served('True'), false],
    ['whose address does not answer yet is visited at once: it was asked every second', served('Unknown'), true],
    ['that may not have all of its domains is visited at once', served('False'), true],
  ])('%s', (_why, put, atOnce) => {
    stores.projects.put(put);
    expect(Object.values(visits()).map((ms) => ms === 0)).toEqual([atOnce]);
  });
});

describe('an account after a start', () => {
  it('is visited at once: what it waits for is in no status', () => {
    stores.accounts.put({ ...account, status: { conditions: [condition] } });
    expect(Object.values(visits())).toEqual([0]);
  });
});
