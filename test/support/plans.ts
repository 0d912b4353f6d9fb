import type { Limits } from '../../src/model/limits.ts';

/** The mission's plans. Enterprise holds Business' limits until an account's own are agreed. */
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
