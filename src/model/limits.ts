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

/** The plan's limits with the account's overrides on top. */
export function effectiveLimits(plan: Limits, overrides: LimitOverrides | undefined): Limits {
  return {
    rateLimit: { ...plan.rateLimit, ...overrides?.rateLimit },
    customDomains: { ...plan.customDomains, ...overrides?.customDomains },
  };
}
