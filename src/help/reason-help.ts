import type { Reason, WithdrawnReason } from '../rules/reasons.ts';
import type { RefusalCode } from '../rules/refusal-codes.ts';
import type { RouteCode } from '../rules/route-codes.ts';
import { isRouteCode } from '../rules/route-codes.ts';
import { acceptanceHelp, hostnameHelp } from './acceptance-help.ts';
import { certificateHelp, routedHelp } from './certificate-help.ts';
import { caaHelp, dnsHelp, verifiedHelp } from './dns-help.ts';
import { accountHelp, acmeIssuerHelp, apiKeyHelp, projectHelp } from './resource-help.ts';
import { routeHelp } from './route-help.ts';
import type { Symptom, HelpText } from './state-help.ts';
import { stateHelp, helpTextInState } from './state-help.ts';

const title = 'No longer served';

/** Why a domain that was served is not any more: each has another end. */
const withdrawnHelp: Readonly<Record<WithdrawnReason, HelpText>> = {
  SuspendedByAdministrator: {
    title,
    meaning: 'An administrator of the platform has taken this domain offline.',
    todo: 'Nothing to do in your DNS: contact the people who run the platform, as only they can bring it back.',
    symptom: null,
  },
  LedElsewhere: {
    title,
    meaning: 'It had pointed somewhere else for seven days, so we stopped serving it.',
    todo: 'Point it here again with the records shown, then verify again. It comes back with the certificate it had.',
    symptom: 'verification-keeps-failing',
  },
  NotAllowed: {
    title,
    meaning: 'Your plan or your project hadn’t allowed it for seven days, so we stopped serving it.',
    todo: 'Once they do, it comes back with the certificate it had; you can also verify again.',
    symptom: null,
  },
  ParentDeleted: {
    title,
    meaning: 'The project or account that it belongs to is being deleted.',
    todo: 'Nothing to do if you wanted that. If not, contact the people who run the platform.',
    symptom: null,
  },
  ProvenElsewhere: {
    title,
    meaning: 'Another account has proved that this domain is theirs.',
    todo: 'If it’s yours, add the TXT record shown, then verify again. If not, remove it here.',
    symptom: 'verification-keeps-failing',
  },
};

const platform = 'Nothing to do: the people who run the platform take care of this. Contact support if it lasts.';

const help = (title: string, meaning: string, todo = platform): HelpText => ({ title, meaning, todo, symptom: null });

/** What the platform's cluster does not let us write for a domain. */
const refusalHelp: Readonly<Record<RefusalCode | 'WriteRefused', HelpText>> = {
  WriteRefused: help(
    'The platform’s cluster refuses a change',
    'We have to change something there and are not allowed to. We try again automatically.',
  ),
  QuotaFull: help(
    'Your account’s space in the cluster is full',
    'Something has to be created for this domain, and a quota leaves no room for it.',
    'Nothing to do: the people who run the platform make room. If you have objects of your own there, delete what you no longer need.',
  ),
  AdmissionDenied: help('A rule of the cluster forbids a change', 'A rule of the platform’s cluster doesn’t allow it.'),
  AdmissionUnavailable: help(
    'A part of the platform doesn’t answer',
    'It has to permit each change first, so nothing can be changed until it does.',
  ),
  WriteUnanswered: help('The platform’s cluster is too slow', 'It hasn’t answered a change in time.'),
  OperatorForbidden: help('The platform lacks a right in its cluster', 'A change needs a right that is missing.'),
  FieldsOwnedElsewhere: help('Two programs disagree about a setting', 'Another program has set what we have to set.'),
  NameTaken: help(
    'Something else has the name that we need',
    'An object of that name exists already, or is still being deleted.',
    'Nothing to do: the people who run the platform take care of this. If you have made an object of that name, delete it.',
  ),
  NamespaceEnding: help(
    'Your account’s place in the cluster is being deleted',
    'Nothing new can be created there.',
    'Nothing to do if you wanted that. If not, contact support.',
  ),
  ObjectRejected: help('The platform’s cluster doesn’t accept a change', 'Its version and ours don’t agree.'),
};

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
