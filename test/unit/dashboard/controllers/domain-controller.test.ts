import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  domainPage,
  removeAction,
  removePage,
  verifyAction,
} from '../../../../src/dashboard/controllers/domain-controller.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from '../../../support/page-request.ts';
import { pageRequest, shown } from '../../../support/page-request.ts';

/** One domain's page and what can be done there. */

let api: InMemoryApi;
let key: string;
const params = { project: 'shop', hostname: 'www.example.com' };
const ask = (asked: Asked = {}) => pageRequest(api, key, { params, ...asked });

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
  api.domain('acme', 'www.example.com', {
    status: {
      state: 'Live',
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Routed',
          message: 'it answers',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
      timeline: [
        { at: '2026-01-01T00:00:00Z', state: 'Unverified', reason: 'Waiting', message: 'the older one' },
        { at: '2026-01-02T00:00:00Z', state: 'Live', reason: 'Routed', message: 'the newer one' },
      ],
    },
  });
});

describe("a domain's page", () => {
  it('shows its history, the newest first, and names the version that its stream goes on from', async () => {
    const { status, html } = await shown(domainPage, ask());
    expect(status).toBe(200);
    expect(html).toMatch(/<time datetime="2026-01-02[\s\S]*<time datetime="2026-01-01/);
    const newest = api.stores.domains.get({ namespace: 'acme', name: 'www.example.com' })?.metadata.resourceVersion;
    expect(html).toContain(`events?since=${newest}&amp;hostname=www.example.com"`);
  });

  it.each([
    ['domain', { ...params, hostname: 'none.example.com' }],
    ['project', { ...params, project: 'none' }],
  ])('is for no %s that is not there', async (_, meant) => {
    await expect(shown(domainPage, ask({ params: meant }))).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('the button that verifies', () => {
  it('asks for a check and leads back', async () => {
    const { to } = await shown(verifyAction, ask());
    const { annotations: _, resourceVersion } =
      api.stores.domains.get({ namespace: 'acme', name: 'www.example.com' })?.metadata ?? {};
    expect(to).toBe(
      `/dashboard/projects/shop/domains/www.example.com?done=verify&since=${resourceVersion}&was=Live+Routed`,
    );
    const { annotations = {} } = api.stores.domains.get({ namespace: 'acme', name: 'www.example.com' })?.metadata ?? {};
    expect(Object.keys(annotations)).toEqual(['projectdomain.io/verify-requested-at']);
  });

  it.each<[string, () => void, number, string]>([
    [
      'waits for something else',
      () => {
        const hostname = 'z.example.com';
        api.domain('acme', hostname, { status: { state: 'Pending' } });
        api.domain('acme', 'www.example.com', { status: { state: 'Live' } });
      },
      409,
      'domain-pending',
    ],
    ['is asked for by a key that only reads', () => (key = api.key('acme', ['domains:read'])), 403, 'scope-missing'],
    ['is asked of a cluster that is away', () => api.cluster.refuseNext(9), 503, 'cluster-unavailable'],
  ])('says on its page why not, when it %s', async (_, given, status, code) => {
    given();
    const hostname = status === 409 ? 'z.example.com' : 'www.example.com';
    const answer = await shown(verifyAction, ask({ params: { project: 'shop', hostname } }));
    expect(answer.status).toBe(status);
    expect(answer.html).toContain(code);
    expect(answer.html).toContain('id="panel"');
  });
});

describe('removing a domain', () => {
  it('is asked first, and removes nothing by asking', async () => {
    const { status, html } = await shown(removePage, ask());
    expect(status).toBe(200);
    expect(html).toMatch(/<form method="post"[^>]*action="[^"]*\/remove"/);
    expect(api.cluster.written).toEqual([]);
  });

  it.each<[string, 'Live' | 'Unverified', string, string]>([
    ['is live', 'Live', 'visitors get an error instead', 'visitors will notice nothing'],
    ['is not', 'Unverified', 'visitors will notice nothing', 'get an error'],
  ])('says what visitors notice where it %s, and which redirects lose it', async (_, state, expected, never) => {
    const why = { reason: 'Routed', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const conditions = [{ type: 'Ready', status: 'True', ...why } as const];
    api.domain('acme', 'www.example.com', { status: { state, conditions } });
    api.domain('acme', 'led.example.com', {
      spec: { project: 'shop', hostname: 'led.example.com', role: 'Redirect', redirect: { to: 'www.example.com' } },
    });
    const { html = '' } = await shown(removePage, ask());
    const text = html.replaceAll('<wbr>', '').replaceAll(/<[^>]*>/g, ' ');
    expect(text).toContain(expected);
    expect(text).not.toContain(never);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('redirect loses its destination and stops working: led.example.com');
  });

  it('leads to the project, which says that it is gone', async () => {
    expect((await shown(removeAction, ask())).to).toBe('/dashboard/projects/shop?done=removed');
    expect(api.stores.domains.list()).toEqual([]);
  });

  it('leads there too while its route is still going', async () => {
    api.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'HostnameClaim',
      metadata: { name: 'www.example.com' },
      spec: { account: 'id-of-acme', holder: { namespace: 'acme', name: 'www.example.com' }, phase: 'Held' },
    });
    const gone = new AbortController();
    api.stores.domains.subscribe(({ type }) => void (type === 'deleted' && setImmediate(() => gone.abort())));
    const { to } = await shown(removeAction, ask({ signal: gone.signal }));
    expect(to).toBe('/dashboard/projects/shop?done=removing');
  });

  it('says where it was asked why not', async () => {
    key = api.key('acme', ['domains:read']);
    const { status, html } = await shown(removeAction, ask());
    expect([status, api.stores.domains.list().length]).toEqual([403, 1]);
    expect(html).toContain('scope-missing');
    expect(html).toMatch(/action="[^"]*\/remove"/);
  });
});
