import { acceptanceHelp, hostnameHelp } from './acceptance-help.ts';
import { accountHelp, acmeIssuerHelp, apiKeyHelp, projectHelp } from './resource-help.ts';
import { certificateHelp, routedHelp } from './certificate-help.ts';
import { caaHelp, dnsHelp, verifiedHelp } from './dns-help.ts';
import { refusalHelp } from './refusal-help.ts';
import { routeHelp } from './route-help.ts';
import type { Reason } from '../rules/reasons.ts';
import type { RefusalCode } from '../rules/refusal-codes.ts';
import type { RouteCode } from '../rules/route-codes.ts';
import { isRouteCode } from '../rules/route-codes.ts';
import { withdrawnHelp } from './withdrawn-help.ts';
import { stateHelp, helpTextInState } from './state-help.ts';
import type { Symptom, HelpText } from './state-help.ts';

/** A missing reason does not compile. Waiting is explained by the state. */
const helpByReason: Readonly<Record<Exclude<Reason | RouteCode | RefusalCode, 'Waiting'>, HelpText>> = {
  ...accountHelp,
  ...acmeIssuerHelp,
  ...apiKeyHelp,
  ...projectHelp,
  ...routedHelp,
  ...routeHelp,
  ...refusalHelp,
  ...certificateHelp,
  ...caaHelp,
  ...dnsHelp,
  ...verifiedHelp,
  ...hostnameHelp,
  ...acceptanceHelp,
  ...withdrawnHelp,
};

/** Keyed by plain string, because a reason read from the cluster may come from another version. */
const byReason: ReadonlyMap<string, HelpText> = new Map(Object.entries(helpByReason));

/** Parents that are merely absent never cause a suspension (docs/concepts/states.md). */
const neverSuspends: readonly string[] = ['AccountNotFound', 'PlanNotFound', 'ProjectNotFound'] satisfies Reason[];
/** Only routing that leads elsewhere suspends: neither the ownership record nor an unknown verdict does. */
const leadsElsewhere: readonly string[] = [
  'UrlInValue',
  'QuotedValue',
  'ZoneInValue',
  'MistypedTarget',
  'NotRegistered',
  'RecordAtOtherName',
  'RecordMissing',
  'WrongTarget',
  'OtherProjectTarget',
  'BareCnameDomain',
  'StrayAddress',
  'SeveralCnames',
  'DoubledZone',
  'AliasLoop',
] satisfies (keyof typeof dnsHelp)[];
const grace = 'If nothing changes for seven days, we stop serving the domain.';

/** Reasons that only say that everything is fine. */
const settled: readonly string[] = ['Accepted', 'Verified', 'Issued', 'Routed', 'Ready'] satisfies Reason[];

/**
 * Help for a state with its reason, or with the code of an issue, for someone who has never heard of DNS. A reason
 * without a help text of its own gets that of the state.
 */
export function helpTextOf(state: string, reason: string): HelpText {
  const ofState = stateHelp[state];
  const ofReason = helpTextInState(state, reason) ?? byReason.get(reason);
  if (state === 'Suspended') return Object.hasOwn(withdrawnHelp, reason) && ofReason ? ofReason : stateHelp.Suspended;
  if (!ofReason) return ofState ?? stateHelp.Pending;
  if (state !== 'Live' && state !== 'Degraded') return ofReason;
  if (settled.includes(reason)) return ofState ?? ofReason;
  // Whether a domain still works although its edge finds a fault is not known.
  if (isRouteCode(reason)) return ofReason;
  return { ...ofReason, meaning: stillServed(reason, ofReason, state) };
}

function stillServed(reason: string, { meaning }: HelpText, state: 'Live' | 'Degraded'): string {
  if (state === 'Live') return `Your domain works. ${meaning}`;
  const isRefused = reason in acceptanceHelp && !neverSuspends.includes(reason);
  const ends = isRefused || leadsElsewhere.includes(reason);
  return ['Your domain still works.', meaning, ...(ends ? [grace] : [])].join(' ');
}

/** The reasons and codes that belong to a symptom, in alphabetical order. */
export const reasonsOf = (symptom: Symptom): readonly string[] =>
  [...byReason].flatMap(([reason, words]) => (words.symptom === symptom ? [reason] : [])).toSorted();
