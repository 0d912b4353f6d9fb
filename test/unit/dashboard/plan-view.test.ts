import { describe, expect, it } from '@jest/globals';
import type { PlanModel } from '../../../src/dashboard/view-models.ts';
import { planMain } from '../../../src/dashboard/views/plan-view.ts';
import { listPlanOffers, accountView } from '../../../src/use-cases/account-and-usage.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { presentation } from '../../support/view-context.ts';

/** The plan's page: what other plans offer, and the one thing to do where the plan has no custom domains. */

async function modelOf(plan: string, ban: PlanModel['ban'] = null): Promise<PlanModel> {
  const api = createInMemoryApi();
  const { spec } = api.stores.plans.get({ namespace: '', name: 'enterprise' }) ?? {};
  const globex = { ...spec, listed: undefined, negotiated: undefined };
  api.put({ apiVersion: 'projectdomain.io/v1alpha1', kind: 'Plan', metadata: { name: 'globex' }, spec: globex });
  const context = api.as(api.account('acme', plan));
  const { account, limits } = context.caller;
  const window = { limit: 60, used: 1, remaining: 59, resetAt: '2026-11-21T09:40:00Z' };
  const plans = await listPlanOffers(context);
  return { account: accountView(account, limits), plans, minute: window, day: window, ban };
}

const upgradeUrl = 'https://acme.example/upgrade';
const view = (brand: object = {}) => ({ ...presentation, brand: { ...presentation.brand, ...brand }, csrf: '' });
const plain = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the comparison of plans', () => {
  it.each<[string, readonly string[]]>([
    ['free', ['Free', '60', '1,000', 'Not included']],
    ['pro', ['Pro', '300', '10,000', 'Up to 50 per project']],
    ['business', ['Business', '1,000', '100,000', 'Up to 200 per project']],
  ])('tells what %s offers, and marks it as the own plan', async (plan, cells) => {
    const { text } = planMain(view(), await modelOf(plan));
    const rows = text.slice(text.indexOf('<tbody>'), text.indexOf('</tbody>')).split('</tr>');
    const own = rows.filter((row) => row.includes('class="own"'));
    expect(own).toHaveLength(1);
    expect(plain(own[0] ?? '')).toBe(` ${cells[0]} Your plan ${cells.slice(1).join(' ')} `);
  });

  it('goes from the smallest to the largest, and ends with what is agreed with each account', async () => {
    const { text } = planMain(view(), await modelOf('business'));
    const names = [...text.matchAll(/<th scope="row">\s*(\w+)/g)].map(([, name]) => name);
    expect(names).toEqual(['Free', 'Pro', 'Business', 'Enterprise']);
    expect(plain(text)).toContain('Enterprise As agreed As agreed As agreed');
  });

  it.each<[string, string, readonly string[]]>([
    ['is hidden from an account on another plan', 'pro', ['free', 'pro', 'business', 'enterprise']],
    ['is shown to an account that is on it', 'globex', ['free', 'globex', 'pro', 'business', 'enterprise']],
  ])('a plan made for one customer, which is not listed, %s', async (_, plan, names) => {
    const { plans } = await modelOf(plan);
    expect(plans.map(({ name }) => name).toSorted()).toEqual([...names].toSorted());
  });

  it('shows an account with agreed limits its own numbers', async () => {
    const { plans } = await modelOf('enterprise');
    expect(plans.find(({ own }) => own)).toMatchObject({ name: 'enterprise', negotiated: false });
  });
});

const banned = { until: '2026-11-21T09:40:00Z', reason: 'why' };

describe('the action of the page', () => {
  it.each<[string, string, object, PlanModel['ban'], boolean]>([
    ['upgrading, on Free', 'free', { upgradeUrl }, null, true],
    ['none on Free without a place to upgrade: support is named', 'free', {}, null, false],
    ['none while banned: waiting ends it', 'free', { upgradeUrl }, banned, false],
    ['none on Pro, where nothing is missing', 'pro', { upgradeUrl }, null, false],
  ])('is %s', async (_, plan, brand, ban, isMain) => {
    const { text } = planMain(view(brand), await modelOf(plan, ban));
    const main = [...text.matchAll(/<a [^>]*class="button main"[^>]*>/g)].map(([tag]) => tag);
    expect(main.map((tag) => tag.includes(`href="${upgradeUrl}"`))).toEqual(isMain ? [true] : []);
    if (isMain) expect(plain(text.slice(0, text.indexOf('<a '))).split(' ').length).toBeLessThan(40);
  });

  it('says whom to ask where no address is configured, by a link where support has one', async () => {
    const model = await modelOf('free');
    expect(plain(planMain(view(), model).text)).toContain('To upgrade, contact the platform’s support');
    const { text } = planMain(view({ platformName: 'Acme', supportUrl: 'mailto:help@acme.example' }), model);
    expect(text).toContain('<a href="mailto:help@acme.example" rel="noopener">Acme’s support</a>');
  });
});

describe('what the page says about too many requests', () => {
  it('is to wait for Retry-After, and to back off exponentially', async () => {
    const text = plain(planMain(view(), await modelOf('pro')).text);
    for (const part of ['Retry-After', 'exponential backoff', 'banned for a while']) expect(text).toContain(part);
  });
});

describe('the use of a limit', () => {
  it.each<[string, number, string]>([
    ['that is begun says from when there is more, until then', 1, '1 of 60 requests used, 59 left. More come'],
    ['that is whole says nothing of more: there is none', 0, '0 of 60 requests used, 60 left. </p>'],
  ])('%s', async (_, used, said) => {
    const model = await modelOf('pro');
    const window = { ...model.minute, used, remaining: 60 - used };
    const { text } = planMain(view(), { ...model, minute: window, day: window });
    expect(text.replaceAll(/<(?!\/p)[^>]*>|\n/g, '')).toContain(said);
    expect(text.includes('data-over="2026-11-21')).toBe(used > 0);
  });
});
