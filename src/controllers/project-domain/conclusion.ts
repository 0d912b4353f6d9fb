import type { Finding } from '../../rules/conditions.ts';
import type { DomainFindings, DomainReason, DomainState } from '../../rules/domain-state.ts';
import { domainState, readyFinding } from '../../rules/domain-state.ts';
import type { WaitingOrder } from './steps/certificate-step.ts';
import type { CheckStatus } from './check-status.ts';

/** What one reconcile concluded, before it becomes status. */
export interface Conclusion {
  readonly findings: DomainFindings;
  /** the summary of the findings */
  readonly ready: Finding<DomainReason>;
  readonly state: DomainState;
  readonly checkStatus: CheckStatus;
  readonly waiting: WaitingOrder;
}

export const conclude = (findings: DomainFindings, checkStatus: CheckStatus, waiting: WaitingOrder): Conclusion => ({
  findings,
  ready: readyFinding(findings),
  state: domainState(findings),
  checkStatus,
  waiting,
});
