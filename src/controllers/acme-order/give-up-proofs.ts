import type { AcmeAccount } from '../../acme/acme-client.ts';
import { AcmeProblem } from '../../acme/acme-errors.ts';
import { isRefused } from '../../issuing/acme/order-step.ts';
import { isWorthRepeating } from '../../issuing/acme/order-refusal.ts';
import type { AcmeOrder } from './order-ports.ts';

/**
 * Gives up what was proven for an order that has ended, or is not gone on with, so that no later one rests on it, of whoever holds
 * the hostname then (RFC 8555, section 7.5.2). The chain has to be kept before: with its proofs an order may end at its authority.
 * Resolves to whether the authority had refused one of them, which it counts against the name.
 */
export async function giveUpProofs({ order: url }: AcmeOrder, account: AcmeAccount): Promise<boolean> {
  if (url === undefined) return false;
  const authorizations = await account.order(url).then(({ value }) => value.authorizations, nothingUnlessRepeated);
  const refused = await Promise.all(
    authorizations.map((one) => giveUpProof(one, account).catch(nothingUnlessRepeated)),
  );
  return refused.includes(true);
}

async function giveUpProof(url: string, account: AcmeAccount): Promise<boolean> {
  const { value: authorization } = await account.authorization(url);
  const { status } = authorization;
  if (status === 'valid' || status === 'pending') await account.deactivate(url);
  return isRefused(authorization);
}

/** Throws what is worth another try. Another refusal says that there is nothing to be done any more. */
export function nothingUnlessRepeated(error: unknown): readonly never[] {
  if (!(error instanceof AcmeProblem) || isWorthRepeating(error)) throw error;
  return [];
}
