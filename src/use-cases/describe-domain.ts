import { setImmediate } from 'node:timers/promises';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { acceptanceFinding } from '../rules/acceptance.ts';
import { findCondition, isTrue } from '../rules/conditions.ts';
import type { DesiredRecord } from '../rules/desired-records.ts';
import type { DomainState } from '../rules/domain-state.ts';
import type { Competitor } from '../rules/precedence.ts';
import type { RecordContext } from './acceptance-candidate.ts';
import { acceptanceCandidate, recordContextOf, recordsOf, competitorsIn } from './acceptance-candidate.ts';
import type { DomainFields } from './domain-fields.ts';
import { domainFields } from './domain-fields.ts';
import type { RequestContext } from './api-dependencies.ts';

/** How long a request may hold the event loop before others have their turn; milliseconds. */
const sliceMs = 10;

/** To be awaited between the steps of long work: gives way once the slice is used up. */
function createRequestSlices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await setImmediate();
    began = performance.now();
  };
}

type Asking = Pick<RequestContext, 'dependencies' | 'caller'>;

/** A domain as REST and the dashboard show it. */
export interface DomainView extends DomainFields {
  readonly state: DomainState;
  readonly reason: string;
  readonly message: string;
  /** what the customer must create */
  readonly records: readonly DesiredRecord[];
  /** what the next certificate waits for; `until`: RFC 3339, null where it cannot be told */
  readonly waits: { readonly reason: string; readonly until: string | null } | null;
  /** RFC 3339; null of what does not exist yet */
  readonly createdAt: string | null;
}

/** `siblings` are the domains of the project, where the caller has them already. */
export function domainView(asking: Asking, domain: ProjectDomain, siblings?: readonly Competitor[]): DomainView {
  const { dependencies, caller } = asking;
  const drawn = recordContextOf(dependencies, caller, domain);
  const { issues, certificate, ...declared } = domainFields(domain);
  return {
    ...declared,
    ...(told(domain) ?? foretold(asking, drawn, siblings)),
    records: recordsOf(dependencies, drawn),
    issues,
    certificate,
    waits: waitsOf(domain),
    createdAt: domain.metadata.creationTimestamp ?? null,
  };
}

/** Many domains of one project, in slices that leave the event loop to others. */
export async function domainViews(asking: Asking, domains: readonly ProjectDomain[]): Promise<readonly DomainView[]> {
  const giveWay = createRequestSlices();
  const views: DomainView[] = [];
  let siblings: readonly Competitor[] | undefined;
  for (const domain of domains) {
    siblings ??= isReconciled(domain)
      ? undefined
      : competitorsIn(asking.dependencies, asking.caller.account.spec.id, domain);
    views.push(domainView(asking, domain, siblings));
    await giveWay();
  }
  return views;
}

function waitsOf({ status }: ProjectDomain): DomainView['waits'] {
  const { waitsFor, waitsUntil = null } = status?.certificate ?? {};
  return waitsFor ? { reason: waitsFor, until: waitsUntil } : null;
}

type Summary = Pick<DomainView, 'state' | 'reason' | 'message'>;

/** What the operator says; null before it has seen it. */
function told({ status }: ProjectDomain): Summary | null {
  const ready = findCondition(status?.conditions, 'Ready');
  return status?.state && ready ? { state: status.state, reason: ready.reason, message: ready.message } : null;
}

const isReconciled = (domain: ProjectDomain): boolean => told(domain) !== null;

/** What the operator is going to say. */
function foretold(
  { dependencies, caller }: Asking,
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
