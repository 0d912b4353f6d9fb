import { dnsChallengeValue, keyAuthorization } from '../../acme/account-key.ts';
import { ChallengeZoneFault } from '../../dns/challenge-zone.ts';
import type { ChallengeZone } from '../../dns/challenge-zone.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { challengePath } from '../../rules/domain-token.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import type { AcmeOrderNeeds } from './acme-order-needs.ts';
import type { RegisteredAccount } from '../acme-issuer/registered-accounts.ts';
import type { OrderAttempt } from './order-attempts.ts';

type Ports = Pick<AcmeOrderNeeds, 'challengeProbe' | 'challengeZone'>;

/** An open order whose challenges are to be answered. */
interface ChallengedOrder {
  readonly claim: HostnameClaim;
  readonly order: Pick<OrderEntry, 'delegation' | 'request'>;
  /** that it is placed with */
  readonly account: Pick<RegisteredAccount, 'thumbprint'>;
}

/**
 * Those of some tokens that are answered wherever the authority may ask: by each redirector and the ingress, or by every server of the
 * challenge zone, once the answers were put there.
 */
export async function answeredTokens(
  ports: Ports,
  order: ChallengedOrder,
  { tokens, attempt }: { readonly tokens: readonly string[]; readonly attempt: OrderAttempt },
): Promise<ReadonlySet<string>> {
  const { delegation, request } = order.order;
  if (delegation === undefined) return answeredOverHttp(ports, order, tokens);
  const { challengeZone } = ports;
  attempt.fault = challengeZone === null ? withoutZone : null;
  if (challengeZone === null) return new Set();
  const texts = tokens.map((token) => dnsChallengeValue(token, order.account.thumbprint));
  try {
    return (await publish(challengeZone, { label: delegation, request, texts }, attempt)) ? new Set(tokens) : new Set();
  } catch (error) {
    if (!(error instanceof ChallengeZoneFault)) throw error;
    attempt.fault = error.message;
    return new Set();
  }
}

const withoutZone = 'the platform has no challenge zone any more; an administrator has to set issuer.challengeZone';

/** Removes what answered an order over DNS. Throws ChallengeZoneFault. */
export async function withdrawAnswers(
  { challengeZone }: Pick<Ports, 'challengeZone'>,
  { delegation, request }: Pick<OrderEntry, 'delegation' | 'request'>,
): Promise<void> {
  if (delegation !== undefined) await challengeZone?.put(delegation, request, []);
}

async function answeredOverHttp(
  { challengeProbe }: Ports,
  { claim, account: { thumbprint } }: ChallengedOrder,
  tokens: readonly string[],
): Promise<ReadonlySet<string>> {
  const expected = new Map(tokens.map((token) => [`${challengePath}${token}`, keyAuthorization(token, thumbprint)]));
  const answered = await challengeProbe(claim.metadata.name, expected);
  return new Set(tokens.filter((token) => answered.has(`${challengePath}${token}`)));
}

interface Answers {
  readonly label: string;
  /** whose they are */
  readonly request: string;
  readonly texts: readonly string[];
}

/** Puts them there once; whether every server has them by now. */
async function publish(
  zone: ChallengeZone,
  { label, request, texts }: Answers,
  attempt: OrderAttempt,
): Promise<boolean> {
  const all = texts.join(' ');
  if (attempt.published !== all) {
    await zone.put(label, request, texts);
    attempt.published = all;
  }
  return zone.serves(label, request, texts);
}
