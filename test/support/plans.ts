import type { Limits } from '../../src/rules/plan-limits.ts';

/** The mission's plans. Enterprise holds Business' limits until an account's own are agreed. */
export const defaultPlans: Readonly<Record<string, Limits>> = {
  free: {
    rateLimit: { requestsPerMinute: 60, requestsPerDay: 1_000 },
    customDomains: { enabled: false, maxPerProject: 0 },
    maximum: { projects: 5, domains: 10, apiKeys: 5 },
  },
  pro: {
    rateLimit: { requestsPerMinute: 300, requestsPerDay: 10_000 },
    customDomains: { enabled: true, maxPerProject: 50 },
    maximum: { projects: 20, domains: 1_000, apiKeys: 20 },
  },
  business: {
    rateLimit: { requestsPerMinute: 1_000, requestsPerDay: 100_000 },
    customDomains: { enabled: true, maxPerProject: 200 },
    maximum: { projects: 100, domains: 5_000, apiKeys: 20 },
  },
  enterprise: {
    rateLimit: { requestsPerMinute: 1_000, requestsPerDay: 100_000 },
    customDomains: { enabled: true, maxPerProject: 200 },
    maximum: { projects: 100, domains: 10_000, apiKeys: 50 },
  },
};
