import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Limits } from '../../../src/rules/plan-limits.ts';
import { defaultPlans } from '../../support/plans.ts';

const values = parse(readFileSync(join(import.meta.dirname, '../../../charts/projectdomain/values.yaml'), 'utf8')) as {
  readonly plans: Readonly<Record<string, Limits & { readonly negotiated?: boolean }>>;
};

/** The four plans as they are sold: fails when the chart installs another, or one with other limits. */
describe('a plan of the chart', () => {
  it('is one of four', () => {
    expect(Object.keys(values.plans)).toEqual(['free', 'pro', 'business', 'enterprise']);
  });

  it.each([
    ['free: 60 requests a minute, 1,000 a day, and no custom domains', 'free', [60, 1_000], false],
    ['pro: 300 requests a minute, 10,000 a day, and custom domains', 'pro', [300, 10_000], true],
    ['business: 1,000 requests a minute, 100,000 a day, and custom domains', 'business', [1_000, 100_000], true],
  ] as const)('%s', (_, name, rates, hasDomains) => {
    const { rateLimit, customDomains } = values.plans[name] ?? {};
    expect([rateLimit?.requestsPerMinute, rateLimit?.requestsPerDay]).toEqual(rates);
    expect(customDomains?.enabled).toBe(hasDomains);
  });

  it('enterprise: custom domains, and limits that are agreed with each account', () => {
    expect(values.plans.enterprise).toMatchObject({ negotiated: true, customDomains: { enabled: true } });
  });

  it('is the one that other tests work with', () => {
    expect(values.plans).toMatchObject(defaultPlans);
  });
});
