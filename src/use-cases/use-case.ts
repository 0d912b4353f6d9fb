import type { Scope } from '../rules/api-key-format.ts';
import type { Caller, RequestContext } from './api-dependencies.ts';
import { Problem } from './problem.ts';

/**
 * One operation, called by REST or the dashboard: a function of the request's context and input. It rejects with a
 * Problem for everything the caller can fix. The scope is checked first (scope-missing), so that no caller can forget
 * to.
 */
export interface UseCase<Input, Result> {
  (context: RequestContext, input: Input): Promise<Result>;
  /** the scope that the caller's key needs; null: any key will do */
  readonly scope: Scope | null;
}

/** Makes a use case of a function that runs once the scope has been checked. */
export function useCase<Input, Result>(
  scope: Scope | null,
  act: (context: RequestContext, input: Input) => Result | Promise<Result>,
): UseCase<Input, Result> {
  const perform = async (context: RequestContext, input: Input): Promise<Result> => {
    mustHaveScope(context.caller, scope);
    return act(context, input);
  };
  return Object.assign(perform, { scope });
}

/** Throws scope-missing unless the caller's key has the scope. */
export function mustHaveScope({ apiKey }: Pick<Caller, 'apiKey'>, scope: Scope | null): void {
  if (scope === null || apiKey.spec.scopes.includes(scope)) return;
  throw new Problem('scope-missing', `the API key does not have the scope ${scope}`, { members: { scope } });
}
