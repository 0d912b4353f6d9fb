import type { TimelineEntry } from '../rules/timeline.ts';
import { verifyAnnotation } from '../resources/object-metadata.ts';
import { kindOf } from '../rules/timeline.ts';
import { isVerifyAhead } from '../rules/verify-request.ts';
import type { DomainSituation } from './domain-view.ts';
import { describeDomain } from './describe-domain.ts';
import type { DomainPath } from './find-in-account.ts';
import { situationOf } from './domain-view.ts';
import { checkEveryMinutes } from './automatic-checks.ts';
import { domainOf } from './find-in-account.ts';
import { useCase } from './use-case.ts';

/** One thing that happened to a domain, as REST and the dashboard show it. */
export interface TimelineEntryView extends Pick<
  Required<TimelineEntry>,
  'at' | 'kind' | 'state' | 'reason' | 'message'
> {
  /** the issue of a Finding; null for other kinds */
  readonly code: string | null;
  readonly severity: 'Error' | 'Warning' | null;
  /** what sentences about it mention: for a Finding those of its issue, otherwise times in RFC 3339 and words */
  readonly params: Readonly<Record<string, string>>;
}

/** A domain with the results of its checks. */
export interface DomainDetails extends DomainSituation {
  /** what happened to it, oldest first */
  readonly timeline: readonly TimelineEntryView[];
  /** minutes between two checks of a domain that is checked for as long as it is served */
  readonly checkEveryMinutes: number;
  /** somebody asked for a check that has not been made */
  readonly isVerifyAhead: boolean;
  /** of the object that this was read from */
  readonly version: number;
  /** the name servers of its zone, as of the last check */
  readonly nameServers: readonly string[];
}

/** An entry of a status, whichever version of the operator wrote it. */
function timelineEntryView(entry: TimelineEntry): TimelineEntryView {
  const { at, state, reason, code = null, severity = null, params = {}, message } = entry;
  return { at, kind: kindOf(entry), state, reason, code, severity, params, message };
}

/** One domain: its state, the reason, and the records to create. */
export const showDomain = useCase<DomainPath, DomainDetails>('domains:read', (context, path) => {
  const domain = domainOf(context, path);
  const { timeline = [], check } = domain.status ?? {};
  const now = context.dependencies.now();
  return {
    ...situationOf(describeDomain(context, domain), now),
    checkEveryMinutes: checkEveryMinutes(domain, { now, driftInterval: context.dependencies.driftInterval() }),
    timeline: timeline.map(timelineEntryView),
    isVerifyAhead: isVerifyAhead(domain.metadata.annotations?.[verifyAnnotation], check?.verifySeen ?? null),
    version: Number(domain.metadata.resourceVersion),
    nameServers: check?.nameServers ?? [],
  };
});
