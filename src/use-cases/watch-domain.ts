import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DomainView } from './describe-domain.ts';
import { domainView } from './describe-domain.ts';
import { pause } from './event-streams.ts';
import type { DomainPath } from './find-in-account.ts';
import { domainOf } from './find-in-account.ts';
import { whileKeyIsValid } from './key-validity.ts';
import type { RequestContext } from './api-dependencies.ts';
import { useCase } from './use-case.ts';

export type DomainEvent =
  /** as it is at first, and at every change of state or reason */
  | { readonly kind: 'state'; readonly domain: DomainView }
  /** the last one */
  | { readonly kind: 'removed'; readonly hostname: string }
  /** nothing that is told has changed */
  | { readonly kind: 'heartbeat' };

/**
 * Every change of a domain's state, until it is removed, its key opens it no more or nobody listens. Rejects with
 * too-many-streams. Whoever takes the first event must end the iteration, which gives the account's place back.
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
  const { dependencies, caller, signal: listens } = context;
  const over = new AbortController();
  const signal = whileKeyIsValid({
    dependencies,
    caller,
    scope: 'domains:read',
    alsoHolds: () => Promise.resolve(true),
    signal: AbortSignal.any([listens, over.signal]),
  });
  const { namespace = '', name, uid } = domain.metadata;
  let wake: () => void = () => undefined;
  const unsubscribe = dependencies.caches.domains.subscribeTo({ namespace, name }, () => wake());
  try {
    let told: string | undefined;
    while (!signal.aborted) {
      const seen = dependencies.caches.domains.get({ namespace, name });
      if (seen?.metadata.uid !== uid || seen === undefined) break;
      const view = domainView(context, seen);
      const changed = told !== `${view.state} ${view.reason}`;
      told = `${view.state} ${view.reason}`;
      const next = pause(signal, (resolve) => (wake = resolve));
      yield changed ? { kind: 'state', domain: view } : { kind: 'heartbeat' };
      await next;
    }
    if (!signal.aborted) yield { kind: 'removed', hostname: domain.spec.hostname };
  } finally {
    over.abort();
    unsubscribe();
    release();
  }
}
