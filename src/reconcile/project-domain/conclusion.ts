import type { DomainFindings } from '../../model/state.ts';
import type { WaitingOrder } from './steps/certificate.ts';
import type { CheckStatus } from './memory.ts';

/** What one visit concluded, before it becomes status. */
export interface Conclusion {
  readonly findings: DomainFindings;
  readonly checkStatus: CheckStatus;
  readonly waiting: WaitingOrder;
}
