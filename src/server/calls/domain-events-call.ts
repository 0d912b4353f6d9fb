import type { DomainEvent } from '../../use-cases/watch-domain.ts';
import { watchDomain } from '../../use-cases/watch-domain.ts';
import { apiCall } from '../api-call.ts';
import { domainBody } from '../domain-body.ts';
import { heartbeat, serverSentEvent } from '../event-stream.ts';
import { eventStream } from '../schemas.ts';

export const watchDomainCall = apiCall({
  method: 'get',
  path: '/v1/projects/{project}/domains/{hostname}/events',
  name: 'watchDomain',
  summary:
    'Server-sent events: `state` with the domain at the start and on every change of state, `removed` at the end',
  scope: watchDomain.scope,
  successes: {
    200: {
      description:
        'A stream; a comment every 15 s keeps it alive, and it ends when its key becomes invalid. At most ten streams at a time per account and API server.',
      schema: eventStream,
      contentType: 'text/event-stream',
    },
  },
  problems: ['not-found', 'account-not-ready', 'too-many-streams'],
  handle: async (request) => ({ status: 200, events: encoded(await watchDomain(request, request.params)) }),
});

async function* encoded(events: AsyncIterable<DomainEvent>): AsyncGenerator<string> {
  for await (const event of events) yield textOf(event);
}

function textOf(event: DomainEvent): string {
  switch (event.kind) {
    case 'state':
      return serverSentEvent('state', domainBody(event.domain));
    case 'removed':
      return serverSentEvent('removed', { hostname: event.hostname });
    case 'heartbeat':
      return heartbeat;
  }
}
