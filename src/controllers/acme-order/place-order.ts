import type { AcmeAccount } from '../../acme/acme-client.ts';
import { AcmeProblem } from '../../acme/acme-errors.ts';
import type { ChallengeKind } from '../../acme/acme-objects.ts';
import type { AcmeOrder } from './order-record.ts';

/** What is ordered. */
export interface WantedCertificate {
  readonly hostname: string;
  /** PKCS#10, DER */
  readonly signingRequest: Buffer;
  /** how its authority validates it */
  readonly challenge: ChallengeKind;
  /** of draft-ietf-acme-profiles; null for the authority's own choice */
  readonly profile: string | null;
  /** common name of the root below which its chain is to end; null for the authority's own choice */
  readonly preferredChain: string | null;
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
  /** Those of the tokens that are answered by now wherever the authority may ask. */
  readonly answered: (tokens: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Challenges that this process triggered: an authority may call them pending until it has validated them. */
  readonly triggered: Pick<Set<string>, 'has' | 'add'>;
  /** milliseconds since the Unix epoch */
  readonly now: () => number;
}

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
