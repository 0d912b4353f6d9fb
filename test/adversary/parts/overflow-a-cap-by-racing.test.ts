import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';
import { tally } from '../../support/tally.ts';

/**
 * A thousand adds at once, each of which sees the room that all of them see: the cache tells of a write only later. What is
 * on its way holds its place, so that they cannot pass a cap together.
 */

let api: ApiOnStores;

beforeEach(async () => {
  api = await startApiOnStores({ writeMs: 2, watchMs: 50 });
});

afterEach(() => api.stop());

const racing = 1_000;
const redirect = (index: number, to: string) => ({
  method: 'POST',
  body: { hostname: `h${index}.example.com`, role: 'redirect', redirect: { to } },
});

describe('a thousand adds at once', () => {
  it('of different hostnames make as many as the project may have', async () => {
    const rest = api.account('racer', 'pro');
    const answers = await Promise.all(
      Array.from({ length: racing }, (_, index) =>
        rest('/v1/projects/shop/domains', redirect(index, 'racer.apps.example.net')),
      ),
    );
    expect(tally(answers)).toEqual({ '201': 50, '409 domain-cap-reached': racing - 50 });
    expect(api.stores.domains.size).toBe(50);
  });

  it('over many projects make as many as the account may have', async () => {
    const rest = api.account('racer', 'pro');
    const account = { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Account', metadata: { name: 'racer' } };
    api.put({ ...account, spec: { plan: 'pro', id: 'id-of-racer', overrides: { maximum: { domains: 60 } } } });
    const names = Array.from({ length: 19 }, (_, index) => `p${index}`);
    for (const name of names) api.project('racer', name);
    const answers = await Promise.all(
      Array.from({ length: racing }, (_, index) =>
        rest(`/v1/projects/p${index % 19}/domains`, redirect(index, `p${index % 19}-racer.apps.example.net`)),
      ),
    );
    expect(tally(answers)['201']).toBe(60);
    expect(tally(answers)['409 domain-cap-reached']).toBe(racing - 60);
    expect(api.stores.domains.size).toBe(60);
  });

  it('of one and the same hostname share one write, and all are told of the one domain', async () => {
    const rest = api.account('racer', 'pro');
    const before = api.cluster.written.length;
    const add = { method: 'POST', body: { hostname: 'www.example.com' } };
    const answers = await Promise.all(Array.from({ length: racing }, () => rest('/v1/projects/shop/domains', add)));
    expect(tally(answers)).toEqual({ '200': racing - 1, '201': 1 });
    expect(api.cluster.written.length - before).toBe(1);
  });

  it('that fail give their places back', async () => {
    const rest = api.account('racer', 'free');
    api.cluster.refuseNext(4);
    const make = (name: string) =>
      rest('/v1/projects', { method: 'POST', body: { name, service: { name: 'web', port: 80 } } });
    const failed = await Promise.all(['a', 'b', 'c', 'd'].map(make));
    expect(tally(failed)).toEqual({ '503 cluster-unavailable': 4 });
    expect(tally(await Promise.all(['e', 'f', 'g', 'h', 'i'].map(make)))).toEqual({
      '201': 4,
      '409 project-cap-reached': 1,
    });
  });
});
