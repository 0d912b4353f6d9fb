import type { DomainFindings } from '../../model/state.ts';
import type { Waiting } from './steps/certificate.ts';
import type { CheckMemory } from './memory.ts';

/** What one visit concluded, before it becomes status. */
export interface Conclusion {
  readonly findings: DomainFindings;
  readonly memory: CheckMemory;
  readonly waiting: Waiting;
}
