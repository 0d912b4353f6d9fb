import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../../../../src/server/api-call.ts';
import { apiCalls } from '../../../../src/server/call-table.ts';
import { check } from '../../../../src/server/request-validation.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { documentOf } from '../../../support/document-of.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from './call-examples.ts';
import { answers, example, service, shop, www } from './call-examples.ts';

/** Which status, headers and body each call makes of what its use case says. */

const spend = () => Promise.resolve();

async function answerOf(name: string, asked: Asked): Promise<Answer> {
  const { params = {}, query = {}, body, given, isGoneOnceRemoved } = asked;
  const call = apiCalls.find((one) => one.name === name);
  if (!call) throw new Error(`there is no call ${name}`);
  const api = createInMemoryApi();
  const key = api.account('acme', 'pro');
  api.domain('acme', 'www.example.com');
  given?.(api);
  const gone = new AbortController();
  if (isGoneOnceRemoved)
    api.stores.domains.subscribe(({ type }) => void (type === 'deleted' && setImmediate(() => gone.abort())));
  const context = api.as(key, { signal: gone.signal });
  const keyId = context.caller.apiKey.spec.keyId ?? '';
  try {
    return await call.handle({
      ...context,
      spend,
      documentOf,
      params: name === 'deleteKey' ? { key: keyId } : params,
      query: call.query ? check(call.query, query, 'query') : undefined,
      body: call.body ? check(call.body, body, 'body') : undefined,
    });
  } finally {
    api.stop();
  }
}

/** Successes that take more than one step to show. */
const shownBelow = ['verifyDomain 200', 'watchDomain 200', 'revokeHandoverLink 204'];

describe('a call', () => {
  it.each(answers)('%s (%s)', async (_, name, asked, status, part) => {
    const call = apiCalls.find((one) => one.name === name);
    const answer = await answerOf(name, asked);
    expect(answer.status).toBe(status);
    const schema = call?.successes[status]?.schema;
    if (part === null) {
      expect(answer.body).toBeUndefined();
      expect(schema).toBeNull();
      return;
    }
    const body: unknown = answer.json === undefined ? answer.body : JSON.parse(answer.json);
    expect(body).toMatchObject(part);
    expect(schema?.safeParse(body).error).toBeUndefined();
  });

  it('is shown here with every success that it documents', () => {
    const told = new Set([...answers.map(([, name, , status]) => `${name} ${status}`), ...shownBelow]);
    const documented = apiCalls.flatMap(({ name, successes }) =>
      Object.keys(successes).map((status) => `${name} ${status}`),
    );
    expect(documented.filter((one) => !told.has(one))).toEqual([]);
  });

  it.each([
    ['createProject', { body: { name: 'new', service } }, '/v1/projects/new'],
    ['addDomain', { params: shop, body: example }, '/v1/projects/shop/domains/example.com'],
  ])('says where what %s made is found', async (name, asked, location) => {
    expect((await answerOf(name, asked)).headers).toEqual({ location });
  });

  it('says where a new key is found by the id that is in it', async () => {
    const { body, headers } = await answerOf('createKey', { body: { scopes: ['keys:write'] } });
    const { id, key } = body as { id: string; key: string };
    expect(headers).toEqual({ location: `/v1/keys/${id}` });
    expect(key.split('_')[1]).toBe(id);
  });

  it('says that a check is over as soon as the operator has seen the request', async () => {
    const operator = (api: InMemoryApi) => {
      const key = { namespace: 'acme', name: 'www.example.com' };
      const end = api.stores.domains.subscribeTo(key, () => {
        const seen = api.stores.domains.get(key);
        const verifySeen = seen?.metadata.annotations?.['projectdomain.io/verify-requested-at'];
        if (!seen || verifySeen === undefined) return;
        end();
        setImmediate(() => api.put({ ...seen, status: { ...seen.status, check: { verifySeen } } }));
      });
    };
    expect(await answerOf('verifyDomain', { params: www, query: { wait: '30s' }, given: operator })).toMatchObject({
      status: 200,
      body: { hostname: 'www.example.com' },
    });
  });

  it('lists a link without its path, and ends it by its id', async () => {
    const api = createInMemoryApi();
    const key = api.account('acme', 'pro');
    api.domain('acme', 'www.example.com');
    const ask = (name: string, link = '') => {
      const call = apiCalls.find((one) => one.name === name);
      return call?.handle({
        ...api.as(key),
        spend,
        documentOf,
        params: { ...www, link },
        query: undefined,
        body: { days: 1 },
      });
    };
    const made = await ask('createHandoverLink');
    const { path, ...listed } = made?.body as { path: string; id: string };
    expect(path).toMatch(/^\/dashboard\/records\/[\w-]{68}$/);
    expect(await ask('listHandoverLinks')).toEqual({ status: 200, body: { items: [listed] } });
    expect(await ask('revokeHandoverLink', listed.id)).toEqual({ status: 204 });
    expect(await ask('listHandoverLinks')).toEqual({ status: 200, body: { items: [] } });
  });

  it('streams the state at first, and the end', async () => {
    let end = () => undefined as void;
    const { events } = await answerOfStream(
      (api) =>
        (end = () =>
          void api.cluster.remove({ kind: 'ProjectDomain' } as never, { namespace: 'acme', name: 'www.example.com' })),
    );
    const told: string[] = [];
    for await (const event of events) {
      told.push(event);
      end();
    }
    expect(told[0]).toMatch(/^event: state\ndata: \{"hostname":"www\.example\.com".*\}\n\n$/);
    expect(told[1]).toBe('event: removed\ndata: {"hostname":"www.example.com"}\n\n');
    expect(told).toHaveLength(2);
  });
});

async function answerOfStream(given: (api: InMemoryApi) => void) {
  const call = apiCalls.find(({ name }) => name === 'watchDomain');
  const api = createInMemoryApi();
  const key = api.account('acme', 'pro');
  api.domain('acme', 'www.example.com');
  given(api);
  const answer = await call?.handle({
    ...api.as(key),
    spend,
    documentOf,
    params: www,
    query: undefined,
    body: undefined,
  });
  if (!answer?.events) throw new Error('no stream');
  return { events: answer.events };
}
