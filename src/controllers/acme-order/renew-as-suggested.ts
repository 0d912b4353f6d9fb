import { AcmeProblem, AcmeUnavailable } from '../../acme/acme-errors.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { noActions } from '../../controller-runtime/actions.ts';
import { issueAnew } from '../../issuing/issue-anew.ts';
import { childName } from '../../rules/dns-target.ts';
import { applyActions } from '../apply-actions.ts';
import type { ReconcilerDependencies } from '../reconciler-dependencies.ts';
import { claimedHostname } from '../../rules/claim-name.ts';
import { afterSilence, askAgain, momentIn, servedOrder, untilAskedAgain } from './renewal.ts';

/**
 * Asks the authority when it wishes a hostname's certificate to be renewed, and begins that when its moment has come. `name` is
 * that of its claim. cert-manager's own
 * time of renewal stays as the net below: for authorities that say nothing, and where they do not answer.
 */
export async function renewAsSuggested(dependencies: ReconcilerDependencies, name: string): Promise<ReconcileResult> {
  const { caches, accounts, settings, now } = dependencies;
  const claim = caches.claims.get({ namespace: '', name });
  if (!claim) return {};
  const key = { namespace: claim.spec.holder.namespace, name: childName(claimedHostname(name)) };
  const certificate = caches.certificates.get(key);
  const order = servedOrder(claim, certificate);
  if (!certificate || !order) return {};
  const account = accounts.of(settings.issuer.name).find(({ acme }) => acme.url === order.account);
  if (!account) return { requeueAfterMs: askAgain };
  try {
    const suggested = await account.authority.renewalWindow(order.certificate);
    if (suggested === null) return {};
    const moment = momentIn(suggested.value, claim);
    if (moment > now()) return { requeueAfterMs: untilAskedAgain(suggested.retryAfterMs, moment, now()) };
  } catch (error) {
    if (error instanceof AcmeUnavailable) return { requeueAfterMs: afterSilence };
    if (error instanceof AcmeProblem) return { requeueAfterMs: askAgain };
    throw error;
  }
  const begin = issueAnew(certificate, 'RenewalSuggested', now());
  return applyActions(dependencies, { ...noActions, writes: [begin], requeueAt: now() + askAgain });
}
