import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Rest, RestCall } from '../../../dev/lib/rest.ts';
import { restClient } from '../../../dev/lib/rest.ts';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { customer } from '../../support/customers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/** Somebody who got a key for reading wants to write, and above all to make itself a better key. */

let platform: AttackPlatform;
let owner: Customer;
let reader: Rest;

beforeAll(async () => {
  platform = await attackPlatform();
  owner = await customer(platform.stage, 'scope-owner');
  const { body } = await owner.rest('/v1/keys', { method: 'POST', body: { scopes: ['domains:read'] } });
  reader = restClient(platform.facts.apiUrl ?? '', String(body.key));
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

const hostname = 'www.scoped.example';

describe('a key that may only read domains', () => {
  it.each<[what: string, path: string, call: RestCall]>([
    ['a better key', '/v1/keys', { method: 'POST', body: { scopes: ['domains:write', 'keys:write'] } }],
    ['the list of keys', '/v1/keys', {}],
    ['the end of a key', '/v1/keys/whatever', { method: 'DELETE' }],
    ['a domain', '/v1/projects/shop/domains', { method: 'POST', body: { hostname } }],
    ['the end of a domain', `/v1/projects/shop/domains/${hostname}`, { method: 'DELETE' }],
    ['a verification', `/v1/projects/shop/domains/${hostname}/verify`, { method: 'POST' }],
    ['another service', '/v1/projects/shop', { method: 'PATCH', body: { subdomain: 'other' } }],
    ['the end of the project', '/v1/projects/shop', { method: 'DELETE' }],
    ['a configuration', '/v1/projects/shop/domain-config', { method: 'PUT', body: { primary: hostname } }],
  ])('gets no %s', async (_, path, call) => {
    const { status, body } = await reader(path, call);
    expect([status, body.code]).toEqual([403, 'scope-missing']);
  });

  it('still reads', async () => {
    expect((await reader('/v1/projects/shop')).status).toBe(200);
  });
});

describe('a key that may make keys and nothing else', () => {
  it('makes none that may do more than itself', async () => {
    const { body } = await owner.rest('/v1/keys', { method: 'POST', body: { scopes: ['keys:write'] } });
    const maker = restClient(platform.facts.apiUrl ?? '', String(body.key));
    const more = await maker('/v1/keys', { method: 'POST', body: { scopes: ['domains:write'] } });
    expect([more.status, more.body.code]).toEqual([403, 'scope-missing']);
  });
});
