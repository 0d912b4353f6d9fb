import type { ProjectDomain } from '../../generated/project-domain.ts';
import { clip, schemaBounds } from '../../resources/object-limits.ts';
import { timestamp } from '../../rules/conditions.ts';
import type { DomainState } from '../../rules/domain-state.ts';
import { isWarning } from '../../rules/issue-acts.ts';
import { isRefusalCode } from '../../rules/codes/refusal-codes.ts';
import { isRouteCode } from '../../rules/codes/route-codes.ts';
import type { TimelineEntry, timelineReasons } from '../../rules/timeline.ts';
import { kindOf } from '../../rules/timeline.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';

type Issue = NonNullable<NonNullable<ProjectDomain['status']>['issues']>[number];
type Change = keyof (typeof timelineReasons)['Finding'];

/** What a reconcile leaves in the status. */
interface Found {
  readonly state: DomainState;
  readonly issues: readonly Issue[];
}

/**
 * The issues that were found for the first time, and those that are gone. An inconclusive check of DNS ends none of its: what it
 * could not see may still be there, and is not told again when it is seen again. A Pending domain has no issues, because
 * nothing is checked, so it tells of none.
 */
export function findingEntries(
  { domain, verdict, now }: Pick<ProjectDomainSnapshot, 'domain' | 'verdict' | 'now'>,
  { state, issues }: Found,
): readonly TimelineEntry[] {
  if (state === 'Pending') return [];
  const { timeline = [], issues: before = [] } = domain.status ?? {};
  const told = toldChanges(timeline);
  const isConclusive =
    verdict !== null && [verdict.routing, verdict.ownership, verdict.caa].every((one) => one.verdict !== 'unknown');
  const entry = (reason: Change, issue: Issue) => findingEntry(reason, issue, { at: timestamp(now), state });
  const appeared = ofCodes(issues).filter(({ code }) => !has(before, code) && told.get(code)?.reason !== 'Appeared');
  const gone = ofCodes(known(before, told)).filter(
    ({ code }) => !has(issues, code) && (isConclusive || isRouteCode(code) || isRefusalCode(code)),
  );
  return [...gone.map((issue) => entry('Gone', issue)), ...appeared.map((issue) => entry('Appeared', issue))];
}

const has = (issues: readonly Issue[], code: string): boolean => issues.some((issue) => issue.code === code);

/** The first issue of each code. */
const ofCodes = (issues: readonly Issue[]): readonly Issue[] =>
  issues.filter(({ code }, index) => issues.findIndex((issue) => issue.code === code) === index);

/** The last entry about each code. */
const toldChanges = (timeline: readonly TimelineEntry[]): ReadonlyMap<string, TimelineEntry> =>
  new Map(
    timeline.flatMap((entry) => (kindOf(entry) === 'Finding' && entry.code ? [[entry.code, entry] as const] : [])),
  );

/** The issues that may be over: those of the check before, and those that were last told to have appeared. */
function known(before: readonly Issue[], told: ReadonlyMap<string, TimelineEntry>): readonly Issue[] {
  const open = [...told.values()].filter(({ reason }) => reason === 'Appeared');
  return [
    ...before,
    ...open.map(({ code = '', message, ...rest }) => ({ ...rest, code, message, record: '', fix: '' })),
  ];
}

function findingEntry(
  reason: Change,
  { code, params = {}, message, ...issue }: Issue,
  occasion: Pick<TimelineEntry, 'at' | 'state'>,
): TimelineEntry {
  const bound = Object.entries(params).map(([name, value]) => [name, clip(value, schemaBounds.timelineText)] as const);
  return {
    ...occasion,
    kind: 'Finding',
    reason,
    code,
    severity: isWarning(issue) ? 'Warning' : 'Error',
    params: Object.fromEntries(bound),
    message: clip(message, schemaBounds.timelineText),
  };
}
