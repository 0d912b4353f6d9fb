import type { DnsHostView } from '../rules/dns-hosts/dns-hosts.ts';
import type { DesiredRecord, RecordStatus } from '../rules/desired-records.ts';
import type { DomainState } from '../rules/domain-state.ts';
import type { AutomaticChecks, CheckPlan } from './automatic-checks.ts';
import type { DomainFields } from './domain-fields.ts';
import type { CustomerStatus } from '../rules/customer-status.ts';
import { customerStatusOf } from '../rules/customer-status.ts';
import type { StepContext } from '../rules/next-step.ts';

/** A record to create, with what the last check found at its name. */
export interface RecordView extends DesiredRecord {
  readonly status: RecordStatus;
  /** such as `A 192.0.2.1` */
  readonly found: readonly string[];
}

/** A domain as REST and the dashboard show it. */
export interface DomainView extends DomainFields, AutomaticChecks {
  readonly state: DomainState;
  readonly reason: string;
  readonly message: string;
  /** what the customer must create, and what was found of it */
  readonly records: readonly RecordView[];
  /** until when caches may still give what was there before the records were right; RFC 3339, null if they do not */
  readonly lingersUntil: string | null;
  /** who serves the zone, if its name servers tell, with the labels of the form there */
  readonly dnsHost: DnsHostView | null;
  /** what the next certificate waits for; `until`: RFC 3339, null if unknown */
  readonly waits: { readonly reason: string; readonly until: string | null } | null;
  /** RFC 3339; null if it does not exist yet */
  readonly createdAt: string | null;
}

/** A domain, and what its status and next step depend on beside its view. */
export interface ViewedDomain {
  readonly view: DomainView;
  /** why it is not accepted, whatever else is wrong; null if it is, or if that is not decided yet */
  readonly refusal: string | null;
}

/** The same, with what its times follow from. */
export interface DescribedDomain extends ViewedDomain {
  /** null for a domain that is not checked */
  readonly plan: CheckPlan | null;
}

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
