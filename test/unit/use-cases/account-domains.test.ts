import { afterEach, describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { kebabCase } from '../../../src/rules/kebab-case.ts';
import type { RequestContext } from '../../../src/use-cases/api-dependencies.ts';
import type { DomainCriteria } from '../../../src/use-cases/domain-filter.ts';
import { situationOf, statusForCustomer } from '../../../src/use-cases/domain-view.ts';
import { createDomainOrders } from '../../../src/use-cases/domain-orders.ts';
import { domainViews, rememberedAtOnce } from '../../../src/use-cases/domain-views.ts';
import { domainsIn } from '../../../src/use-cases/find-in-account.ts';
import type { DomainQuery, FoundPage } from '../../../src/use-cases/list-domains.ts';
import { listAccountDomains, listDomains } from '../../../src/use-cases/list-domains.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { hang } from '../../support/hang-domains.ts';
import { picturedDomains } from '../../support/pictured-domains.ts';
import { drawn, fc } from '../../support/property.ts';

/** The domains of an account over all of its projects: which ones, in which order, on pages that survive changes, and at what cost. */

const apis: InMemoryApi[] = [];
afterEach(() => apis.splice(0).forEach((api) => api.stop()));

function start() {
  const api = createInMemoryApi();
  apis.push(api);
  const key = api.account('acme', 'enterprise');
  return { api, context: api.as(key) };
}

type Asked = Partial<DomainQuery> & { readonly limit?: number; readonly cursor?: string | undefined };

const list = (context: RequestContext, { limit = 100, cursor, ...query }: Asked = {}): Promise<FoundPage> =>
  listAccountDomains(context, { query: { sort: 'hostname', ...query }, page: { limit, cursor } });

const namesOf = ({ items }: Pick<FoundPage, 'items'>): readonly string[] => items.map(({ hostname }) => hostname);

async function allPages(context: RequestContext, asked: Asked): Promise<readonly FoundPage[]> {
  const pages: FoundPage[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(context, { ...asked, cursor });
    pages.push(page);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

interface Made extends Partial<ProjectDomain['spec']> {
  readonly createdAt?: string;
  readonly status?: ProjectDomain['status'];
}

const isReady = (state: 'Live' | 'Degraded' | 'Unverified', reason: string): NonNullable<ProjectDomain['status']> => ({
  state,
  conditions: [
    { type: 'Ready', status: state === 'Live' ? 'True' : 'False', reason, message: '' },
    { type: 'Accepted', status: 'True', reason: 'Accepted', message: '' },
  ].map((one) => ({ ...one, lastTransitionTime: '2026-01-01T00:00:00Z' })) as never,
});

const live = isReady('Live', 'Routed');

function make(
  api: InMemoryApi,
  hostname: string,
  { createdAt, status = live, ...spec }: Made = {},
  namespace = 'acme',
) {
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ProjectDomain',
    metadata: { name: hostname, namespace, ...(createdAt === undefined ? {} : { creationTimestamp: createdAt }) },
    spec: { project: 'shop', hostname, role: 'Primary', ...spec },
    status,
  });
}

describe('the domains of an account', () => {
  function several() {
    const { api, context } = start();
    make(api, 'b.example.com', { project: 'blog', labels: { customer: 'cus_1', region: 'eu' } });
    make(api, 'a.example.com', { labels: { customer: 'cus_2', region: 'eu' } });
    make(api, 'xn--mnchen-3ya.example.com', { status: isReady('Degraded', 'RecordMissing') });
    make(api, 'c.example.org', { role: 'Redirect', redirect: { to: 'a.example.com' }, labels: { region: 'us:1' } });
    make(api, 'd.example.org', { status: isReady('Unverified', 'RecordMissing') });
    make(api, 'e.example.org', { project: 'never-made' });
    api.account('other', 'pro');
    make(api, 'foreign.example.com', { labels: { customer: 'cus_1' } }, 'other');
    return { api, context };
  }

  it.each<[string, Partial<DomainQuery>, readonly string[]]>([
    ['all', {}, ['a', 'b', 'c', 'd', 'e', 'xn--mnchen-3ya']],
    ['of one project', { project: 'blog' }, ['b']],
    ['of a project that is not there', { project: 'none' }, []],
    ['of another account’s namespace as a project', { project: 'other/shop' }, []],
    ['of a project that was never made', { project: 'never-made' }, ['e']],
    ['in one state', { state: ['degraded'] }, ['xn--mnchen-3ya']],
    ['in any of several', { state: ['degraded', 'unverified'] }, ['d', 'xn--mnchen-3ya']],
    ['for a reason', { reason: ['record-missing'] }, ['d', 'xn--mnchen-3ya']],
    ['for a reason that nobody knows', { reason: ['of-another-version'] }, []],
    ['in a state for a reason', { state: ['unverified'], reason: ['record-missing'] }, ['d']],
    ['redirects', { role: 'redirect' }, ['c']],
    ['primaries', { role: 'primary', state: ['live'] }, ['a', 'b', 'e']],
    ['by a part of the hostname', { q: 'example.org' }, ['c', 'd', 'e']],
    ['in upper case', { q: 'B.EXAMPLE' }, ['b']],
    ['by A-labels', { q: 'xn--mnch' }, ['xn--mnchen-3ya']],
    ['in Unicode', { q: 'MÜNCH' }, ['xn--mnchen-3ya']],
    ['in Unicode with the dots apart', { q: 'mu\u0308nchen' }, ['xn--mnchen-3ya']],
    ['by a label with its value', { label: ['customer:cus_1'] }, ['b']],
    ['by a label whatever its value', { label: ['customer'] }, ['a', 'b']],
    ['by a value with a colon', { label: ['region:us:1'] }, ['c']],
    ['by all of several labels', { label: ['region:eu', 'customer:cus_2'] }, ['a']],
    ['by the beginning of a value', { label: ['customer:cus_'] }, []],
    ['by a value without its name', { label: ['cus_1'] }, []],
    ['that need action', { needsAction: true }, ['d']],
    ['that need none', { needsAction: false, q: 'example.org' }, ['c', 'e']],
    ['newest last', { sort: 'createdAt', q: 'example.org' }, ['c', 'd', 'e']],
    ['newest first', { sort: '-createdAt', q: 'example.org' }, ['e', 'd', 'c']],
  ])('%s', async (_, query, expected) => {
    const { context } = several();
    const found = await list(context, query);
    expect(namesOf(found).map((hostname) => hostname.split('.')[0])).toEqual(expected);
    expect(found).toMatchObject({ nextCursor: null, total: { count: expected.length, exact: true } });
  });

  it('have none of another account', async () => {
    const { context } = several();
    expect(namesOf(await list(context)).join(' ')).not.toContain('foreign');
  });

  it('are shown as in the list of their project', async () => {
    const { context } = several();
    const { items } = await listDomains(context, { project: 'shop', page: { limit: 10 } });
    expect((await list(context, { project: 'shop' })).items).toEqual(items);
  });

  it('are none that are being removed, which are not counted either', async () => {
    const { api, context } = several();
    const seen = api.stores.domains.get({ namespace: 'acme', name: 'a.example.com' });
    const deletionTimestamp = '2026-12-01T00:00:00Z';
    api.put({ ...seen, metadata: { ...seen?.metadata, deletionTimestamp, finalizers: ['x'] } });
    expect(namesOf(await list(context))).not.toContain('a.example.com');
    expect((await list(context)).total).toEqual({ count: 5, exact: true });
  });

  it('are sorted by when they were added, those of the same second by hostname', async () => {
    const { api, context } = start();
    make(api, 'b.example.com', { createdAt: '2026-01-02T00:00:00Z' });
    make(api, 'c.example.com', { createdAt: '2026-01-01T00:00:00Z' });
    make(api, 'a.example.com', { createdAt: '2026-01-02T00:00:00Z' });
    const ordered = ['c.example.com', 'a.example.com', 'b.example.com'];
    expect(namesOf(await list(context, { sort: 'createdAt' }))).toEqual(ordered);
    expect(namesOf(await list(context, { sort: '-createdAt' }))).toEqual(ordered.toReversed());
  });
});

describe('needsAction', () => {
  it('says what the status of the dashboard says, of every picture of a domain', async () => {
    const { api, context } = start();
    hang(api);
    const expected: string[] = [];
    for await (const { viewed } of domainViews(context, domainsIn(context, { project: 'shop' })))
      if (statusForCustomer(situationOf(viewed, context.dependencies.now())) === 'NeedsAction')
        expected.push(viewed.view.hostname);
    expect(expected.length).toBeGreaterThan(3);
    expect(expected.length).toBeLessThan(picturedDomains.length);
    expect(namesOf(await list(context, { needsAction: true }))).toEqual(expected.toSorted());
    expect((await list(context, { needsAction: false })).items).toHaveLength(picturedDomains.length - expected.length);
  });

  it('is told of a domain of which the operator has said nothing yet, as are its state and reason', async () => {
    const { api, context } = start();
    make(api, 'a.example.com', { status: {} });
    const [view] = (await list(context)).items;
    const said = { state: [kebabCase(view?.state ?? '')], reason: [kebabCase(view?.reason ?? '')] };
    expect(namesOf(await list(context, said))).toEqual(['a.example.com']);
    expect(namesOf(await list(context, { state: ['live'] }))).toEqual([]);
    const needing = await Promise.all([true, false].map((needsAction) => list(context, { needsAction })));
    expect(needing.map(({ items }) => items.length).toSorted()).toEqual([0, 1]);
  });
});

describe('pages', () => {
  const host = (at: number) => `h${String(at).padStart(5, '0')}.example.com`;
  const many = (api: InMemoryApi, count: number, made: (at: number) => Made = () => ({})) => {
    for (let at = 0; at < count; at += 1) make(api, host((at * 577) % count), made(at));
  };

  it.each<[string, number, Asked]>([
    ['of seven', 100, { limit: 7 }],
    ['of a hundred of those that are remembered', 1_501, { limit: 100 }],
    ['of the newest first', 1_501, { limit: 100, sort: '-createdAt' }],
    ['with a filter', 1_501, { limit: 100, q: '7' }],
    ['of one project', 300, { limit: 100, project: 'shop' }],
  ])('%s show every item once', async (_, count, asked) => {
    const { api, context } = start();
    many(api, count);
    const pages = await allPages(context, asked);
    const expected = Array.from({ length: count }, (__, at) => host(at)).filter((name) => name.includes(asked.q ?? ''));
    expect(pages.flatMap(namesOf).toSorted()).toEqual(expected);
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => ({ count: expected.length, exact: true })));
  });

  it('take a cursor of the same question however it is put, and none of another', async () => {
    const { api, context } = start();
    many(api, 30);
    const asked = { limit: 5, state: ['live', 'pending'], label: [] } as const;
    const { nextCursor: cursor } = await list(context, asked);
    expect(cursor).not.toBeNull();
    const again = await list(context, { ...asked, state: ['pending', 'live', 'live'], limit: 9, cursor: cursor ?? '' });
    expect(again.items).toHaveLength(9);
    const others: readonly Partial<DomainCriteria & DomainQuery>[] = [
      { state: ['live'] },
      { sort: 'createdAt' },
      { q: 'h' },
      { project: 'shop' },
      { role: 'primary' },
      { needsAction: false },
      { label: ['a'] },
      { reason: ['routed'] },
    ];
    for (const other of others)
      await expect((async () => list(context, { ...asked, ...other, cursor: cursor ?? '' }))()).rejects.toMatchObject({
        code: 'malformed-request',
        message: expect.stringContaining('same filters'),
      });
    const project = listDomains(context, { project: 'shop', page: { limit: 5, cursor: cursor ?? '' } });
    await expect(project).rejects.toMatchObject({ code: 'malformed-request' });
  });

  it('take no cursor of another account', async () => {
    const { api, context } = start();
    many(api, 30);
    const other = api.as(api.account('other', 'pro'));
    const { nextCursor } = await list(context, { limit: 5 });
    await expect((async () => list(other, { limit: 5, cursor: nextCursor ?? '' }))()).rejects.toMatchObject({
      code: 'malformed-request',
    });
  });

  const name = fc.integer({ min: 0, max: 40 }).map(host);
  const change = fc.record({ add: fc.array(name, { maxLength: 3 }), remove: fc.array(name, { maxLength: 3 }) });
  const cases = fc.record({
    first: fc.uniqueArray(name, { minLength: 1 }),
    more: fc.constantFrom(0, 250),
    changes: fc.infiniteStream(change),
    limit: fc.integer({ min: 3, max: 9 }),
    sort: fc.constantFrom('hostname', 'createdAt', '-createdAt'),
    filter: fc.constantFrom<DomainCriteria>({}, { q: 'h0000' }, { label: ['even'] }, { state: ['live'] }),
  });

  it('of a list that changes between them leave out nothing that stayed, and show nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ first, more, changes, limit, sort, filter }) => {
        const { api, context } = start();
        let clock = 1.7e12;
        const uids = new Map<string, number>();
        const createdAt = () => new Date((clock += 1_000)).toISOString().replace('.000', '');
        const add = (hostname: string) => {
          if (uids.has(hostname)) return;
          uids.set(hostname, clock);
          const labels = Number(hostname.slice(1, 6)) % 2 === 0 ? { even: '' } : {};
          make(api, hostname, { createdAt: createdAt(), labels });
        };
        const remove = (hostname: string) => {
          uids.delete(hostname);
          const domain = api.stores.domains.get({ namespace: 'acme', name: hostname });
          if (domain) api.stores.domains.drop(domain);
        };
        for (let at = 0; at < more; at += 1) make(api, `z${at}.example.net`, { status: isReady('Degraded', 'X') });
        first.forEach(add);
        const matching = (await list(context, { ...filter, q: filter.q ?? 'h' })).items.map(({ hostname }) => hostname);
        const stayed = new Set(matching);
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const shown = await list(context, { q: 'h', ...filter, sort, limit, cursor });
          seen.push(...shown.items.map(({ hostname, createdAt: at }) => `${hostname} ${at}`));
          cursor = shown.nextCursor ?? undefined;
          for (const { add: added, remove: gone } of changes.take(1)) {
            gone.forEach((one) => stayed.delete(one));
            gone.forEach(remove);
            added.forEach(add);
          }
        } while (cursor !== undefined && seen.length < 200);
        expect(seen.length).toBe(new Set(seen).size);
        const shownNames = seen.map((one) => one.split(' ')[0]);
        expect([...stayed].filter((one) => !shownNames.includes(one))).toEqual([]);
        api.stop();
      }),
      { numRuns: drawn(150) },
    );
  }, 60_000);
});

describe('a page', () => {
  /** How many heads and whole domains are read meanwhile. */
  function counted({ dependencies, ...context }: RequestContext) {
    const { domains } = dependencies.caches;
    const reads = { heads: 0, whole: 0 };
    const watched: typeof domains = {
      ...domains,
      headOf: (key) => {
        reads.heads += 1;
        return domains.headOf(key);
      },
      get: (key) => {
        reads.whole += 1;
        return domains.get(key);
      },
    };
    const caches = { ...dependencies.caches, domains: watched };
    const orders = createDomainOrders(watched);
    return { reads, context: { ...context, dependencies: { ...dependencies, caches, orders } } };
  }

  const several = 10_300;
  function large() {
    const { api, context } = start();
    for (let at = 0; at < several; at += 1)
      make(api, `h${String(at).padStart(5, '0')}.example.com`, { labels: { id: String(at) } });
    return { api, context };
  }

  it('of very many domains looks at those that it shows, and a filter at no more than ten thousand', async () => {
    const { context } = large();
    const { reads, context: watched } = counted(context);
    await list(watched);
    reads.heads = 0;
    const page = await list(watched, { limit: 100 });
    expect(page.total).toEqual({ count: several, exact: true });
    expect(reads.heads).toBeGreaterThanOrEqual(100);
    expect(reads.heads).toBeLessThanOrEqual(2 * 128);

    const label = [`id:${several - 1}`];
    reads.heads = 0;
    const first = await list(watched, { label });
    expect(first).toMatchObject({ items: [], total: { count: 0, exact: false } });
    expect(reads.heads).toBeGreaterThanOrEqual(10_000);
    expect(reads.heads).toBeLessThanOrEqual(10_112 + 2);
    expect(reads.whole).toBeLessThanOrEqual(100);
    const second = await list(watched, { label, cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({ items: [{ labels: { id: String(several - 1) } }], nextCursor: null });
    expect(second.total).toEqual(first.total);
  }, 60_000);

  it('makes no more views than are remembered, and goes on behind them', async () => {
    const { api, context } = start();
    for (let at = 0; at < rememberedAtOnce + 50; at += 1) make(api, `h${at + 1_000}.example.com`, { status: {} });
    make(api, 'z.example.com');
    const { reads, context: watched } = counted(context);
    const first = await list(watched, { state: ['live'] });
    expect(first).toMatchObject({ items: [], total: { count: 1, exact: false } });
    expect(reads.whole).toBe(rememberedAtOnce);
    const second = await list(watched, { state: ['live'], cursor: first.nextCursor ?? '' });
    expect(namesOf(second)).toEqual(['z.example.com']);
    expect(second.nextCursor).toBeNull();
  });

  it('of a long list with a filter waits for its account’s turn, and one without does not', async () => {
    const { api, context } = start();
    for (let at = 0; at < 1_100; at += 1) make(api, `h${at}.example.com`);
    const turns: string[] = [];
    const { longLists } = context.dependencies;
    const run: typeof longLists.run = (turn, work) => {
      turns.push(turn.account);
      return longLists.run(turn, work);
    };
    const asked = { ...context, dependencies: { ...context.dependencies, longLists: { run } } };
    await list(asked);
    expect(turns).toEqual(['acme']);
    await list(asked);
    expect(turns).toEqual(['acme']);
    await list(asked, { q: 'h1' });
    expect(turns).toEqual(['acme', 'acme']);
    await list(asked, { project: 'none', q: 'h1' });
    expect(turns).toEqual(['acme', 'acme']);
  });
});
