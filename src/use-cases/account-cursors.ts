import type { CallerContext } from './api-dependencies.ts';
import type { ListCursors } from './cursors.ts';

/** The cursors of a list of the caller's account. */
export const cursorsOf = ({ dependencies, caller }: CallerContext, ...list: readonly unknown[]): ListCursors =>
  dependencies.cursors([caller.account.spec.id, ...list]);
