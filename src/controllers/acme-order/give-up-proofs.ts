import type { AcmeAccount } from '../../acme/acme-client.ts';
import { AcmeProblem } from '../../acme/acme-errors.ts';
import { isWorthRepeating } from '../../issuing/acme/order-refusal.ts';
import type { AcmeOrder } from './order-ports.ts';

/**
 * Gives up what was proven for an order that has ended, or is not gone on with, so that no later one rests on it, of whoever holds
 * the hostname then (RFC 8555, section 7.5.2). The chain has to be kept before: with its proofs an order may end at its authority.
 */
export async function giveUpProofs({ order: url }: AcmeOrder, account: AcmeAccount): Promise<void> {
  if (url === undefined) return;
  const authorizations = await account.order(url).then(({ value }) => value.authorizations, nothingUnlessRepeated);
  await Promise.all(authorizations.map((one) => giveUpProof(one, account).catch(nothingUnlessRepeated)));
}

async function giveUpProof(url: string, account: AcmeAccount): Promise<void> {
  const { status } = (await account.authorization(url)).value;
  if (status === 'valid' || status === 'pending') await account.deactivate(url);
}

/** Throws what is worth another try. Another refusal says that there is nothing to be done any more. */
export function nothingUnlessRepeated(error: unknown): readonly never[] {
  if (!(error instanceof AcmeProblem) || isWorthRepeating(error)) throw error;
  return [];
}
