import type { Account } from '../generated/account.ts';
import type { Plan } from '../generated/plan.ts';

/** The limits as a Plan's spec has them; some may be omitted. */
export type PlanLimits = Plan['spec'];

/** Limits agreed with one account, which replace those of its plan. */
export type LimitOverrides = NonNullable<Account['spec']['overrides']>;

/** The effective limits of a plan or an account, with every number present. */
export interface Limits extends Omit<
  PlanLimits,
  'maximum' | 'negotiated' | 'listed' | 'shadowRateLimit' | 'routingClasses'
> {
  readonly maximum: Required<NonNullable<PlanLimits['maximum']>>;
}

/** The type of each limit: a count (an integer from 0) or a switch. All code that reads or describes limits uses it. */
export const limitFields = {
  rateLimit: { requestsPerMinute: 'count', requestsPerDay: 'count' },
  customDomains: { enabled: 'switch', maxPerProject: 'count' },
  maximum: { projects: 'count', domains: 'count', apiKeys: 'count' },
} as const satisfies {
  readonly [G in keyof Limits]: { readonly [F in keyof Limits[G]]: Limits[G][F] extends boolean ? 'switch' : 'count' };
};

/** What an account may have a limited number of, in words for people. */
export const maximumWords: Readonly<Record<keyof Limits['maximum'], string>> = {
  projects: 'projects',
  domains: 'domains',
  apiKeys: 'API keys',
};

/** Applies where a Plan omits a maximum: as much as any default plan allows, so that older Plans take nothing away. */
const defaultMaximum: Limits['maximum'] = Object.freeze({ projects: 100, domains: 10_000, apiKeys: 50 });

/** Caps that are the same on every plan; each API server process counts event streams on its own. */
export const fixedMaximum = Object.freeze({ sessionsPerKey: 20, eventStreams: 10 });

/** Items of one call at most, whatever the plan. */
export const bulkMaximum = 1_000;

/** How many items one call may have: each counts as a request, and more than fit into a window would never be admitted. */
export const mostBulkItems = ({ rateLimit }: Pick<Limits, 'rateLimit'>): number =>
  Math.min(bulkMaximum, rateLimit.requestsPerMinute, rateLimit.requestsPerDay);

/** The plan's limits with the account's overrides on top. */
export function effectiveLimits(plan: PlanLimits, overrides: LimitOverrides | undefined): Limits {
  return {
    rateLimit: { ...plan.rateLimit, ...overrides?.rateLimit },
    customDomains: { ...plan.customDomains, ...overrides?.customDomains },
    maximum: { ...defaultMaximum, ...plan.maximum, ...overrides?.maximum },
  };
}
