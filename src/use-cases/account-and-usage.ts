import type { Account } from '../generated/account.ts';
import type { Limits } from '../rules/plan-limits.ts';
import { fixedMaximum } from '../rules/plan-limits.ts';
import { useCase } from './use-case.ts';
import type { WindowView } from '../quota/quota-port.ts';
import { resetSecond } from '../quota/quota-port.ts';
import { quotaOf } from './quota-admission.ts';

/** An account as REST and the dashboard show it. */
export interface AccountView {
  readonly name: string;
  readonly plan: string;
  readonly limits: LimitsView;
}

interface LimitsView extends Omit<Limits, 'maximum'> {
  /** the plan's maxima, and those that are the same on every plan */
  readonly maximum: Limits['maximum'] & { readonly sessionsPerKey: number; readonly eventStreams: number };
}

export const accountView = ({ metadata, spec }: Account, limits: Limits): AccountView => ({
  name: metadata.name,
  plan: spec.plan,
  limits: { ...limits, maximum: { ...limits.maximum, ...fixedMaximum } },
});

/** The account that the caller's key belongs to. */
export const showAccount = useCase<void, AccountView>(null, ({ caller }) => accountView(caller.account, caller.limits));

/** One quota window: the requests in it, and when more become available. */
export interface UsageWindow {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** unix seconds */
  readonly resetAt: number;
}

/** How much of the account's quota is used, and the ban of the caller's key, or null. */
export interface UsageView {
  readonly minute: UsageWindow;
  readonly day: UsageWindow;
  /** `until`: unix seconds */
  readonly ban: { readonly until: number; readonly reason: string } | null;
}

const banReason = 'the client kept sending requests after 429 responses, before Retry-After had passed';

/** Reads the quota without spending any of it. */
export const showUsage = useCase<void, UsageView>(null, async ({ dependencies, caller }) => {
  const { minute, day, ban } = await quotaOf(dependencies, caller, 0);
  return {
    minute: usageWindow(minute),
    day: usageWindow(day ?? minute),
    ban: ban && { until: ban.until, reason: banReason },
  };
});

const usageWindow = ({ limit, remaining, resetsAtMs }: WindowView): UsageWindow => ({
  limit,
  used: limit - remaining,
  remaining,
  resetAt: resetSecond({ resetsAtMs }),
});
