import type { DnsHostView } from '../rules/dns-hosts/dns-hosts.ts';
import type { DesiredRecord, RecordStatus } from '../rules/desired-records.ts';
import type { DomainState } from '../rules/domain-state.ts';
import type { AutomaticChecks, CheckPlan } from './automatic-checks.ts';
import type { CustomerStatus, StepContext } from '../rules/next-step.ts';
import { customerStatusOf } from '../rules/next-step.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DomainLabels } from '../rules/domain-labels.ts';
import { isOwnSecret } from '../rules/own-certificate.ts';
import type { IssueView } from './issue-view.ts';
import { issueView } from './issue-view.ts';

export type DomainRole = 'primary' | 'redirect';

export type RedirectView = Required<NonNullable<ProjectDomain['spec']['redirect']>>;

/** The fields of a ProjectDomain in the terms of REST, the dashboard and the CLI. */
export interface DomainFields {
  readonly hostname: string;
  readonly project: string;
  readonly role: DomainRole;
  /** null for a primary */
  readonly redirect: RedirectView | null;
  /** the certificate is obtained before the hostname is switched here */
  readonly prepare: boolean;
  /** what the platform calls it */
  readonly labels: DomainLabels;
  /** when a check last found something new, or one was asked for; RFC 3339, null before the first */
  readonly checkedAt: string | null;
  readonly issues: readonly IssueView[];
  /** of the certificate that is served, which the customer sent, or which was ordered; `notAfter`: RFC 3339 */
  readonly certificate: { readonly notAfter: string; readonly source: 'automatic' | 'own' } | null;
}

export function domainFields({ spec, status = {} }: ProjectDomain): DomainFields {
  const { hostname, project } = spec;
  const { issues = [], certificate, check } = status;
  return {
    hostname,
    project,
    ...saidOf(spec),
    labels: spec.labels ?? {},
    checkedAt: check?.checkedAt ?? null,
    issues: issues.map(issueView),
    certificate: certificate?.notAfter
      ? { notAfter: certificate.notAfter, source: isOwnSecret(certificate.served?.secretName) ? 'own' : 'automatic' }
      : null,
  };
}

/** The role; primary is the default. */
export const roleOf = ({ role }: Pick<ProjectDomain['spec'], 'role'>): DomainRole =>
  role === 'Redirect' ? 'redirect' : 'primary';

/** What a client says of a domain, as its spec has it. */
export const saidOf = (spec: ProjectDomain['spec']): Pick<DomainFields, 'role' | 'redirect' | 'prepare'> => ({
  role: roleOf(spec),
  redirect: spec.redirect ? { to: spec.redirect.to, status: spec.redirect.status ?? 301 } : null,
  prepare: spec.prepare === true,
});

/** Whether the operator has accepted it: a Pending domain waits for something other than DNS. */
export const isPastPending = ({ status }: ProjectDomain): boolean =>
  status?.state !== undefined && status.state !== 'Pending';

/** Until when caches may still give what was there before it was right; RFC 3339, null if they do not, or it is wrong. */
export function lingersUntil({ status }: ProjectDomain, now: number): string | null {
  const { lingersUntil: until, routing } = status?.check ?? {};
  return routing === 'Yes' && until !== undefined && Date.parse(until) > now ? until : null;
}

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
export interface DomainSituation extends Pick<ViewedDomain, 'refusal'> {
  readonly domain: DomainView;
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
