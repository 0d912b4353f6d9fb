import { acceptedReasons } from './codes/accepted-reasons.ts';
import type { CodeRow, HelpText, Symptom } from './codes/code-rows.ts';
import { isRouteCode } from './codes/route-codes.ts';
import { withdrawnReasons } from './codes/routed-reasons.ts';
import { verifiedReasons } from './codes/verified-reasons.ts';
import type { DomainState } from './domain-state.ts';
import { domainStates } from './domain-state.ts';
import { issueCodes } from './issue-params.ts';
import type { Reason } from './reasons.ts';
import { conditionReasons } from './reasons.ts';
import { isVerdictCode, verdictCodes } from './verdict-codes.ts';

/** By plain string, because a reason read from the cluster may come from another version. */
const byCode: ReadonlyMap<string, CodeRow> = new Map([
  ...Object.values(conditionReasons).flatMap((conditions) =>
    Object.values(conditions).flatMap(Object.entries<CodeRow>),
  ),
  ...Object.entries(issueCodes),
]);

const ofStates: Readonly<Record<string, HelpText>> & Readonly<Record<DomainState, HelpText>> = domainStates;

const checkingNow: HelpText = {
  title: 'Checking your DNS',
  meaning: 'The first check hasn’t finished yet.',
  todo: 'Nothing to do for a moment: we’re looking for your records.',
};

const recordGone: HelpText = {
  title: 'Your DNS record is gone',
  meaning: 'The record that points this domain here has been deleted or changed.',
  todo: 'Add the record shown again at your DNS provider. We check automatically.',
  symptom: 'verification-keeps-failing',
};

/** The help for a reason that means something else in this state; null for all others. */
function textInState(state: string, reason: string): HelpText | null {
  if (state === 'Degraded' && reason === 'RecordMissing') return recordGone;
  if (reason !== 'Waiting') return null;
  if (state === 'Unverified') return checkingNow;
  if (state === 'Degraded') return { ...ofStates.Degraded, todo: verifiedReasons.Waiting.todo };
  return state === 'Pending' ? verifiedReasons.Waiting : (ofStates[state] ?? verifiedReasons.Waiting);
}

/** Parents that are merely absent never cause a suspension (docs/concepts/states.md). */
const neverSuspends: readonly string[] = ['AccountNotFound', 'PlanNotFound', 'ProjectNotFound'] satisfies Reason[];
/** Only routing that leads elsewhere suspends: neither the ownership record nor an unknown verdict does. */
const leadsElsewhere = (code: string): boolean => isVerdictCode(code) && verdictCodes[code].leadsElsewhere === true;
const grace = 'If nothing changes for seven days, we stop serving the domain.';

/** Reasons that only say that everything is fine. */
const settled: readonly string[] = ['Accepted', 'Verified', 'Issued', 'Routed', 'Ready'] satisfies Reason[];

/**
 * Help for a state with its reason, or with the code of an issue, for someone who has never heard of DNS. A reason
 * without a help text of its own gets that of the state.
 */
export function helpTextOf(state: string, reason: string): HelpText {
  const ofState = ofStates[state];
  const ofReason = textInState(state, reason) ?? byCode.get(reason);
  if (state === 'Suspended') return Object.hasOwn(withdrawnReasons, reason) && ofReason ? ofReason : ofStates.Suspended;
  if (!ofReason) return ofState ?? ofStates.Pending;
  if (state !== 'Live' && state !== 'Degraded') return ofReason;
  if (settled.includes(reason)) return ofState ?? ofReason;
  // Whether a domain still works although its edge finds a fault is not known.
  if (isRouteCode(reason)) return ofReason;
  return { ...ofReason, meaning: stillServed(reason, ofReason, state) };
}

function stillServed(reason: string, { meaning }: HelpText, state: 'Live' | 'Degraded'): string {
  if (state === 'Live') return `Your domain works. ${meaning}`;
  const isRefused = Object.hasOwn(acceptedReasons, reason) && !neverSuspends.includes(reason);
  const ends = isRefused || leadsElsewhere(reason);
  return ['Your domain still works.', meaning, ...(ends ? [grace] : [])].join(' ');
}

/** The reasons and codes that belong to a symptom, in alphabetical order. */
export const reasonsOf = (symptom: Symptom): readonly string[] =>
  [...byCode].flatMap(([reason, words]) => (words.symptom === symptom ? [reason] : [])).toSorted();
