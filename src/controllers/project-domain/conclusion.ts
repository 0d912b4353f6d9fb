import type { DomainFindings } from '../../rules/domain-state.ts';
import type { WaitingOrder } from './steps/certificate-step.ts';
import type { CheckStatus } from './check-status.ts';

/** What one reconcile concluded, before it becomes status. */
export interface Conclusion {
  readonly findings: DomainFindings;
  readonly checkStatus: CheckStatus;
  readonly waiting: WaitingOrder;
}
