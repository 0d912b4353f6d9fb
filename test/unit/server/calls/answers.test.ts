import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../../../../src/server/api-call.ts';
import { apiCalls } from '../../../../src/server/call-table.ts';
import { check } from '../../../../src/server/request-validation.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';

/** Which status, headers and body each call makes of what its use case says. */

interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  /** as they come in: the call's own schemas read them */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly given?: (api: InMemoryApi) => void;
  /** the client goes away after so long; milliseconds */
  readonly goneAfterMs?: number;
}

const shop = { project: 'shop' };
const www = { ...shop, hostname: 'www.example.com' };
const service = { name: 'web', port: 80 };
const example = { hostname: 'example.com', role: 'redirect', redirect: { to: 'www.example.com' } };
const heldByItself = (api: InMemoryApi) =>
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'HostnameClaim',
    metadata: { name: 'www.example.com' },
    spec: { account: 'id-of-acme', holder: { namespace: 'acme', name: 'www.example.com' }, phase: 'Held' },
  });

async function answerOf(name: string, { params = {}, query = {}, body, given, goneAfterMs }: Asked): Promise<Answer> {
  const call = apiCalls.find((one) => one.name === name);
  if (!call) throw new Error(`there is no call ${name}`);
  const api = createInMemoryApi();
  const key = api.account('acme', 'pro');
  api.domain('acme', 'www.example.com');
  given?.(api);
  const context = api.as(key, goneAfterMs === undefined ? {} : { signal: AbortSignal.timeout(goneAfterMs) });
  const keyId = context.caller.apiKey.spec.keyId ?? '';
  try {
    return await call.handle({
      ...context,
      params: name === 'deleteKey' ? { key: keyId } : params,
      query: call.query ? check(call.query, query, 'the query') : undefined,
      body: call.body ? check(call.body, body, 'the body') : undefined,
    });
  } finally {
    api.stop();
  }
}

const answers: readonly (readonly [
  sentence: string,
  call: string,
  asked: Asked,
  status: number,
  part: object | null,
])[] = [
  [
    'shows the account with caps of plan and process',
    'showAccount',
    {},
    200,
    { name: 'acme', limits: { maximum: { projects: 20, eventStreams: 10 } } },
  ],
  [
    'shows what is used as what is not left',
    'showUsage',
    {},
    200,
    { minute: { used: 10, remaining: 999_990 }, ban: null },
  ],
  ['lists projects', 'listProjects', {}, 200, { items: [{ name: 'shop' }], nextCursor: null }],
  [
    'makes a project',
    'createProject',
    { body: { name: 'new', service } },
    201,
    { name: 'new', subdomain: 'new', deployedAt: null },
  ],
  [
    'shows a project',
    'showProject',
    { params: shop },
    200,
    { name: 'shop', platformHostname: 'acme.apps.example.net' },
  ],
  [
    'changes what is given of a project',
    'changeProject',
    { params: shop, body: { subdomain: 'other' } },
    200,
    { subdomain: 'other', service },
  ],
  ['deletes a project without a body', 'deleteProject', { params: shop }, 204, null],
  ['shows an empty configuration', 'showDomainConfig', { params: shop }, 200, { primary: null, redirects: [] }],
  [
    'shows a configuration with the destinations that it means',
    'replaceDomainConfig',
    { params: shop, body: { primary: 'a.example.com', redirects: [{ from: 'b.example.com' }] } },
    200,
    { primary: 'a.example.com', redirects: [{ from: 'b.example.com', to: 'a.example.com', status: 301 }] },
  ],
  [
    'lists domains',
    'listDomains',
    { params: shop },
    200,
    { items: [{ hostname: 'www.example.com' }], nextCursor: null },
  ],
  [
    'shows a domain, whatever the case of its name',
    'showDomain',
    { params: { ...shop, hostname: 'WWW.example.com' } },
    200,
    { hostname: 'www.example.com', role: 'primary', state: 'Live' },
  ],
  [
    'adds a domain',
    'addDomain',
    { params: shop, body: example },
    201,
    { hostname: 'example.com', role: 'redirect', state: 'Unverified' },
  ],
  [
    'adds nothing in a dry run',
    'addDomain',
    { params: shop, body: example, query: { dryRun: 'true' } },
    200,
    { hostname: 'example.com', createdAt: null },
  ],
  [
    'shows a domain that is added again',
    'addDomain',
    { params: shop, body: { hostname: 'www.example.com' } },
    200,
    { hostname: 'www.example.com', state: 'Live' },
  ],
  [
    'changes a domain',
    'changeDomain',
    {
      params: { ...shop, hostname: 'r.example.com' },
      body: { redirect: { to: 'www.example.com', status: 308 } },
      given: (api) =>
        api.domain('acme', 'r.example.com', {
          spec: { project: 'shop', hostname: 'r.example.com', role: 'Redirect', redirect: { to: 'www.example.com' } },
        }),
    },
    200,
    { redirect: { to: 'www.example.com', status: 308 } },
  ],
  ['removes a domain without a body', 'removeDomain', { params: www }, 204, null],
  [
    'says that removal goes on while the name is held',
    'removeDomain',
    { params: www, given: heldByItself, goneAfterMs: 50 },
    202,
    { hostname: 'www.example.com' },
  ],
  ['asks for a check', 'verifyDomain', { params: www }, 202, { hostname: 'www.example.com' }],
  [
    'says that a check is not over in time',
    'verifyDomain',
    { params: www, query: { wait: '1' } },
    202,
    { state: 'Live' },
  ],
  ['lists keys without their secrets', 'listKeys', {}, 200, { nextCursor: null }],
  [
    'shows a new key this once',
    'createKey',
    { body: { scopes: ['domains:read'] } },
    201,
    { scopes: ['domains:read'], expiresAt: null },
  ],
  ['deletes a key without a body', 'deleteKey', {}, 204, null],
];

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
    expect(answer.body).toMatchObject(part);
    expect(schema?.safeParse(answer.body).error).toBeUndefined();
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
        setTimeout(() => api.put({ ...seen, status: { ...seen.status, check: { verifySeen } } }), 5);
      });
    };
    expect(await answerOf('verifyDomain', { params: www, query: { wait: '30s' }, given: operator })).toMatchObject({
      status: 200,
      body: { hostname: 'www.example.com' },
    });
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
  const answer = await call?.handle({ ...api.as(key), params: www, query: undefined, body: undefined });
  if (!answer?.events) throw new Error('no stream');
  return { events: answer.events };
}
