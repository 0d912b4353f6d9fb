import type { ProjectDomain } from '../../generated/project-domain.ts';
import { fixedMaximum } from '../../rules/plan-limits.ts';
import { domainOf } from '../../use-cases/find-in-account.ts';
import { whileKeyIsValid } from '../../use-cases/key-validity.ts';
import { Problem } from '../../use-cases/problem.ts';
import type { ApiRequest } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { eventStream } from '../schemas.ts';
import type { ApiDependencies } from '../../use-cases/api-dependencies.ts';
import { domainView } from '../../use-cases/resource-views.ts';

const heartbeatMs = 15_000;

export const watchDomain = apiCall({
  method: 'get',
  path: '/v1/projects/{project}/domains/{hostname}/events',
  name: 'watchDomain',
  summary: 'Server-sent events: `state` with the domain at first and at every change of state, `removed` at its end',
  scope: 'domains:read',
  successes: {
    200: {
      description:
        'A stream; a comment every 15 s keeps it alive, and it ends with its key. Ten streams at a time for each account at each API server.',
      schema: eventStream,
      contentType: 'text/event-stream',
    },
  },
  problems: ['not-found', 'account-not-ready', 'too-many-streams'],
  handle(request) {
    const domain = domainOf(request);
    const account = request.caller.account.metadata.name;
    const release = admitStream(request.dependencies, account);
    return Promise.resolve({ status: 200, events: changes(request, domain, release) });
  },
});

const open = new WeakMap<ApiDependencies, Map<string, number>>();

/**
 * Counts the account's streams at this process; returns what ends this one. Where streams come to is up to a load balancer:
 * a share for each of several processes would refuse the second stream of an account that has hardly any.
 */
export function admitStream(dependencies: ApiDependencies, account: string): () => void {
  const counts = open.get(dependencies) ?? new Map<string, number>();
  open.set(dependencies, counts);
  const count = counts.get(account) ?? 0;
  const { eventStreams } = fixedMaximum;
  if (count >= eventStreams) {
    throw new Problem('too-many-streams', `${eventStreams} event streams of the account are open; close one first`, {
      headers: { 'retry-after': '15' },
    });
  }
  counts.set(account, count + 1);
  return () => {
    const left = (counts.get(account) ?? 1) - 1;
    if (left > 0) counts.set(account, left);
    else counts.delete(account);
  };
}

export const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

async function* changes(
  { dependencies, caller, signal: listens }: ApiRequest,
  domain: ProjectDomain,
  release: () => void,
): AsyncGenerator<string> {
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
      const view = domainView(dependencies, caller, seen);
      const changed = told !== `${view.state} ${view.reason}`;
      told = `${view.state} ${view.reason}`;
      const next = pause(signal, (resolve) => (wake = resolve));
      yield changed ? event('state', view) : ': still here\n\n';
      await next;
    }
    if (!signal.aborted) yield event('removed', { hostname: domain.spec.hostname });
  } finally {
    over.abort();
    unsubscribe();
    release();
  }
}

/** Until the domain changes, a heartbeat is due or the stream ends. */
export function pause(signal: AbortSignal, expose: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, heartbeatMs);
    signal.addEventListener('abort', end, { once: true });
    expose(end);
  });
}
