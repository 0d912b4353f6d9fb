import type { ProjectDomain } from '../generated/project-domain.ts';
import { objectKeyOf } from '../kubernetes/object-keys.ts';
import type { DomainView } from './domain-view.ts';
import { domainView } from './describe-domain.ts';
import { pause } from './event-streams.ts';
import type { DomainPath } from './find-in-account.ts';
import { domainOf } from './find-in-account.ts';
import { whileKeyIsValid } from './key-validity.ts';
import type { RequestContext } from './api-dependencies.ts';
import { useCase } from './use-case.ts';

export type DomainEvent =
  /** the current state first, then every change of state or reason */
  | { readonly kind: 'state'; readonly domain: DomainView }
  /** the last event */
  | { readonly kind: 'removed'; readonly hostname: string }
  /** neither state nor reason has changed */
  | { readonly kind: 'heartbeat' };

/**
 * Every change of a domain's state, until it is removed, the key becomes invalid or the client disconnects. Rejects
 * with too-many-streams. A caller that takes the first event must end the iteration, which releases the account's slot.
 */
export const watchDomain = useCase<DomainPath, AsyncIterable<DomainEvent>>('domains:read', (context, path) => {
  const domain = domainOf(context, path);
  const release = context.dependencies.streams.take(context.caller.account.metadata.name);
  return changes(context, domain, release);
});

async function* changes(
  context: RequestContext,
  domain: ProjectDomain,
  release: () => void,
): AsyncGenerator<DomainEvent> {
  const { dependencies, caller, signal: requestSignal } = context;
  const ended = new AbortController();
  const signal = whileKeyIsValid({ dependencies, caller, signal: AbortSignal.any([requestSignal, ended.signal]) });
  const key = objectKeyOf(domain);
  let wake: () => void = () => undefined;
  const unsubscribe = dependencies.caches.domains.subscribeTo(key, () => wake());
  try {
    let reported: string | undefined;
    while (!signal.aborted) {
      const observed = dependencies.caches.domains.get(key);
      if (observed?.metadata.uid !== domain.metadata.uid || observed === undefined) break;
      const view = domainView(context, observed);
      const changed = reported !== `${view.state} ${view.reason}`;
      reported = `${view.state} ${view.reason}`;
      const next = pause(signal, (resolve) => (wake = resolve));
      yield changed ? { kind: 'state', domain: view } : { kind: 'heartbeat' };
      await next;
    }
    if (!signal.aborted) yield { kind: 'removed', hostname: domain.spec.hostname };
  } finally {
    ended.abort();
    unsubscribe();
    release();
  }
}
