import { afterEach, describe, expect, it } from '@jest/globals';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import type { DomainOrder, DomainSet } from '../../../src/use-cases/domain-orders.ts';
import { createDomainOrders } from '../../../src/use-cases/domain-orders.ts';

/** Orders of domains: that they follow every change, are made in slices, and of how many they are remembered. */

const apis: InMemoryApi[] = [];
afterEach(() => apis.splice(0).forEach((api) => api.stop()));

const host = (at: number) => `h${String(at).padStart(5, '0')}.example.com`;

function start(count: number, namespaces: readonly string[] = ['acme']) {
  const api = createInMemoryApi();
  apis.push(api);
  for (const namespace of namespaces) for (let at = count - 1; at >= 0; at -= 1) api.domain(namespace, host(at));
  return api;
}

const acme: DomainSet = { index: 'namespace', value: 'acme' };
const namesOf = (order: DomainOrder) => order.after(null, 10_000).map(({ head }) => head?.metadata.name);
const all = (count: number) => Array.from({ length: count }, (_, at) => host(at));
const drop = (api: InMemoryApi, name: string) => {
  const domain = api.stores.domains.get({ namespace: 'acme', name });
  if (domain) api.stores.domains.drop(domain);
};

/** What the orders read of the cache, and how many follow it. */
function followed(api: InMemoryApi) {
  const { domains } = api.stores;
  const counts = { sorted: 0, following: 0 };
  const orders = createDomainOrders({
    headOf: domains.headOf,
    countByIndex: domains.countByIndex,
    byIndex: (index, value) => {
      counts.sorted += 1;
      return domains.byIndex(index, value);
    },
    subscribeUnder: (index, value, listener) => {
      counts.following += 1;
      const end = domains.subscribeUnder(index, value, listener);
      return () => {
        counts.following -= 1;
        end();
      };
    },
  });
  return { orders, counts };
}

describe('the order of many domains', () => {
  it('is sorted once, and follows what is added, changed and removed', async () => {
    const api = start(1_200);
    const { orders, counts } = followed(api);
    const order = await orders.of(acme, 'hostname');
    expect(namesOf(order)).toEqual(all(1_200));
    drop(api, host(7));
    api.domain('acme', 'a.example.com');
    api.domain('acme', host(8));
    expect(namesOf(await orders.of(acme, 'hostname'))).toEqual(['a.example.com', ...all(1_200).toSpliced(7, 1)]);
    expect(order.size).toBe(1_200);
    expect(counts).toEqual({ sorted: 1, following: 1 });
  });

  it('leaves a domain out from when it is to be removed, and has it where its name is used again', async () => {
    const api = start(1_200);
    const order = await createDomainOrders(api.stores.domains).of(acme, 'hostname');
    const seen = api.stores.domains.get({ namespace: 'acme', name: host(0) });
    api.put({ ...seen, metadata: { ...seen?.metadata, deletionTimestamp: '2026-12-01T00:00:00Z', finalizers: ['x'] } });
    expect(namesOf(order)).toEqual(all(1_200).slice(1));
    drop(api, host(0));
    api.domain('acme', host(0), { spec: { project: 'shop', hostname: 'z.example.com', role: 'Primary' } });
    expect(namesOf(order)).toEqual([...all(1_200).slice(1), host(0)]);
  });

  it('is right although domains come and go while it is being made', async () => {
    const api = start(3_000);
    const orders = createDomainOrders(api.stores.domains);
    const making = orders.of(acme, 'hostname');
    drop(api, host(0));
    drop(api, host(2_999));
    api.domain('acme', 'a.example.com');
    drop(api, host(5));
    api.domain('acme', host(5));
    expect(orders.isAtHand(acme, 'hostname')).toBe(false);
    expect(namesOf(await making)).toEqual(['a.example.com', ...all(3_000).slice(1, -1)]);
    expect(orders.isAtHand(acme, 'hostname')).toBe(true);
  });

  it('is made once for all who ask for it meanwhile, and for both directions', async () => {
    const api = start(1_200);
    const { orders, counts } = followed(api);
    const sorts = ['createdAt', '-createdAt', 'createdAt'] as const;
    const [first, second] = await Promise.all(sorts.map((sort) => orders.of(acme, sort)));
    expect(second && namesOf(second)).toEqual(first && namesOf(first).toReversed());
    expect(counts).toEqual({ sorted: 1, following: 1 });
  });
});

describe('the order of a few domains', () => {
  it('is made anew each time, and nothing of it stays', async () => {
    const api = start(200);
    const { orders, counts } = followed(api);
    expect(orders.isAtHand(acme, 'hostname')).toBe(true);
    expect(namesOf(await orders.of(acme, 'hostname'))).toEqual(all(200));
    await orders.of(acme, 'hostname');
    expect(counts).toEqual({ sorted: 2, following: 0 });
  });

  it('of a project has its domains alone', async () => {
    const api = start(3);
    const spec = { project: 'blog', hostname: 'b.example.com', role: 'Primary' } as const;
    api.domain('acme', 'b.example.com', { spec });
    const orders = createDomainOrders(api.stores.domains);
    expect(namesOf(await orders.of({ index: 'project', value: 'acme/blog' }, '-createdAt'))).toEqual(['b.example.com']);
    expect((await orders.of({ index: 'project', value: 'acme/none' }, 'hostname')).size).toBe(0);
  });
});

describe('orders that are remembered', () => {
  /** A cache that says that there are so many, of which it shows few. */
  function counting(sizes: Readonly<Record<string, number>>) {
    const api = start(0);
    const { domains } = api.stores;
    const following: string[] = [];
    const head = (namespace: string, at: number) => ({
      metadata: { namespace, name: host(at) },
      spec: { project: 'shop', hostname: host(at) },
    });
    const orders = createDomainOrders({
      countByIndex: (_, value) => sizes[value] ?? 0,
      byIndex: (_, value) => Array.from({ length: sizes[value] ?? 0 }, (__, at) => head(value, at)),
      headOf: ({ namespace, name }) => head(namespace, Number(name.slice(1, name.indexOf('.')))),
      subscribeUnder: (index, value, listener) => {
        following.push(value);
        const end = domains.subscribeUnder(index, value, listener);
        return () => {
          following.splice(following.indexOf(value), 1);
          end();
        };
      },
    });
    return { orders, following };
  }
  const of = (value: string): DomainSet => ({ index: 'namespace', value });

  it('make room for others, the one that was asked for least recently first', async () => {
    const { orders, following } = counting({ a: 100_000, b: 100_000, c: 100_000 });
    for (const value of ['a', 'b', 'a', 'c']) await orders.of(of(value), 'hostname');
    expect(following.toSorted()).toEqual(['a', 'c']);
  });

  it('are forgotten by no number of small accounts', async () => {
    const small = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`s${at}`, 200]));
    const { orders, following } = counting({ a: 5_000, ...small });
    await orders.of(of('a'), 'hostname');
    for (const value of Object.keys(small)) await orders.of(of(value), 'hostname');
    expect(following).toEqual(['a']);
    expect(orders.isAtHand(of('a'), 'hostname')).toBe(true);
  });

  it('may be one that is larger than all may be', async () => {
    const { orders, following } = counting({ a: 300_000, b: 2_000 });
    expect((await orders.of(of('a'), 'hostname')).size).toBe(300_000);
    expect(following).toEqual(['a']);
    await orders.of(of('b'), 'hostname');
    expect(following).toEqual(['b']);
  });
});
