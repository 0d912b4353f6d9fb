import type { Account } from '../generated/account.ts';
import type { ApiKey } from '../generated/api-key.ts';
import type { Limits } from '../rules/plan-limits.ts';
import { timestamp } from '../rules/conditions.ts';
import { fixedMaximum, mostBulkItems } from '../rules/plan-limits.ts';
import { useCase } from './use-case.ts';
import type { Decision, WindowView } from '../quota/quota-port.ts';
import { resetSecond } from '../quota/quota-port.ts';
import { quotaOf } from './quota-admission.ts';
import type { Plan } from '../generated/plan.ts';

/** An account as REST and the dashboard show it. */
export interface AccountView {
  readonly name: string;
  readonly plan: string;
  readonly limits: LimitsView;
}

interface LimitsView extends Omit<Limits, 'maximum'> {
  /** the plan's maxima, and those that are the same on every plan */
  readonly maximum: Limits['maximum'] & {
    readonly sessionsPerKey: number;
    readonly eventStreams: number;
    readonly bulkItems: number;
  };
}

export const accountView = ({ metadata, spec }: Account, limits: Limits): AccountView => ({
  name: metadata.name,
  plan: spec.plan,
  limits: { ...limits, maximum: { ...limits.maximum, ...fixedMaximum, bulkItems: mostBulkItems(limits) } },
});

/** The account that the caller's key belongs to. */
export const showAccount = useCase<void, AccountView>(null, ({ caller }) => accountView(caller.account, caller.limits));

/** One quota window: the requests in it, and when more become available. */
export interface UsageWindow {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** RFC 3339 */
  readonly resetAt: string;
}

/** A ban of one of the account's keys; times are RFC 3339. */
export interface BanView {
  /** the public part of the key */
  readonly key: string;
  readonly from: string;
  readonly until: string;
  /** how many bans of the account counted, this one included: the next one lasts longer */
  readonly step: number;
}

/** How much of the account's quota is used, and how its keys were banned. */
export interface UsageView {
  readonly minute: UsageWindow;
  readonly day: UsageWindow;
  /** when a request of the caller's key passes again, RFC 3339; null where the next one does */
  readonly nextRequestAt: string | null;
  /** of the caller's key; `until`: RFC 3339 */
  readonly ban: { readonly until: string; readonly step: number; readonly reason: string } | null;
  /** the account's last bans, the newest first */
  readonly bans: readonly BanView[];
}

const banReason = 'the client kept sending requests after 429 responses, before Retry-After had passed';
const shownBans = 10;

/** Reads the quota without spending any of it. */
export const showUsage = useCase<void, UsageView>(null, async ({ dependencies, caller }) => {
  const decision = await quotaOf(dependencies, caller, 0);
  const { minute, day, ban } = decision;
  return {
    minute: usageWindow(minute),
    day: usageWindow(day ?? minute),
    nextRequestAt: nextRequestAt(decision),
    ban: ban && { until: timestampOf(ban.until), step: ban.step, reason: banReason },
    bans: bansOf(dependencies.caches.apiKeys.byIndex('account', caller.account.metadata.name)),
  };
});

function nextRequestAt({ kind, binding, minute, day, ban }: Decision): string | null {
  if (kind === 'allowed') return null;
  const dayPasses = day && (binding === 'day' || day.remaining <= 0) ? resetSecond(day) : 0;
  return timestampOf(Math.max(ban ? ban.until : dayPasses === 0 ? resetSecond(minute) : 0, dayPasses));
}

/** RFC 3339 in one form, so the later text is the later time. */
const bansOf = (keys: readonly ApiKey[]): readonly BanView[] =>
  keys
    .flatMap(({ spec, status }) => (status?.bans ?? []).map((ban) => ({ key: spec.keyId ?? '', ...ban })))
    .toSorted((one, two) => two.from.localeCompare(one.from))
    .slice(0, shownBans);

const usageWindow = ({ limit, remaining, resetsAtMs }: WindowView): UsageWindow => ({
  limit,
  used: limit - remaining,
  remaining,
  resetAt: timestampOf(resetSecond({ resetsAtMs })),
});

/** RFC 3339, of Unix seconds. */
const timestampOf = (seconds: number): string => timestamp(seconds * 1_000);

/** What a plan offers, for a comparison. */
export interface PlanOffer {
  readonly name: string;
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
  /** how many custom domains a project may have; 0 if none */
  readonly domainsPerProject: number;
  /** the numbers are a starting point: each account's own are agreed with it */
  readonly negotiated: boolean;
  /** the plan of the caller's account, with the account's own limits */
  readonly own: boolean;
}

/**
 * The plan of the caller's account and those listed for everyone, from the smallest to the largest; plans whose limits
 * are negotiated come last. A plan made for one customer is shown to no other.
 */
export const listPlanOffers = useCase<void, readonly PlanOffer[]>(null, ({ dependencies, caller }) => {
  const own = caller.account.spec.plan;
  const shown = dependencies.caches.plans.list().filter(({ metadata, spec }) => metadata.name === own || spec.listed);
  const offers = shown.map(({ metadata: { name }, spec }) => {
    const limits = name === own ? caller.limits : spec;
    return offerOf(name, limits, { negotiated: spec.negotiated === true && name !== own, own: name === own });
  });
  return offers.toSorted((a, b) => rank(a, b) || a.name.localeCompare(b.name, 'en'));
});

const offerOf = (
  name: string,
  { rateLimit, customDomains: { enabled, maxPerProject } }: Pick<Plan['spec'], 'rateLimit' | 'customDomains'>,
  rest: Pick<PlanOffer, 'negotiated' | 'own'>,
): PlanOffer => ({ name, ...rateLimit, domainsPerProject: enabled ? maxPerProject : 0, ...rest });

const rank = (a: PlanOffer, b: PlanOffer): number =>
  Number(a.negotiated) - Number(b.negotiated) ||
  a.requestsPerDay - b.requestsPerDay ||
  a.requestsPerMinute - b.requestsPerMinute ||
  a.domainsPerProject - b.domainsPerProject;
