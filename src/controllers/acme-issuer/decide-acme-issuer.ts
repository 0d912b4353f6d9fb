import type { Actions } from '../../controller-runtime/actions.ts';
import { statusAction } from '../../controller-runtime/actions.ts';
import type { AcmeIssuer } from '../../generated/acme-issuer.ts';
import type { OrderLedger } from '../../generated/order-ledger.ts';
import { AcmeIssuerKind } from '../../resources/kinds.ts';
import { clip } from '../../resources/object-limits.ts';
import { hours, minutes } from '../../rules/check-schedule.ts';
import type { Finding } from '../../rules/conditions.ts';
import { no, observedConditions, timestamp, unknown, yes } from '../../rules/conditions.ts';
import type { ConfiguredAccount } from '../../rules/order-ledger/order-limits.ts';
import type { AcmeIssuerReason } from '../../rules/reasons.ts';
import type { AuthorityHealth } from './authority-health.ts';
import type { AccountObservation, KnownAccount } from './observe-account.ts';

/** Everything decideAcmeIssuer needs, frozen. */
export interface AcmeIssuerSnapshot {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  readonly issuer: AcmeIssuer;
  /** in the order of spec.accounts */
  readonly observations: readonly AccountObservation[];
  /** how an authority answers, by its URL */
  readonly health: (server: string) => Pick<ReturnType<AuthorityHealth['of']>, 'silentSince' | 'isDown'>;
  /** undefined where nothing was ordered of it, or another issuer is ordered of */
  readonly ledger: OrderLedger | undefined;
  /** the limits of its accounts, by name; none where another issuer is ordered of */
  readonly limits: readonly Pick<ConfiguredAccount, 'name' | 'limits'>[];
  /** when its accounts were looked at, the same */
  readonly lookedAt: number;
}

const longestProblem = 1_024;

type Health = AcmeIssuerSnapshot['health'];

/** The authorities are asked once an hour, and once a minute while something is wrong. */
export function untilNextLook(observations: readonly AccountObservation[], health: Health): number {
  const isAllRight = observations.every(
    ({ problem, spec }) => problem === null && health(spec.server).silentSince === null,
  );
  return isAllRight ? 1 * hours : 1 * minutes;
}

/** Writes what was found of the accounts into the status. Pure. */
export function decideAcmeIssuer(snapshot: AcmeIssuerSnapshot): Actions {
  const { issuer, observations, health, now } = snapshot;
  const { generation = 0 } = issuer.metadata;
  const uses = usesOf(snapshot);
  const accounts = observations.map((observation, index) => ({
    ...accountStatus(observation, issuer.status?.accounts),
    ...silence(health(observation.spec.server)),
    ...uses[index],
  }));
  const Ready = readyFinding(observations, uses);
  const ready = observedConditions({ Ready }, issuer.status?.conditions, { generation, now });
  return {
    writes: [statusAction(AcmeIssuerKind, issuer, { accounts, ...ready })],
    events: [],
    requeueAt: snapshot.lookedAt + untilNextLook(observations, health),
  };
}

function usesOf({ issuer, observations, health, ledger, limits, now }: AcmeIssuerSnapshot): readonly AccountUse[] {
  if (limits.length === 0) return [];
  const named = <T extends { readonly name: string | null }>(list: readonly T[] = [], wanted: string) =>
    list.find(({ name }) => name === wanted);
  return accountUses(
    observations.map((observation) => ({
      observation,
      isDown: health(observation.spec.server).isDown,
      state: named(ledger?.spec.accounts, observation.spec.name),
      limits: named(limits, observation.spec.name)?.limits,
      before: named(issuer.status?.accounts, observation.spec.name),
      now,
    })),
  );
}

const silence = ({ silentSince }: { readonly silentSince: number | null }): Pick<KnownAccount, 'unansweredSince'> =>
  silentSince === null ? {} : { unansweredSince: timestamp(silentSince) };

/** An account that cannot be used now is still shown with the URL that it had: customers' CAA records may name it. */
function accountStatus(
  { spec, account, problem }: AccountObservation,
  before: readonly KnownAccount[] = [],
): KnownAccount {
  const { name, server } = spec;
  const known = before.find((one) => one.name === name && one.server === server);
  const uri = account?.acme.url ?? known?.uri;
  const thumbprint = account?.thumbprint ?? known?.thumbprint;
  return {
    name,
    server,
    ...(uri === undefined ? {} : { uri }),
    ...(thumbprint === undefined ? {} : { thumbprint }),
    ...(problem === null ? {} : { problem: clip(problem.message, longestProblem) }),
  };
}

/** Ready while one of the accounts can be used and its authority answers. */
function readyFinding(
  observations: readonly AccountObservation[],
  uses: readonly AccountUse[],
): Finding<AcmeIssuerReason> {
  const answering = observations.filter(({ problem }) => problem === null);
  const usable = answering.find((one) => uses[observations.indexOf(one)]?.use === 'Next') ?? answering[0];
  if (usable) return yes('Registered', `certificates are ordered with account ${usable.spec.name}`);
  const problem = observations.find((one) => one.problem !== null)?.problem;
  if (!problem) return unknown('AuthorityUnreachable', 'no account was looked at yet');
  const { reason, message } = problem;
  return reason === 'AuthorityUnreachable' ? unknown(reason, message) : no(reason, message);
}

/** What the status says of how an account is used. */
type AccountUse = Pick<KnownAccount, 'use' | 'ordersLeft' | 'waitsUntil'>;

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
