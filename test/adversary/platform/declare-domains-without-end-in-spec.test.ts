import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { customer } from '../../support/customers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/**
 * A tenant lets the operator do what it may not do itself: one Project declares hundreds of domains, and the operator is to
 * make them all, or to fail at it for ever. The same ResourceQuota holds the operator, which says so in a condition.
 */

let platform: AttackPlatform;
let tenant: Customer;

const account = 'declaring';
const cap = 8;

const redirects = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    from: `d${index}.declared.example`,
    to: `${account}-shop.apps.example.net`,
  }));

const declare = (count: number) =>
  platform.kubectl.run([
    'patch',
    'project',
    'shop',
    '-n',
    account,
    '--type=merge',
    '-p',
    JSON.stringify({ spec: { domains: { redirects: redirects(count) } } }),
  ]);

const limit = (domains: number) =>
  platform.kubectl.run([
    'patch',
    'account',
    account,
    '--type=merge',
    '-p',
    JSON.stringify({ spec: { overrides: { maximum: { domains } } } }),
  ]);

interface Seen {
  readonly status?: {
    readonly conditions?: readonly { type: string; status: string; reason: string; message: string }[];
  };
}

async function declared() {
  const seen = await platform.kubectl.get<Seen>('project', 'shop', account);
  return seen?.status?.conditions?.find(({ type }) => type === 'DomainsDeclared');
}

async function made(): Promise<number> {
  const names = await platform.kubectl.run(['get', 'projectdomains', '-n', account, '-o', 'name']);
  return names.split('\n').filter((name) => name !== '').length;
}

interface Quota {
  readonly status?: {
    readonly hard?: Readonly<Record<string, string>>;
    readonly used?: Readonly<Record<string, string>>;
  };
}

const counts = (domains: number) =>
  eventually('the quota counts', 60_000, async () => {
    const quota = await platform.kubectl.get<Quota>('resourcequota', 'projectdomain-maximum', account);
    const hard = quota?.status?.hard?.['count/projectdomains.projectdomain.io'];
    expectThat(hard === String(domains) && quota?.status?.used !== undefined, JSON.stringify(quota?.status));
  });

beforeAll(async () => {
  platform = await attackPlatform();
  tenant = await customer(platform.stage, account);
  await limit(cap);
  await counts(cap);
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

describe('a Project that declares more than its account may have', () => {
  it('gets what there is room for, and is told of the rest', async () => {
    await declare(60);
    await eventually('the cap is told of', 60_000, async () => {
      const condition = await declared();
      expectThat(condition?.status === 'False' && condition.reason === 'DomainCapReached', JSON.stringify(condition));
    });
    expect(await made()).toBe(cap);
  }, 120_000);

  it('does not keep the account from anything else', async () => {
    const { status, body } = await tenant.rest('/v1/projects/shop');
    expect([status, body.name]).toEqual([200, 'shop']);
    expect((await tenant.add('one.more.example')).body).toMatchObject({ code: 'domain-cap-reached' });
  });

  it('gets the rest once there is room', async () => {
    await limit(70);
    await counts(70);
    await eventually('all are made', 90_000, async () => expectThat((await made()) === 60, 'not yet'));
    await eventually('the condition is True', 90_000, async () => {
      const condition = await declared();
      expectThat(condition?.status === 'True', JSON.stringify(condition));
    });
  }, 200_000);
});
