import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';
import { tally } from '../../support/tally.ts';

/**
 * A key with keys:write makes more and more keys, each a cluster-scoped object that every process keeps a copy of. The cap of
 * the account holds it off, counted over what exists and what is on its way.
 */

let api: ApiOnStores;

beforeEach(async () => {
  api = await startApiOnStores({ watchMs: 20 });
});

afterEach(() => api.stop());

const make = { method: 'POST', body: { scopes: ['keys:write'] } };

describe('whoever has one key of an account', () => {
  it.each<[string, string, number]>([
    ['on plan free', 'free', 5],
    ['on plan pro', 'pro', 20],
  ])(
    '%s makes as many as the plan says, itself included, however many are asked for at once',
    async (_, plan, most) => {
      const rest = api.account('greedy', plan);
      const answers = await Promise.all(Array.from({ length: 708 }, () => rest('/v1/keys', make)));
      expect(tally(answers)).toEqual({ '201': most - 1, '409 key-cap-reached': 708 - (most - 1) });
      expect(api.stores.apiKeys.size).toBe(most);
    },
  );

  it('makes none in place of the cap by asking with the new keys', async () => {
    const rest = api.account('greedy', 'free');
    const { body } = await rest('/v1/keys', make);
    const second = api.as(String(body.key));
    const answers = await Promise.all(
      [rest, second].flatMap((who) => Array.from({ length: 50 }, () => who('/v1/keys', make))),
    );
    expect(tally(answers)['201']).toBe(3);
  });

  it('makes one again for each that it deletes, and a neighbour makes its own all the while', async () => {
    const rest = api.account('greedy', 'free');
    const neighbour = api.account('neighbour', 'free');
    await Promise.all(Array.from({ length: 20 }, () => rest('/v1/keys', make)));
    expect((await neighbour('/v1/keys', make)).status).toBe(201);
    const { body } = await rest('/v1/keys?limit=100');
    const [last] = (body.items as { id: string; scopes: string[] }[]).filter(({ scopes }) => scopes.length === 1);
    expect((await rest(`/v1/keys/${last?.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await rest('/v1/keys', make)).status).toBe(201);
    expect((await rest('/v1/keys', make)).body).toMatchObject({ code: 'key-cap-reached', maximum: 5 });
  });
});
