import { internalError, problemOfError } from '../../src/use-cases/error-to-problem.ts';
import type { ProblemDocument } from '../../src/use-cases/problem.ts';

/** What answers an error in a call that no app serves. */
export const documentOf = (error: unknown): ProblemDocument =>
  (problemOfError(error) ?? internalError()).document('request-of-a-test');
