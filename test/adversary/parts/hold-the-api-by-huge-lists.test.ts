import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Rest } from '../../../dev/lib/rest.ts';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';

/**
 * An account fills itself with 10,000 domains and asks for lists, adds and configurations, so that each answer keeps everybody
 * else waiting. What an answer looks at does not grow with the square of what there is, and long work gives way.
 */

let api: ApiOnStores;
let rest: Rest;

const apiVersion = 'projectdomain.io/v1alpha1';
const many = 10_000;
const domains = '/v1/projects/shop/domains';

beforeAll(async () => {
  api = await startApiOnStores();
  rest = api.account('huge', 'enterprise');
  const overrides = { customDomains: { maxPerProject: many }, maximum: { domains: 2 * many } };
  api.put({
    apiVersion,
    kind: 'Account',
    metadata: { name: 'huge' },
    spec: { plan: 'enterprise', id: 'i', overrides },
  });
  for (let index = 0; index < many - 10; index += 1) {
    const hostname = `h${String(index).padStart(5, '0')}.example.com`;
    const spec = {
      project: 'shop',
      hostname,
      role: 'Redirect',
      redirect: { to: 'huge.apps.example.net', status: 301 },
    };
    api.put({ apiVersion, kind: 'ProjectDomain', metadata: { name: hostname, namespace: 'huge' }, spec });
  }
}, 120_000);

afterAll(() => api.stop());

/** How often the caches were asked for whole collections while something was answered. */
async function counted<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly collections: number }> {
  const { byIndex, list } = api.stores.domains;
  const { list: projects } = api.stores.projects;
  let collections = 0;
  const count =
    <A extends unknown[], R extends readonly unknown[]>(ask: (...args: A) => R) =>
    (...args: A): R => {
      const found = ask(...args);
      if (found.length > 100) collections += 1;
      return found;
    };
  Object.assign(api.stores.domains, { byIndex: count(byIndex), list: count(list) });
  Object.assign(api.stores.projects, {
    list: () => {
      throw new Error('all projects of the cluster were asked for');
    },
  });
  try {
    return { answer: await work(), collections };
  } finally {
    Object.assign(api.stores.domains, { byIndex, list });
    Object.assign(api.stores.projects, { list: projects });
  }
}

describe('ten thousand domains of one account', () => {
  it.each<[string, string, number]>([
    ['a page of a hundred that nobody has looked at yet', `${domains}?limit=100`, 2],
    ['one domain, by its hostname', `${domains}/h05000.example.com`, 1],
    ['the projects', '/v1/projects?limit=100', 0],
    ['the account', '/v1/account', 0],
  ])('make %s cost a look at the project as a whole, not one for each', async (_, path, most) => {
    const { answer, collections } = await counted(() => rest(path));
    expect(answer.status).toBe(200);
    expect(collections).toBeLessThanOrEqual(most);
  });

  it('make an add cost a few looks', async () => {
    const body = { hostname: 'new.example.org', role: 'redirect', redirect: { to: 'huge.apps.example.net' } };
    const { answer, collections } = await counted(() => rest(domains, { method: 'POST', body }));
    expect(answer.status).toBe(201);
    expect(collections).toBeLessThanOrEqual(6);
  });

  it('make a configuration of 500 redirects cost a few looks', async () => {
    const redirects = Array.from({ length: 500 }, (_, index) => ({
      from: `c${index}.example.org`,
      to: 'huge.apps.example.net',
    }));
    const put = { method: 'PUT', body: { primary: null, redirects } };
    const { answer, collections } = await counted(() => rest('/v1/projects/shop/domain-config', put));
    expect(answer.body).toMatchObject({ code: 'domain-cap-reached' });
    expect(collections).toBeLessThanOrEqual(5);
  });

  it('let a neighbour have its answer while a page is made', async () => {
    const neighbour = api.account('neighbour', 'free');
    await neighbour('/v1/account');
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    await Promise.all([
      rest(`${domains}?limit=100`).then(note('page')),
      neighbour('/v1/account').then(note('neighbour')),
    ]);
    expect(order).toEqual(['neighbour', 'page']);
  });
});
