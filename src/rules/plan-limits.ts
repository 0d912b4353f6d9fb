/** How many things an account may have. */
interface Maximum {
  readonly projects: number;
  /** ProjectDomains over all of its projects, whether they are served or not */
  readonly domains: number;
  readonly apiKeys: number;
}

/** What a plan allows, and what an account may do after its overrides. */
export interface Limits {
  readonly rateLimit: { readonly requestsPerMinute: number; readonly requestsPerDay: number };
  readonly customDomains: { readonly enabled: boolean; readonly maxPerProject: number };
  readonly maximum: Maximum;
}

/** A Plan as it is written down. */
export interface PlanLimits extends Omit<Limits, 'maximum'> {
  readonly maximum?: Partial<Maximum>;
}

/** Parts of limits agreed with one account. */
export interface LimitOverrides {
  readonly rateLimit?: Partial<Limits['rateLimit']>;
  readonly customDomains?: Partial<Limits['customDomains']>;
  readonly maximum?: Partial<Maximum>;
}

/** What holds where a Plan does not say: as much as any default plan allows, so that a plan of before takes nothing away. */
const maximumUnlessPlanned: Maximum = Object.freeze({ projects: 100, domains: 10_000, apiKeys: 50 });

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
