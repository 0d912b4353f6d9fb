import type { DomainState } from '../rules/domain-state.ts';

/** The four things people come with; anchors of docs/troubleshooting.md and of the dashboard's help. */
export const symptoms = [
  'verification-keeps-failing',
  'no-certificate',
  'connection-not-private',
  'redirects-misbehave',
] as const;

export type Symptom = (typeof symptoms)[number];

/** What a state or reason is called and what it asks of the customer. */
export interface HelpText {
  readonly title: string;
  readonly meaning: string;
  /** what to do now; begins with "Nothing to do" where nothing is */
  readonly todo: string;
  /** the chapter of the help that goes on from here */
  readonly symptom: Symptom | null;
}

/** Each state on its own, for when it has no reason or its reason has no words. */
const ofStates: Readonly<Record<DomainState, HelpText>> = {
  Pending: {
    title: 'Waiting',
    meaning: 'Something outside of DNS must happen before this domain can be set up.',
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
    meaning: 'The platform still serves your domain, but something changed that should be mended.',
    todo: 'Read the message below: it says what to do. Then verify again.',
    symptom: 'verification-keeps-failing',
  },
  Suspended: {
    title: 'No longer served',
    meaning: 'The domain was taken off the platform after a week of trouble, or by the people who run it.',
    todo: 'Mend what the message names, then verify again: the domain comes back with the certificate it had.',
    symptom: 'connection-not-private',
  },
};

export const stateHelp: Readonly<Record<string, HelpText>> & Readonly<Record<DomainState, HelpText>> = ofStates;

const lookingNow: HelpText = {
  title: 'Looking at your DNS',
  meaning: 'The first look at your records has not finished.',
  todo: 'Create the records shown if you have not; we check for them automatically.',
  symptom: null,
};

const notLookedAt: HelpText = {
  title: 'Waiting',
  meaning: 'The platform has not looked at this yet.',
  todo: 'Nothing to do: it continues automatically.',
  symptom: null,
};

const recordGone: HelpText = {
  title: 'Your DNS record is gone',
  meaning: 'The record that leads visitors here has disappeared from your DNS.',
  todo: 'Create the record shown again, at the company that manages your DNS. We then find it automatically.',
  symptom: 'verification-keeps-failing',
};

/** Reasons that say something else in another state; null for all others. */
export function helpTextInState(state: string, reason: string): HelpText | null {
  if (state === 'Degraded' && reason === 'RecordMissing') return recordGone;
  if (reason !== 'Waiting') return null;
  return state === 'Unverified' ? lookingNow : (stateHelp[state] ?? notLookedAt);
}
