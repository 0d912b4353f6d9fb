import type { CustomerStatus } from '../rules/customer-status.ts';
import { customerStatusOf } from '../rules/customer-status.ts';
import type { StepContext } from '../rules/next-step.ts';
import type { DomainView, ViewedDomain } from './domain-view.ts';

/** Everything that decides about a domain's status and next step, on its page as in lists. */
export interface DomainSituation {
  readonly domain: DomainView;
  /** why it is not accepted, whatever else is wrong; null if it is, or if that is not decided yet */
  readonly refusal: string | null;
  /** whether automatic checks of DNS have ended */
  readonly checksEnded: boolean;
}

/** `domain` is the view of an object whose refusal is `refusal`; `now` in milliseconds since the Unix epoch. */
export function situationOf({ view: domain, refusal }: ViewedDomain, now: number): DomainSituation {
  const { checksEndAt } = domain;
  return { domain, refusal, checksEnded: checksEndAt !== null && Date.parse(checksEndAt) <= now };
}

/** What a domain's next step depends on beside the domain. */
export const stepContextOf = ({ domain, refusal, checksEnded }: DomainSituation): StepContext => ({
  nextCheckAt: domain.nextCheckAt,
  refusal,
  checksEnded,
});

/** The one status of a domain that its customer sees: on its page, in rows, and by the filter of lists. */
export const statusForCustomer = (situation: DomainSituation): CustomerStatus =>
  customerStatusOf(situation.domain, stepContextOf(situation));
