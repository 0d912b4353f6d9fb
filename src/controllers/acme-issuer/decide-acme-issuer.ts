import type { Actions } from '../../controller-runtime/actions.ts';
import { statusAction } from '../../controller-runtime/actions.ts';
import type { AcmeIssuer } from '../../generated/acme-issuer.ts';
import { AcmeIssuerKind } from '../../resources/kinds.ts';
import { clip } from '../../resources/object-limits.ts';
import { hours, minutes } from '../../rules/check-schedule.ts';
import type { Finding } from '../../rules/conditions.ts';
import { conditionsFrom, no, unknown, yes } from '../../rules/conditions.ts';
import type { AcmeIssuerReason } from '../../rules/reasons.ts';
import type { AccountObservation, KnownAccount } from './observe-account.ts';

/** Everything decideAcmeIssuer needs, frozen. */
export interface AcmeIssuerSnapshot {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  readonly issuer: AcmeIssuer;
  /** in the order of spec.accounts */
  readonly observations: readonly AccountObservation[];
}

const lookAgain = 1 * hours;
const lookAgainAtProblems = 1 * minutes;
const longestProblem = 1_024;

/** Writes what was found of the accounts into the status. Pure. */
export function decideAcmeIssuer({ issuer, observations, now }: AcmeIssuerSnapshot): Actions {
  const { generation = 0 } = issuer.metadata;
  const accounts = observations.map((observation) => accountStatus(observation, issuer.status?.accounts));
  const Ready = readyFinding(observations);
  const conditions = conditionsFrom({ Ready }, issuer.status?.conditions, { generation, now });
  const isAllRight = observations.every(({ problem }) => problem === null);
  return {
    writes: [statusAction(AcmeIssuerKind, issuer, { accounts, conditions })],
    events: [],
    requeueAt: now + (isAllRight ? lookAgain : lookAgainAtProblems),
  };
}

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
function readyFinding(observations: readonly AccountObservation[]): Finding<AcmeIssuerReason> {
  const usable = observations.find(({ problem }) => problem === null);
  if (usable) return yes('Registered', `certificates are ordered with account ${usable.spec.name}`);
  const problem = observations.find((one) => one.problem !== null)?.problem;
  if (!problem) return unknown('AuthorityUnreachable', 'no account was looked at yet');
  const { reason, message } = problem;
  return reason === 'AuthorityUnreachable' ? unknown(reason, message) : no(reason, message);
}
