import type { DomainPath } from '../../use-cases/find-in-account.ts';
import { problemOfError } from '../../use-cases/error-to-problem.ts';
import type { ProjectDomainsEvent } from '../../use-cases/watch-project-domains.ts';
import { watchProjectDomains } from '../../use-cases/watch-project-domains.ts';
import { heartbeat, serverSentEvent } from '../../server/event-stream.ts';
import type { DashboardPage, PageRequest } from '../dashboard-page.ts';
import { pathParameter } from '../dashboard-page.ts';
import { domainPanel } from '../views/domain-view.ts';
import { domainRow } from '../views/domains-view.ts';
import { domainModel } from './domain-controller.ts';

/**
 * Every change of the project's domains, as HTML that open pages insert. The stream starts with `names`, all hostnames
 * of the project, and the domains that are newer than the page, whose version is `since`.
 */
export const eventsPage: DashboardPage = {
  method: 'get',
  path: '/projects/:project/events',
  name: 'dashboardEvents',
  async handle(request) {
    const project = pathParameter(request, 'project');
    const since = Number(request.query.since ?? 0);
    const events = await watchProjectDomains(request, { project, since, alsoHolds: request.stillSignedIn });
    return { events: encoded(request, project, events) };
  },
};

async function* encoded(
  request: PageRequest,
  project: string,
  events: AsyncIterable<ProjectDomainsEvent>,
): AsyncGenerator<string> {
  for await (const event of events) yield await textOf(request, project, event);
}

async function textOf(request: PageRequest, project: string, event: ProjectDomainsEvent): Promise<string> {
  switch (event.kind) {
    case 'names':
      return serverSentEvent('names', { hostnames: event.hostnames });
    case 'changed':
      return changed(request, { project, hostname: event.hostname }, event.version);
    case 'removed':
      return serverSentEvent('removed', { hostname: event.hostname });
    case 'heartbeat':
      return heartbeat;
  }
}

/**
 * A page resumes from the id after its stream was interrupted. A domain that no longer exists is sent as removed; any
 * other error ends the stream, and the page asks for this domain again when it reconnects.
 */
async function changed(request: PageRequest, path: DomainPath, version: number): Promise<string> {
  const { hostname } = path;
  try {
    const model = await domainModel(request, path);
    const row = domainRow(model.domain, model.project).text;
    const panel = domainPanel(model, request.visitor.csrf).text;
    return `id: ${version}\n${serverSentEvent('domain', { hostname, row, panel })}`;
  } catch (error) {
    if (problemOfError(error)?.code !== 'not-found') throw error;
    return serverSentEvent('removed', { hostname });
  }
}
