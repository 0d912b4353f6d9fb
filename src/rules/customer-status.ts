import { isWarning } from '../rules/issue-acts.ts';
import type { StepContext, StepSubject } from './next-step.ts';
import { nextStepOf } from './next-step.ts';

/** A domain as its customer sees it, most urgent first: what it needs, not how far it has come. */
export const customerStatuses = ['NeedsAction', 'Offline', 'AtRisk', 'InProgress', 'Live'] as const;
export type CustomerStatus = (typeof customerStatuses)[number];

const unknown = Object.freeze({ nextCheckAt: null, refusal: null });

/**
 * A domain that is served is Live or AtRisk, one that was served is Offline. Any other either waits for its customer or
 * for somebody else.
 */
export function customerStatusOf(domain: StepSubject, context: StepContext = unknown): CustomerStatus {
  switch (domain.state) {
    case 'Suspended':
      return 'Offline';
    case 'Degraded':
      return 'AtRisk';
    case 'Live':
      return isThreatened(domain, context) ? 'AtRisk' : 'Live';
    case 'Pending':
    case 'Unverified':
    case 'Verified':
      return waitsForCustomer(domain, context) ? 'NeedsAction' : 'InProgress';
  }
}

const isThreatened = (domain: StepSubject, context: StepContext): boolean =>
  domain.issues.some((issue) => !isWarning(issue)) || nextStepOf(domain, context).kind !== null;

/** Exactly where its page has a button for them: a pill that says that others act would contradict it. */
const waitsForCustomer = (domain: StepSubject, context: StepContext): boolean =>
  nextStepOf(domain, context).kind !== null;
