import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectThat, within } from '../../../dev/lib/eventually.ts';
import type { RestCall } from '../../../dev/lib/rest.ts';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { customer } from '../../support/customers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/** A valid key of one account asks for what belongs to another: it is told what it would be told of what never was. */

let platform: AttackPlatform;
let victim: Customer;
let attacker: Customer;
let theirKey: string;
const hostname = 'www.private.example';

beforeAll(async () => {
  platform = await attackPlatform();
  victim = await customer(platform.stage, 'private-victim');
  attacker = await customer(platform.stage, 'private-attacker');
  const project = { name: 'secret-plans', service: { name: 'private-victim-web', port: 8080 } };
  await victim.rest('/v1/projects', { method: 'POST', body: project });
  // Until the operator has seen the project's Service ready, an add is refused.
  await within('the domain of the other account is added', platform.stage.patienceMs, async () => {
    const { status, body } = await victim.rest('/v1/projects/secret-plans/domains', {
      method: 'POST',
      body: { hostname },
    });
    expectThat(status === 201, JSON.stringify(body));
  });
  const { body } = await victim.rest('/v1/keys');
  theirKey = (body.items as readonly { readonly id: string }[])[0]?.id ?? '';
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

const project = '/v1/projects/secret-plans';
const calls: readonly [what: string, path: () => string, call: RestCall][] = [
  ['a project', () => project, {}],
  ['its change', () => project, { method: 'PATCH', body: { subdomain: 'mine' } }],
  ['its removal', () => project, { method: 'DELETE' }],
  ['its configuration', () => `${project}/domain-config`, {}],
  [
    'a new configuration',
    () => `${project}/domain-config`,
    { method: 'PUT', body: { primary: hostname, redirects: [] } },
  ],
  ['its domains', () => `${project}/domains`, {}],
  ['an add', () => `${project}/domains`, { method: 'POST', body: { hostname: 'more.private.example' } }],
  ['a domain', () => `${project}/domains/${hostname}`, {}],
  ['its role', () => `${project}/domains/${hostname}`, { method: 'PATCH', body: { role: 'primary' } }],
  ['its verification', () => `${project}/domains/${hostname}/verify`, { method: 'POST' }],
  ['its events', () => `${project}/domains/${hostname}/events`, {}],
  ['its end', () => `${project}/domains/${hostname}`, { method: 'DELETE' }],
  ['a key', () => `/v1/keys/${theirKey}`, { method: 'DELETE' }],
];

describe("another account's things", () => {
  it.each(calls)('%s: not found', async (_, path, call) => {
    const { status, body } = await attacker.rest(path(), call);
    expect([status, body.code]).toEqual([404, 'not-found']);
  });

  it('are told of in the words for what never was', async () => {
    const [theirs, nobodys] = await Promise.all([attacker.rest(project), attacker.rest('/v1/projects/never-was')]);
    expect(String(theirs.body.detail).replace('secret-plans', '')).toBe(
      String(nobodys.body.detail).replace('never-was', ''),
    );
  });

  it('are in no list, and stand as they were', async () => {
    const lists = await Promise.all(['/v1/projects', '/v1/keys'].map((path) => attacker.rest(path)));
    expect(JSON.stringify(lists.map(({ body }) => body))).not.toMatch(new RegExp(`secret-plans|${theirKey}`));
    expect((await victim.rest(`${project}/domains/${hostname}`)).body).toMatchObject({ hostname });
  });
});
