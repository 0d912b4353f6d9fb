import { describe, expect, it } from '@jest/globals';
import { apiCalls } from '../../../src/server/call-table.ts';
import { scopes } from '../../../src/rules/api-key-format.ts';
import { useCase } from '../../../src/use-cases/use-case.ts';
import { documentOf } from '../../support/document-of.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** A key does what its scopes say, by whichever door it comes: the use case itself looks. */

const params = { project: 'shop', hostname: 'www.example.com', key: 'none' };
const query = { limit: 1, dryRun: 'true', wait: undefined };
const body = {
  ...{ hostname: 'a.example.com', role: 'primary', name: 'x', service: { name: 'web', port: 80 } },
  ...{ scopes: ['domains:read'], primary: null, redirects: [], items: [] },
};

const scoped = apiCalls.flatMap((call) => (call.scope === null ? [] : [[call.name, call.scope, call] as const]));

describe('a use case', () => {
  it.each(scoped)('%s refuses a key that has every scope but %s, and changes nothing', async (_, scope, call) => {
    const api = createInMemoryApi();
    api.account('acme', 'pro');
    const others = scopes.filter((one) => one !== scope);
    const context = api.as(api.key('acme', others));
    await expect(
      call.handle({ ...context, spend: () => Promise.resolve(), documentOf, params, query, body }),
    ).rejects.toMatchObject({
      code: 'scope-missing',
      members: { scope },
    });
    expect(api.cluster.written).toEqual([]);
  });

  it('without a scope is for any key, and passes on what it is given and what it makes', async () => {
    const api = createInMemoryApi();
    api.account('acme', 'pro');
    const context = api.as(api.key('acme', ['domains:read']));
    const echo = useCase<string, string>(null, ({ caller }, input) => `${caller.account.metadata.name} says ${input}`);
    expect(await echo(context, 'hello')).toBe('acme says hello');
  });

  it('is known for what its call documents: reading reads, and keys are of their own', () => {
    const wrong = apiCalls.filter(({ method, path, scope }) => {
      if (path.startsWith('/v1/account')) return scope !== null;
      if (path.startsWith('/v1/keys')) return scope !== 'keys:write';
      return scope !== (method === 'get' ? 'domains:read' : 'domains:write');
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});
