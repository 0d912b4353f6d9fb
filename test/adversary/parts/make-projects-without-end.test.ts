import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';
import { tally } from '../../support/tally.ts';

/**
 * An account of the free plan takes one platform hostname after another by making projects. The cap of its plan holds it
 * off; what it has beyond a cap that came later stays.
 */

let api: ApiOnStores;

beforeEach(async () => {
  api = await startApiOnStores({ watchMs: 20 });
});

afterEach(() => api.stop());

const project = (name: string) => ({ method: 'POST', body: { name, service: { name: 'web', port: 80 } } });

describe('an account that wants every name', () => {
  it('gets as many projects as its plan says, however many are asked for at once', async () => {
    const rest = api.account('squatter', 'free');
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => rest('/v1/projects', project(`paypal-${index}`))),
    );
    expect(tally(answers)).toEqual({ '201': 4, '409 project-cap-reached': 296 });
    expect(api.stores.projects.size).toBe(5);
  });

  it('is told of a name that it has already, not of the cap', async () => {
    const rest = api.account('squatter', 'free');
    await Promise.all(Array.from({ length: 10 }, (_, index) => rest('/v1/projects', project(`paypal-${index}`))));
    expect((await rest('/v1/projects', project('shop'))).body).toMatchObject({ code: 'already-exists' });
  });

  it('keeps what it has after a downgrade, may change and remove it, and makes nothing new', async () => {
    const rest = api.account('squatter', 'pro');
    await Promise.all(Array.from({ length: 10 }, (_, index) => rest('/v1/projects', project(`mine-${index}`))));
    api.account('squatter', 'free');
    expect(((await rest('/v1/projects?limit=100')).body.items as unknown[]).length).toBe(11);
    expect((await rest('/v1/projects/mine-3', { method: 'PATCH', body: { subdomain: 'other' } })).status).toBe(200);
    expect((await rest('/v1/projects', project('one-more'))).body).toMatchObject({
      code: 'project-cap-reached',
      maximum: 5,
    });
    expect((await rest('/v1/projects/mine-3', { method: 'DELETE' })).status).toBe(204);
    expect((await rest('/v1/projects', project('one-more'))).status).toBe(409);
  });
});
