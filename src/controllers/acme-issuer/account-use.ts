import type { OrderLedger } from '../../generated/order-ledger.ts';
import type { ConfiguredAccount } from '../../rules/order-ledger/issuer-account.ts';
import type { AccountObservation, KnownAccount } from './observe-account.ts';

/** What the status says of how an account is used. */
export type AccountUse = Pick<KnownAccount, 'use' | 'ordersLeft' | 'waitsUntil'>;

type AccountState = NonNullable<OrderLedger['spec']['accounts']>[number];

interface UseInput {
  readonly observation: Pick<AccountObservation, 'account' | 'spec'>;
  readonly isDown: boolean;
  /** as the ledger has it; undefined before the first order */
  readonly state: AccountState | undefined;
  readonly limits: Pick<ConfiguredAccount, 'limits'>['limits'] | undefined;
  readonly before: KnownAccount | undefined;
  readonly now: number;
}

/** Why it takes no order; null where it does. */
function obstacleOf({ observation, isDown, state, now }: UseInput): Exclude<KnownAccount['use'], undefined> | null {
  if (observation.account === null) return 'Unusable';
  if (isDown) return 'Down';
  if (state?.waitsUntil !== undefined && Date.parse(state.waitsUntil) > now) return 'Waits';
  return state?.left === 0 ? 'Full' : null;
}

/** Share of the window by which the number of orders left has to change before it is written anew. */
const step = 1 / 10;

function leftOf({ state, limits, before }: UseInput): number | undefined {
  if (!limits) return undefined;
  const count = limits.orders.count;
  const left = state?.left ?? count;
  const shown = before?.ordersLeft;
  if (shown === undefined || left === 0 || left === count) return left;
  return shown !== 0 && shown <= count && Math.abs(left - shown) < count * step ? shown : left;
}

/** How each of an issuer's accounts is used: the first that takes orders is next. Pure. */
export function accountUses(inputs: readonly UseInput[]): readonly AccountUse[] {
  const obstacles = inputs.map(obstacleOf);
  const next = obstacles.indexOf(null);
  return inputs.map((input, index) => {
    const use = obstacles[index] ?? (index === next ? 'Next' : 'Standby');
    const ordersLeft = leftOf(input);
    const { waitsUntil } = input.state ?? {};
    return {
      use,
      ...(ordersLeft === undefined ? {} : { ordersLeft }),
      ...(use === 'Waits' && waitsUntil !== undefined ? { waitsUntil } : {}),
    };
  });
}
