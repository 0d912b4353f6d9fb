import type { AcmeAccount } from '../../acme/acme-client.ts';
import { AcmeProblem } from '../../acme/acme-errors.ts';
import type { Order } from '../../acme/acme-objects.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { Asked, Refusal } from '../../issuing/acme/order-refusal.ts';
import { refusalOf } from '../../issuing/acme/order-refusal.ts';
import type { OrderSnapshot, OrderStep } from '../../issuing/acme/order-step.ts';
import { orderStep } from '../../issuing/acme/order-step.ts';
import { nothingUnlessRepeated } from './give-up-proofs.ts';
import { NotPlaced, placeOrder } from './place-order.ts';

/** What is remembered of an order outside of processes: the hostname's claim has it. */
export type AcmeOrder = NonNullable<NonNullable<HostnameClaim['spec']['orders']>[number]['acme']>;

/** What is ordered. */
export interface WantedCertificate {
  readonly hostname: string;
  /** PKCS#10, DER */
  readonly signingRequest: Buffer;
  /** of draft-ietf-acme-profiles; null for the authority's own choice */
  readonly profile: string | null;
  /** the id of the certificate that this one follows (RFC 9773, section 5); null for none */
  readonly replaces: string | null;
  /** until when a new order may be sent, milliseconds since the Unix epoch, as what permits it ages; null for any time */
  readonly placeBefore: number | null;
}

/** What an order acts through. */
export interface OrderPorts {
  readonly account: AcmeAccount;
  /** thumbprint of the account's key */
  readonly thumbprint: string;
  /** Writes it where a process that follows finds it. Rejects where that is not certain, and then nothing is placed. */
  readonly remember: (order: AcmeOrder) => Promise<void>;
  /** Those of the tokens that every redirector answers by now, as the authority may ask any. */
  readonly answered: (hostname: string, tokens: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Challenges that this process triggered: an authority may call them pending until it has validated them. */
  readonly triggered: Pick<Set<string>, 'has' | 'add'>;
  /** milliseconds since the Unix epoch */
  readonly now: () => number;
}

/** How far an order is. */
export type OrderProgress =
  /** `tokens` are those that are not answered everywhere; none where it is the authority that is waited for */
  | { readonly kind: 'Waiting'; readonly forMs: number; readonly tokens: readonly string[] }
  /** the chain as PEM, and after it the alternate ones */
  | { readonly kind: 'Issued'; readonly chains: readonly string[] }
  /** `isPlaced`: the authority has an order, whatever became of it */
  | { readonly kind: 'Refused'; readonly refusal: Refusal; readonly isPlaced: boolean };

/** Until redirectors and authority are asked again, where the authority names no time. */
const pollEvery = 500;
/** Until the authority is asked what came of challenges that were just triggered; most are validated by then. */
const firstPoll = 250;
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
  let order = known;
  try {
    for (let count = 0; count < stepsAtMost; count += 1) {
      signal.throwIfAborted();
      const { snapshot, retryAfterMs } = await read(order, ports.account);
      const next = await nextStep(snapshot, wanted.hostname, ports);
      switch (next.step) {
        case 'Place':
          order = await placeOrder(order, wanted, ports);
          break;
        case 'Answer':
          return { kind: 'Waiting', forMs: pollEvery, tokens: next.tokens };
        case 'Trigger':
          return (await trigger(next.challenges, ports)) ? waiting(firstPoll) : waitingFor(retryAfterMs);
        case 'Wait':
          return waitingFor(retryAfterMs);
        case 'Finalize': {
          const { value, retryAfterMs: pause } = await ports.account.finalize(next.url, wanted.signingRequest);
          if (value.status === 'processing') return waitingFor(pause);
          break;
        }
        case 'Download':
          return { kind: 'Issued', chains: await ports.account.chains(next.url) };
        case 'Fail':
          return refused(next.problem ?? ended(next.because), 'challenge');
      }
    }
    return waiting(pollEvery);
  } catch (error) {
    if (error instanceof NotPlaced) return refused(error.problem, 'newOrder');
    if (error instanceof AcmeProblem) return refused(error, 'order');
    throw error;
  }
}

/** Whether challenges are answered is asked only where that is what the order waits for. */
async function nextStep(snapshot: OrderSnapshot, hostname: string, { answered }: OrderPorts): Promise<OrderStep> {
  const next = orderStep(snapshot);
  if (next.step !== 'Answer') return next;
  return orderStep({ ...snapshot, answered: await answered(hostname, next.tokens) });
}

const waiting = (forMs: number): OrderProgress => ({ kind: 'Waiting', forMs, tokens: [] });

const waitingFor = (retryAfterMs: number | null): OrderProgress =>
  waiting(Math.min(retryAfterMs ?? pollEvery, pollAtLeastEvery));

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

const untold = { authorizations: [], kind: 'http-01', answered: new Set<string>() } as const;
const unplaced: Read = { snapshot: { ...untold, order: null }, retryAfterMs: null };

/** Authorizations say something of an order that waits for them, or failed with them. */
const restsOnProofs: ReadonlySet<Order['status']> = new Set(['pending', 'invalid']);

async function read(known: AcmeOrder | null, account: AcmeAccount): Promise<Read> {
  if (known?.order === undefined) return unplaced;
  const { value: order, retryAfterMs } = await account.order(known.order);
  const urls = restsOnProofs.has(order.status) ? order.authorizations : [];
  const polled = await Promise.all(urls.map((url) => account.authorization(url)));
  const waits = [retryAfterMs, ...polled.map((one) => one.retryAfterMs)].filter((wait) => wait !== null);
  return {
    snapshot: { ...untold, order, authorizations: polled.map(({ value }) => value) },
    retryAfterMs: waits.length === 0 ? null : Math.max(...waits),
  };
}

/** An order that ended for a reason that the authority does not give. */
const ended = (detail: string): AcmeProblem =>
  new AcmeProblem({ type: 'orderInvalid', detail, status: null, retryAfterMs: null, subproblems: [] });
