import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Rest } from '../../../dev/lib/rest.ts';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';

/** PUT domain-config answers at once what the operator would say of an entry, and writes nothing of what it refuses. */

const apiVersion = 'projectdomain.io/v1alpha1';
const path = '/v1/projects/shop/domain-config';

let api: ApiOnStores;
let rest: Rest;
beforeAll(async () => {
  api = await startApiOnStores();
});
afterAll(() => api.stop());

let accounts = 0;
let name = '';
beforeEach(() => {
  accounts += 1;
  name = `a${accounts}`;
  rest = api.account(name, 'pro');
});

/** A ProjectDomain of its own, as POST makes it. */
function standAlone(hostname: string, to?: string): void {
  const redirect = to === undefined ? { role: 'Primary' } : { role: 'Redirect', redirect: { to, status: 301 } };
  const spec = { project: 'shop', hostname, ...redirect };
  api.put({ apiVersion, kind: 'ProjectDomain', metadata: { name: hostname, namespace: name }, spec });
}

const put = (body: object) => rest(path, { method: 'PUT', body });

describe('a configuration of domains that the operator would leave Pending', () => {
  it.each<[what: string, before: () => void, body: object, status: number, code: string]>([
    [
      'a redirect to a redirect that was added by POST',
      () => standAlone('old.example.com', 'new.example.com'),
      { redirects: [{ from: 'www.example.com', to: 'old.example.com' }] },
      422,
      'invalid-redirect',
    ],
    ['a second primary', () => standAlone('www.example.com'), { primary: 'shop.example.com' }, 409, 'primary-exists'],
    [
      'a redirect beside the primary that was added by POST and becomes one, to which it leads',
      () => standAlone('www.example.com'),
      { redirects: [{ from: 'www.example.com', to: 'example.com' }] },
      422,
      'invalid-redirect',
    ],
    [
      'a project that was never deployed',
      () => {
        const spec = { service: { name: 'web', port: 80 } };
        api.put({ apiVersion, kind: 'Project', metadata: { name: 'shop', namespace: name }, spec });
      },
      { primary: 'www.example.com' },
      409,
      'project-not-deployed',
    ],
  ])('is refused for %s', async (_, before, body, status, code) => {
    before();
    const written = api.cluster.written.length;
    const answer = await put(body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(api.cluster.written.length).toBe(written);
  });

  it('is taken when nothing stands against it', async () => {
    standAlone('old.example.com', 'new.example.com');
    const answer = await put({ primary: 'new.example.com', redirects: [{ from: 'example.com' }] });
    expect(answer.status).toBe(200);
  });
});
