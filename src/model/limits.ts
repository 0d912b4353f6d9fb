/** What a plan allows, and what an account may do after its overrides. */
export interface Limits {
  readonly rateLimit: { readonly requestsPerMinute: number; readonly requestsPerDay: number };
  readonly customDomains: { readonly enabled: boolean; readonly maxPerProject: number };
}

/** Parts of limits agreed with one account. */
export interface LimitOverrides {
  readonly rateLimit?: Partial<Limits['rateLimit']>;
  readonly customDomains?: Partial<Limits['customDomains']>;
}

/** The plans that exist from the start. Enterprise holds Business' limits until an account's own are agreed. */
export const defaultPlans: Readonly<Record<string, Limits>> = {
  free: {
    rateLimit: { requestsPerMinute: 60, requestsPerDay: 1_000 },
    customDomains: { enabled: false, maxPerProject: 0 },
  },
  pro: {
    rateLimit: { requestsPerMinute: 300, requestsPerDay: 10_000 },
    customDomains: { enabled: true, maxPerProject: 50 },
  },
  business: {
    rateLimit: { requestsPerMinute: 1_000, requestsPerDay: 100_000 },
    customDomains: { enabled: true, maxPerProject: 200 },
  },
  enterprise: {
    rateLimit: { requestsPerMinute: 1_000, requestsPerDay: 100_000 },
    customDomains: { enabled: true, maxPerProject: 200 },
  },
};

/** The plan's limits with the account's overrides on top. */
export function effectiveLimits(plan: Limits, overrides: LimitOverrides | undefined): Limits {
  return {
    rateLimit: { ...plan.rateLimit, ...overrides?.rateLimit },
    customDomains: { ...plan.customDomains, ...overrides?.customDomains },
  };
}
