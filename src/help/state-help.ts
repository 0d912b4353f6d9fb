import type { DomainState } from '../rules/domain-state.ts';

/** The four problems that people report; anchors in docs/troubleshooting.md and in the dashboard's help. */
export const symptoms = [
  'verification-keeps-failing',
  'no-certificate',
  'connection-not-private',
  'redirects-misbehave',
] as const;

export type Symptom = (typeof symptoms)[number];

/** What a state or reason is called, what it means, and what the customer has to do. */
export interface HelpText {
  readonly title: string;
  readonly meaning: string;
  /** what to do now; begins with "Nothing to do" where nothing is */
  readonly todo: string;
  /** the help chapter with more about it */
  readonly symptom: Symptom | null;
}

/** Help for a state alone, used when it has no reason or the reason has no help text. */
const ofStates: Readonly<Record<DomainState, HelpText>> = {
  Pending: {
    title: 'Waiting',
    meaning: 'Something other than DNS has to happen before this domain can be set up.',
    todo: 'Read the message below: it says what to do.',
    symptom: null,
  },
  Unverified: {
    title: 'Waiting for your DNS records',
    meaning: 'The records that connect this domain are not right yet. We check for them automatically.',
    todo: 'Create the records shown, at the company that manages your DNS.',
    symptom: 'verification-keeps-failing',
  },
  Verified: {
    title: 'DNS is right',
    meaning: 'The records are in place; the certificate and the route come next.',
    todo: 'Nothing to do: keep the records as they are.',
    symptom: null,
  },
  Live: {
    title: 'Live',
    meaning: 'The domain answers with its own certificate.',
    todo: 'Nothing to do: keep the records as they are.',
    symptom: null,
  },
  Degraded: {
    title: 'Works, but needs attention',
    meaning: 'The platform still serves your domain, but something has changed that should be fixed.',
    todo: 'Read the message below: it says what to do. Then verify again.',
    symptom: 'verification-keeps-failing',
  },
  Suspended: {
    title: 'No longer served',
    meaning: 'The platform stopped serving the domain after a week of problems, or its administrators did so.',
    todo: 'Fix what the message names, then verify again: the domain comes back with the certificate it had.',
    symptom: 'connection-not-private',
  },
};

export const stateHelp: Readonly<Record<string, HelpText>> & Readonly<Record<DomainState, HelpText>> = ofStates;

const checkingNow: HelpText = {
  title: 'Checking your DNS',
  meaning: 'The first check of your records has not finished.',
  todo: 'Create the records shown if you have not; we check for them automatically.',
  symptom: null,
};

const notProcessed: HelpText = {
  title: 'Waiting',
  meaning: 'The platform has not processed this yet.',
  todo: 'Nothing to do: it continues automatically.',
  symptom: null,
};

const recordGone: HelpText = {
  title: 'Your DNS record is gone',
  meaning: 'The record that points visitors here has disappeared from your DNS.',
  todo: 'Create the record shown again, at the company that manages your DNS. We will find it automatically.',
  symptom: 'verification-keeps-failing',
};

/** The help for a reason that means something else in this state; null for all others. */
export function helpTextInState(state: string, reason: string): HelpText | null {
  if (state === 'Degraded' && reason === 'RecordMissing') return recordGone;
  if (reason !== 'Waiting') return null;
  return state === 'Unverified' ? checkingNow : (stateHelp[state] ?? notProcessed);
}
