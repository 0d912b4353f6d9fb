import type { AcmeAccount } from '../../acme/acme-client.ts';
import { AcmeProblem } from '../../acme/acme-errors.ts';
import type { AcmeOrder, OrderPorts, WantedCertificate } from './order-ports.ts';

/** The authority refused a new order: it has none, and nothing is to be counted. */
export class NotPlaced extends Error {
  override readonly name = 'NotPlaced';
  readonly problem: AcmeProblem;

  constructor(problem: AcmeProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** As the claim's schema bounds it: so often an order may have been placed that nobody knows the URL of. */
const placedAtMost = 100;

/** Remembered once before, as it may come to be at the authority, and once after, as it is found by its URL alone. Throws NotPlaced. */
export async function placeOrder(
  known: AcmeOrder | null,
  { hostname, profile, replaces, placeBefore }: WantedCertificate,
  { account, thumbprint, remember }: Pick<OrderPorts, 'account' | 'thumbprint' | 'remember'>,
): Promise<AcmeOrder> {
  const placed = (known?.placed ?? 0) + 1;
  if (placed > placedAtMost) throw new NotPlaced(tooOften);
  const about = { account: account.url, thumbprint, placed };
  await remember(about);
  try {
    const { url } = await newOrder({ names: [hostname], profile, replaces, before: placeBefore }, account);
    const order = { ...about, order: url };
    await remember(order);
    return order;
  } catch (error) {
    throw error instanceof AcmeProblem ? new NotPlaced(error) : error;
  }
}

/**
 * What an authority says that does not let an order replace that certificate: another one has before, or it does not find it. RFC 9773,
 * section 5, names the first alone. Pebble says serverInternal for the second, also of a certificate whose serial number DER begins with a
 * zero, and would for ever.
 */
const refusesToReplace: ReadonlySet<string> = new Set([
  'alreadyReplaced',
  'malformed',
  'unauthorized',
  'serverInternal',
]);

/** One that may not replace another certificate is ordered like any other. */
async function newOrder(wanted: Parameters<AcmeAccount['newOrder']>[0], account: AcmeAccount) {
  try {
    return await account.newOrder(wanted);
  } catch (error) {
    const isAboutThat = error instanceof AcmeProblem && refusesToReplace.has(error.type);
    if (wanted.replaces === null || !isAboutThat) throw error;
    return account.newOrder({ ...wanted, replaces: null });
  }
}

const tooOften = new AcmeProblem({
  type: 'orderUnknown',
  detail: `it was placed ${placedAtMost} times, and what became of that is not known`,
  status: null,
  retryAfterMs: null,
  subproblems: [],
});
