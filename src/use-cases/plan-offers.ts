import type { Plan } from '../generated/plan.ts';
import { useCase } from './use-case.ts';

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
