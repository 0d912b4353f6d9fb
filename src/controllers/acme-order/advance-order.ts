import type { AcmeAccount } from '../../acme/acme-client.ts';
import { AcmeProblem, AcmeUnavailable } from '../../acme/acme-errors.ts';
import type { Authorization, ChallengeKind, Order } from '../../acme/acme-objects.ts';
import type { Asked, Refusal } from '../../issuing/acme/order-refusal.ts';
import { refusalOf } from '../../issuing/acme/order-refusal.ts';
import type { OrderSnapshot, OrderStep } from '../../issuing/acme/order-step.ts';
import { orderStep } from '../../issuing/acme/order-step.ts';
import { nothingUnlessRepeated } from './order-end.ts';
import type { AcmeOrder } from './order-record.ts';
import type { OrderPorts, WantedCertificate } from './place-order.ts';
import { NotPlaced, placeOrder } from './place-order.ts';

/** How far an order is. */
export type OrderProgress =
  /**
   * `forMs` is what the authority asks us to wait, null where it names no time; `tokens` are those that are not answered everywhere, none
   * where it is the authority that is waited for
   */
  | { readonly kind: 'Waiting'; readonly forMs: number | null; readonly tokens: readonly string[] }
  /** the chain as PEM; `download` is the URL of the one that is the authority's own choice */
  | { readonly kind: 'Issued'; readonly chain: string; readonly download: string }
  /** it ended at its authority although nothing was refused; `because` is a sentence for people */
  | { readonly kind: 'Lost'; readonly because: string }
  /** `isPlaced`: the authority has an order, whatever became of it */
  | { readonly kind: 'Refused'; readonly refusal: Refusal; readonly isPlaced: boolean };

const pollAtLeastEvery = 60_000;
/** An order has five steps; another one is left to the next reconcile, as whoever asked for it may have changed meanwhile. */
const stepsAtMost = 8;

/**
 * Takes an order as far as it gets without waiting. A new order is remembered before it is placed, and its URL after: a process that
 * ends in between costs an order that nobody uses, counted like any other. Everything else goes by what the authority says. Begins no
 * further step once the signal has aborted.
 */
export async function advanceOrder(
  known: AcmeOrder | null,
  wanted: WantedCertificate,
  ports: OrderPorts,
  signal: AbortSignal,
): Promise<OrderProgress> {
  const refused = (problem: AcmeProblem, asked: Asked): OrderProgress => ({
    kind: 'Refused',
    refusal: refusalOf(problem, { hostname: wanted.hostname, asked, now: ports.now() }),
    isPlaced: asked !== 'newOrder',
  });
  try {
    let order = known;
    for (let count = 0; count < stepsAtMost; count += 1) {
      signal.throwIfAborted();
      const done = await takeStep(order, wanted, ports);
      if ('kind' in done) return done;
      if ('failed' in done) return refused(done.failed, wanted.challenge);
      order = done.order;
    }
    return waitingFor(null);
  } catch (error) {
    if (error instanceof NotPlaced) return refused(error.problem, 'newOrder');
    if (error instanceof AcmeProblem) return isUnknownThere(error) ? lost(error.message) : refused(error, 'order');
    throw error;
  }
}

/** What one step came to: the order goes on at once, has ended at its authority, or is where it gets for now. */
type Step = OrderProgress | { readonly order: AcmeOrder | null } | { readonly failed: AcmeProblem };

async function takeStep(order: AcmeOrder | null, wanted: WantedCertificate, ports: OrderPorts): Promise<Step> {
  const { snapshot, retryAfterMs } = await read(order, wanted.challenge, ports.account);
  const next = await nextStep(snapshot, ports);
  switch (next.step) {
    case 'Place':
      return { order: await placeOrder(order, wanted, ports) };
    case 'Answer':
      return { kind: 'Waiting', forMs: null, tokens: next.tokens };
    case 'Trigger':
      return waitingFor((await trigger(next.challenges, ports)) ? null : retryAfterMs);
    case 'Wait':
      return waitingFor(retryAfterMs);
    case 'Finalize': {
      const finalized = await ports.account.finalize(next.url, wanted.signingRequest);
      return finalized.value.status === 'processing' ? waitingFor(finalized.retryAfterMs) : { order };
    }
    case 'Download':
      return { kind: 'Issued', chain: await ports.account.chain(next.url, wanted.preferredChain), download: next.url };
    case 'Fail':
      return { failed: next.problem ?? ended(next.because) };
    case 'Lost':
      return lost(next.because);
  }
}

const lost = (because: string): OrderProgress => ({
  kind: 'Lost',
  because: `the certificate authority does not go on with the order (${because}); it is placed anew`,
});

/** Of what it had itself, an authority that lost its memory, or took it from a backup, says that it is not there. */
const isUnknownThere = ({ status }: AcmeProblem): boolean => status === 404 || status === 410;

/** Whether challenges are answered is asked only where that is what the order waits for. */
async function nextStep(snapshot: OrderSnapshot, { answered }: OrderPorts): Promise<OrderStep> {
  const next = orderStep(snapshot);
  if (next.step !== 'Answer') return next;
  return orderStep({ ...snapshot, answered: await answered(next.tokens) });
}

const waitingFor = (retryAfterMs: number | null): OrderProgress => ({
  kind: 'Waiting',
  forMs: retryAfterMs === null ? null : Math.min(retryAfterMs, pollAtLeastEvery),
  tokens: [],
});

/** False where all were triggered before. A challenge that the authority does not take any more shows why when it is read again. */
async function trigger(challenges: readonly string[], { account, triggered }: OrderPorts): Promise<boolean> {
  const open = challenges.filter((url) => !triggered.has(url));
  await Promise.all(open.map((url) => account.triggerChallenge(url).catch(nothingUnlessRepeated)));
  for (const url of open) triggered.add(url);
  return open.length > 0;
}

interface Read {
  readonly snapshot: OrderSnapshot;
  /** milliseconds that the authority asks us to wait; null when it does not */
  readonly retryAfterMs: number | null;
}

const untold = { authorizations: [], answered: new Set<string>() } as const;

/** Authorizations say something of an order that waits for them, or failed with them. */
const restsOnProofs: ReadonlySet<Order['status']> = new Set(['pending', 'invalid']);

async function read(known: AcmeOrder | null, kind: ChallengeKind, account: AcmeAccount): Promise<Read> {
  if (known?.order === undefined) return { snapshot: { ...untold, kind, order: null }, retryAfterMs: null };
  const { value: order, retryAfterMs } = await account.order(known.order);
  const urls = restsOnProofs.has(order.status) ? order.authorizations : [];
  const polled = await Promise.all(urls.map((url) => account.authorization(url)));
  const waits = [retryAfterMs, ...polled.map((one) => one.retryAfterMs)].filter((wait) => wait !== null);
  const authorizations = await Promise.all(polled.map(({ value }) => withCause(value, kind, account)));
  return {
    snapshot: { ...untold, kind, order, authorizations },
    retryAfterMs: waits.length === 0 ? null : Math.max(...waits),
  };
}

/** Some authorities say in the challenge alone why it failed: it is read where the authorization that ended with it does not say. */
async function withCause(
  authorization: Authorization,
  kind: ChallengeKind,
  account: AcmeAccount,
): Promise<Authorization> {
  const { status, challenges } = authorization;
  if (status !== 'invalid' || challenges.some(({ error }) => error !== undefined)) return authorization;
  const failed = challenges.find((one) => one.status === 'invalid') ?? challenges.find(({ type }) => type === kind);
  if (failed === undefined) return authorization;
  const error = (await account.challengeError(failed.url).catch(nullIfUntold)) ?? undefined;
  return { ...authorization, challenges: challenges.map((one) => (one === failed ? { ...one, error } : one)) };
}

/** The order has ended, whether or not anybody says why. */
function nullIfUntold(error: unknown): null {
  if (error instanceof AcmeProblem || error instanceof AcmeUnavailable) return null;
  throw error;
}

/** An order that ended for a reason that the authority does not give. */
const ended = (detail: string): AcmeProblem =>
  new AcmeProblem({ type: 'orderInvalid', detail, status: null, retryAfterMs: null, subproblems: [] });
