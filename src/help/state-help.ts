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
    title: 'Not ready yet',
    meaning: 'Something other than DNS has to happen before this domain can be set up.',
    todo: 'See what its page says, and fix it.',
    symptom: null,
  },
  Unverified: {
    title: 'Waiting for your DNS records',
    meaning: 'We can’t see the DNS records that connect this domain yet. We check automatically.',
    todo: 'Add the records shown at your DNS provider.',
    symptom: 'verification-keeps-failing',
  },
  Verified: {
    title: 'DNS is set up correctly',
    meaning: 'Your certificate comes next, then the domain goes live.',
    todo: 'Nothing to do: keep the records as they are.',
    symptom: null,
  },
  Live: {
    title: 'Live',
    meaning: 'Your domain is connected and has a valid certificate.',
    todo: 'Nothing to do: keep the records as they are.',
    symptom: null,
  },
  Degraded: {
    title: 'Live, but at risk',
    meaning: 'Your domain still works, but something has changed that you should fix.',
    todo: 'Compare your DNS with the records shown, then select Re-verify.',
    symptom: 'verification-keeps-failing',
  },
  Suspended: {
    title: 'No longer served',
    meaning: 'We stopped serving this domain and renewing its certificate.',
    todo: 'Compare your DNS with the records shown, then verify again. The domain comes back with the certificate it had.',
    symptom: 'verification-keeps-failing',
  },
};

export const stateHelp: Readonly<Record<string, HelpText>> & Readonly<Record<DomainState, HelpText>> = ofStates;

const checkingNow: HelpText = {
  title: 'Checking your DNS',
  meaning: 'The first check hasn’t finished yet.',
  todo: 'Nothing to do for a moment: we’re looking for your records.',
  symptom: null,
};

const notProcessed: HelpText = {
  title: 'Just a moment',
  meaning: 'This hasn’t been processed yet.',
  todo: 'Nothing to do: it continues automatically.',
  symptom: null,
};

const recordGone: HelpText = {
  title: 'Your DNS record is gone',
  meaning: 'The record that points this domain here has been deleted or changed.',
  todo: 'Add the record shown again at your DNS provider. We check automatically.',
  symptom: 'verification-keeps-failing',
};

/** The help for a reason that means something else in this state; null for all others. */
export function helpTextInState(state: string, reason: string): HelpText | null {
  if (state === 'Degraded' && reason === 'RecordMissing') return recordGone;
  if (reason !== 'Waiting') return null;
  if (state === 'Unverified') return checkingNow;
  if (state === 'Degraded') return { ...stateHelp.Degraded, todo: notProcessed.todo };
  return state === 'Pending' ? notProcessed : (stateHelp[state] ?? notProcessed);
}
