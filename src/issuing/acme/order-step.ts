import type { AcmeProblem } from '../../acme/acme-errors.ts';
import type { Authorization, Challenge, ChallengeKind, Order } from '../../acme/acme-objects.ts';

/** What is known of one order: read at its authority, never remembered, so that a new process goes on where another one stopped. */
export interface OrderSnapshot {
  /** null until the authority has it */
  readonly order: Order | null;
  /** its authorizations, in its order; none while it is unread or no longer pending */
  readonly authorizations: readonly Authorization[];
  readonly kind: ChallengeKind;
  /** tokens to which an answer was seen wherever the authority may ask */
  readonly answered: ReadonlySet<string>;
}

/** What an order needs next. */
export type OrderStep =
  | { readonly step: 'Place' }
  /** see to it that these tokens are answered, before anything is triggered */
  | { readonly step: 'Answer'; readonly tokens: readonly string[] }
  /** tell the authority that these challenges can be validated */
  | { readonly step: 'Trigger'; readonly challenges: readonly string[] }
  /** the authority is at work */
  | { readonly step: 'Wait' }
  | { readonly step: 'Finalize'; readonly url: string }
  | { readonly step: 'Download'; readonly url: string }
  /** the authority refused it; the problem is null where it does not say why */
  | { readonly step: 'Fail'; readonly problem: AcmeProblem | null; readonly because: string }
  /** it ended there although nothing was refused: it expired, was given up, or the authority could not go on with it */
  | { readonly step: 'Lost'; readonly because: string };

const wait: OrderStep = Object.freeze({ step: 'Wait' });

/** Decides by what the authority says alone: an order that is finalized there is never finalized again. */
export function orderStep({ order, authorizations, kind, answered }: OrderSnapshot): OrderStep {
  if (order === null) return { step: 'Place' };
  switch (order.status) {
    case 'pending':
      return proofStep(authorizations, kind, answered);
    case 'ready':
      return { step: 'Finalize', url: order.finalize };
    case 'processing':
      return wait;
    case 'valid':
      return order.certificate === undefined ? wait : { step: 'Download', url: order.certificate };
    case 'invalid':
      return endStep(order, authorizations);
  }
}

function proofStep(
  authorizations: readonly Authorization[],
  kind: ChallengeKind,
  answered: ReadonlySet<string>,
): OrderStep {
  const refused = authorizations.find(isRefused);
  if (refused) return fail(refusalIn(refused), `the authorization of ${refused.identifier.value} is ${refused.status}`);
  const ended = authorizations.find(({ status }) => status !== 'pending' && status !== 'valid');
  if (ended) return { step: 'Lost', because: `the authorization of ${ended.identifier.value} is ${ended.status}` };
  const pending = authorizations.filter(({ status }) => status === 'pending');
  const challenges = pending.map((one) => challengeOf(one, kind));
  const without = pending.find((_, at) => challenges[at] === undefined);
  if (without) return fail(null, `the authority offers no ${kind} challenge for ${without.identifier.value}`);
  const open = challenges.flatMap((one) => (one?.status === 'pending' ? [one] : []));
  const unanswered = open.filter(({ token }) => !answered.has(token));
  if (unanswered.length > 0) return { step: 'Answer', tokens: unanswered.map(({ token }) => token) };
  return open.length > 0 ? { step: 'Trigger', challenges: open.map(({ url }) => url) } : wait;
}

/**
 * An order becomes invalid on its own, too: when it expires, when its proofs are given up (RFC 8555, section 7.1.6), and when the authority
 * fails while it issues. Where a challenge failed, what that says is nearer to the cause than what the order says.
 */
function endStep({ error }: Order, authorizations: readonly Authorization[]): OrderStep {
  const because = 'the order is invalid';
  const isFault = error === undefined || error.type === 'serverInternal';
  if (isFault && !authorizations.some(isRefused)) return { step: 'Lost', because };
  return fail(authorizations.map(refusalIn).find((problem) => problem !== null) ?? error ?? null, because);
}

/** The authority validated it, and counts that: whatever else its status says, a challenge with an error was looked at. */
export const isRefused = (authorization: Authorization): boolean =>
  authorization.status === 'invalid' || refusalIn(authorization) !== null;

const challengeOf = ({ challenges }: Authorization, kind: ChallengeKind): Challenge | undefined =>
  challenges.find(({ type }) => type === kind);

const fail = (problem: AcmeProblem | null, because: string): OrderStep => ({ step: 'Fail', problem, because });

const refusalIn = ({ challenges }: Authorization): AcmeProblem | null =>
  challenges.find(({ error }) => error !== undefined)?.error ?? null;
