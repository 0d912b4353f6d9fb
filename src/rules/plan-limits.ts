import type { Account } from '../generated/account.ts';
import type { Plan } from '../generated/plan.ts';

/** A Plan as it is written down. */
export type PlanLimits = Plan['spec'];

/** Parts of limits agreed with one account. */
export type LimitOverrides = NonNullable<Account['spec']['overrides']>;

/** What a plan allows, and what an account may do after its overrides: every number said. */
export interface Limits extends Omit<PlanLimits, 'maximum'> {
  readonly maximum: Required<NonNullable<PlanLimits['maximum']>>;
}

/** What each limit is: a count (a whole number from 0), or a switch. What reads or describes limits goes by this table. */
export const limitFields = {
  rateLimit: { requestsPerMinute: 'count', requestsPerDay: 'count' },
  customDomains: { enabled: 'switch', maxPerProject: 'count' },
  maximum: { projects: 'count', domains: 'count', apiKeys: 'count' },
} as const satisfies {
  readonly [G in keyof Limits]: { readonly [F in keyof Limits[G]]: Limits[G][F] extends boolean ? 'switch' : 'count' };
};

/** What an account may have a number of, as people call it. */
export const maximumWords: Readonly<Record<keyof Limits['maximum'], string>> = {
  projects: 'projects',
  domains: 'domains',
  apiKeys: 'API keys',
};

/** What holds where a Plan does not say: as much as any default plan allows, so that a plan of before takes nothing away. */
const maximumUnlessPlanned: Limits['maximum'] = Object.freeze({ projects: 100, domains: 10_000, apiKeys: 50 });

/** Caps that are the same on every plan; event streams are counted by each process of the API for itself. */
export const fixedMaximum = Object.freeze({ sessionsPerKey: 20, eventStreams: 10 });

/** The plan's limits with the account's overrides on top. */
export function effectiveLimits(plan: PlanLimits, overrides: LimitOverrides | undefined): Limits {
  return {
    rateLimit: { ...plan.rateLimit, ...overrides?.rateLimit },
    customDomains: { ...plan.customDomains, ...overrides?.customDomains },
    maximum: { ...maximumUnlessPlanned, ...plan.maximum, ...overrides?.maximum },
  };
}
