import type { Account } from '../generated/account.ts';
import type { Limits } from '../rules/plan-limits.ts';
import { fixedMaximum } from '../rules/plan-limits.ts';
import { useCase } from './use-case.ts';

/** An account as REST and the dashboard show it. */
export interface AccountView {
  readonly name: string;
  readonly plan: string;
  readonly limits: LimitsView;
}

interface LimitsView extends Omit<Limits, 'maximum'> {
  /** the plan's, and those that are the same on every plan */
  readonly maximum: Limits['maximum'] & { readonly sessionsPerKey: number; readonly eventStreams: number };
}

export const accountView = ({ metadata, spec }: Account, limits: Limits): AccountView => ({
  name: metadata.name,
  plan: spec.plan,
  limits: { ...limits, maximum: { ...limits.maximum, ...fixedMaximum } },
});

/** The account of the key that asks. */
export const showAccount = useCase<void, AccountView>(null, ({ caller }) => accountView(caller.account, caller.limits));
