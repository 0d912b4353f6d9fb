import type { ProjectDomain } from '../generated/project-domain.ts';
import { objectKeyOf } from '../kubernetes/object-keys.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';
import { acceptanceFinding } from '../rules/acceptance.ts';
import type { Competitor } from '../rules/precedence.ts';
import { isTrue } from '../rules/conditions.ts';
import { acceptanceCandidate } from './acceptance-candidate.ts';
import { until } from './cache-wait.ts';
import type { DomainView } from './domain-view.ts';
import { domainView } from './describe-domain.ts';
import { isPastPending } from './domain-view.ts';
import { statusOf, inTurn } from './writes/write-turn.ts';
import type { DomainPath } from './find-in-account.ts';
import { domainOf } from './find-in-account.ts';
import { Problem } from './problem.ts';
import type { RequestContext } from './api-dependencies.ts';
import { useCase } from './use-case.ts';
import type { VerificationRequest } from './verification-request.ts';
import { isVerificationOver, verificationRequest } from './verification-request.ts';

interface VerifyDomain extends DomainPath {
  /** how long to wait for the check; 0: not at all */
  readonly waitMs: number;
}

export interface VerifyDomainResult {
  /** `finished`: a check that began after the request finished within the wait */
  readonly kind: 'asked' | 'finished';
  readonly domain: DomainView;
  /** of the object as the request was written: what is known of it from then on is as new, or newer */
  readonly version: number;
}

/**
 * Requests a DNS check now, and a new attempt at an overdue certificate. Rejects with domain-pending while the domain
 * waits for something other than DNS.
 */
export const verifyDomain = useCase<VerifyDomain, VerifyDomainResult>('domains:write', async (context, input) => {
  const { caches } = context.dependencies;
  const before = domainOf(context, input);
  rejectWhilePending(context, before);
  const { request, written } = await askForCheck(context, before);
  const key = objectKeyOf(before);
  const isOver = (observed: ProjectDomain | undefined) =>
    observed?.metadata.uid !== before.metadata.uid ||
    observed === undefined ||
    isVerificationOver(request, written, observed);
  const patience = { ms: input.waitMs, signal: context.signal };
  const finished = input.waitMs > 0 && (await until(caches.domains, key, isOver, patience));
  const after = caches.domains.get(key);
  if (after === undefined && finished)
    throw new Problem('not-found', `${before.spec.hostname} was removed in the meantime`);
  return {
    kind: finished ? 'finished' : 'asked',
    domain: domainView(context, after ?? before),
    version: Number(written.metadata.resourceVersion),
  };
});

/** Checking DNS does not help a domain that waits for something else: throws domain-pending. `siblings` where they were read before. */
export function rejectWhilePending(
  context: RequestContext,
  domain: ProjectDomain,
  siblings?: readonly Competitor[],
): void {
  if (isPastPending(domain)) return;
  const finding = acceptanceFinding(acceptanceCandidate(context, domain, siblings));
  if (isTrue(finding)) return;
  throw new Problem('domain-pending', finding.message, { members: { reason: finding.reason } });
}

interface AskedCheck {
  readonly request: VerificationRequest;
  /** the object as the request was written */
  readonly written: ProjectDomain;
}

/** Asks for a check, which the operator makes. Rejects with not-found when the domain is gone. */
export async function askForCheck(context: RequestContext, domain: ProjectDomain): Promise<AskedCheck> {
  const { cluster, now } = context.dependencies;
  const request = verificationRequest(domain, now());
  try {
    const written = await inTurn(context, null, () => cluster.apply(ProjectDomainKind, request.intent));
    return { request, written };
  } catch (error) {
    const status = statusOf(error);
    if (status !== 404 && status !== 409 && status !== 422) throw error;
    throw new Problem('not-found', `domain ${domain.metadata.name} is gone`);
  }
}
