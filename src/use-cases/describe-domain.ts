import { setImmediate } from 'node:timers/promises';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { acceptanceFinding } from '../rules/acceptance.ts';
import { findCondition, isTrue } from '../rules/conditions.ts';
import type { DesiredRecord, RecordStatus } from '../rules/desired-records.ts';
import { earlierFinding } from '../rules/desired-records.ts';
import type { DomainState } from '../rules/domain-state.ts';
import type { Competitor } from '../rules/precedence.ts';
import type { DnsHostView } from '../help/dns-hosts.ts';
import { dnsHostView } from '../help/dns-hosts.ts';
import type { AutomaticChecks } from './automatic-checks.ts';
import { automaticChecks } from './automatic-checks.ts';
import type { RecordContext } from './acceptance-candidate.ts';
import { wholeDomain } from './find-in-account.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import { acceptanceCandidate, recordContextOf, recordsOf, competitorsIn } from './acceptance-candidate.ts';
import type { DomainFields } from './domain-fields.ts';
import { domainFields, lingersUntil } from './domain-fields.ts';
import type { RequestContext } from './api-dependencies.ts';

/** How long a request may occupy the event loop before it yields; milliseconds. */
const sliceMs = 10;

/** To be awaited between the steps of long work: yields to the event loop once the slice is used up. */
function createRequestSlices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await setImmediate();
    began = performance.now();
  };
}

type CallerContext = Pick<RequestContext, 'dependencies' | 'caller'>;

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

/** `siblings`: the domains of the project, if the caller already has them. */
export function domainView(
  context: CallerContext,
  domain: ProjectDomain,
  siblings?: readonly Competitor[],
): DomainView {
  const { dependencies, caller } = context;
  const recordContext = recordContextOf(dependencies, caller, domain);
  const { issues, certificate, ...declared } = domainFields(domain);
  return {
    ...declared,
    ...(reportedSummary(domain) ?? predictedSummary(context, recordContext, siblings)),
    records: recordViews(dependencies, recordContext),
    issues,
    dnsHost: dnsHostView(domain.status?.check?.nameServers ?? []),
    lingersUntil: lingersUntil(domain, dependencies.now()),
    ...automaticChecks(domain, recordContext.claimRelation, dependencies),
    certificate,
    waits: waitsOf(domain),
    createdAt: domain.metadata.creationTimestamp ?? null,
  };
}

/** One of many domains of a project. */
interface ViewedDomain {
  readonly head: DomainHead;
  readonly domain: ProjectDomain;
  readonly view: DomainView;
}

/** Many domains of one project, one after the other; yields to the event loop between slices. */
export async function* domainViews(context: CallerContext, heads: readonly DomainHead[]): AsyncGenerator<ViewedDomain> {
  const yieldIfDue = createRequestSlices();
  let siblings: readonly Competitor[] | undefined;
  for (const head of heads) {
    const domain = wholeDomain(context, head);
    if (!domain) continue;
    siblings ??= isReconciled(domain)
      ? undefined
      : competitorsIn(context.dependencies, context.caller.account.spec.id, domain);
    yield { head, domain, view: domainView(context, domain, siblings) };
    await yieldIfDue();
  }
}

function recordViews(dependencies: CallerContext['dependencies'], context: RecordContext): readonly RecordView[] {
  const known = context.domain.status?.records ?? [];
  return recordsOf(dependencies, context).map((record) => ({ ...record, ...earlierFinding(record, known) }));
}

/** What the next certificate waits for. */
function waitsOf({ status }: ProjectDomain): DomainView['waits'] {
  const { waitsFor, waitsUntil = null } = status?.certificate ?? {};
  return waitsFor ? { reason: waitsFor, until: waitsUntil } : null;
}

type Summary = Pick<DomainView, 'state' | 'reason' | 'message'>;

/** The operator's summary; null before the first reconcile. */
function reportedSummary({ status }: ProjectDomain): Summary | null {
  const ready = findCondition(status?.conditions, 'Ready');
  return status?.state && ready ? { state: status.state, reason: ready.reason, message: ready.message } : null;
}

const isReconciled = (domain: ProjectDomain): boolean => reportedSummary(domain) !== null;

/** The summary the operator will report, predicted by the same rules. */
function predictedSummary(
  { dependencies, caller }: CallerContext,
  { domain, claimRelation }: RecordContext,
  siblings?: readonly Competitor[],
): Summary {
  const accepted = acceptanceFinding(acceptanceCandidate(dependencies, caller, domain, siblings));
  if (!isTrue(accepted)) return { state: 'Pending', reason: accepted.reason, message: accepted.message };
  const contested = claimRelation.kind === 'Foreign';
  return {
    state: 'Unverified',
    reason: contested ? 'HeldElsewhere' : 'Waiting',
    message: contested
      ? 'another account proved this hostname; create the TXT record shown to claim it'
      : 'create the records shown; we check DNS automatically',
  };
}
