import type { DomainPath } from '../../use-cases/find-in-account.ts';
import { problemOfError } from '../../use-cases/error-to-problem.ts';
import { showDomain } from '../../use-cases/read-domains.ts';
import type { ProjectDomainsEvent } from '../../use-cases/watch-project-domains.ts';
import { watchProjectDomains } from '../../use-cases/watch-project-domains.ts';
import { heartbeat, serverSentEvent } from '../../server/event-stream.ts';
import type { DashboardPage, PageRequest } from '../dashboard-page.ts';
import { mayChange, pathParameter } from '../dashboard-page.ts';
import { domainPanel } from '../views/domain-view.ts';
import { domainRow } from '../views/domain-list-view.ts';
import { domainModel } from './domain-controller.ts';

/**
 * Every change of the project's domains, as HTML that open pages insert. The stream starts with `names`, all hostnames
 * of the project, and the domains that are newer than the page, whose version is `since`. Each comes as its row in the
 * list; the one whose page this is, `hostname`, with the panel of that page.
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
  const { hostname } = request.query;
  const path = { project, hostname: typeof hostname === 'string' ? hostname : '' };
  let version = Number(request.query.since);
  let shown: string | null = null;
  for await (const event of events) {
    if (event.kind === 'changed') version = event.version;
    const next = await announcedCheck(request, path);
    const isOutdated = event.kind === 'heartbeat' && next !== shown;
    shown = next;
    yield isOutdated ? await changed(request, path, version) : await textOf(request, project, event);
  }
}

/**
 * The time of the next check that the page tells. A check that finds nothing new changes no object, so the page is told at
 * a heartbeat that another time has become the next.
 */
async function announcedCheck(request: PageRequest, path: DomainPath): Promise<string | null> {
  if (path.hostname === '') return null;
  try {
    return (await showDomain(request, path)).domain.nextCheckAt;
  } catch (error) {
    if (problemOfError(error)?.code !== 'not-found') throw error;
    return null;
  }
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
    const row = domainRow(request.view, await showDomain(request, path), mayChange(request)).text;
    const panel = request.query.hostname === hostname ? await panelOf(request, path) : {};
    return `id: ${version}\n${serverSentEvent('domain', { hostname, row, ...panel })}`;
  } catch (error) {
    if (problemOfError(error)?.code !== 'not-found') throw error;
    return serverSentEvent('removed', { hostname });
  }
}

/** Its cost grows with the project's domains, as it tells which changes of role would be accepted. */
async function panelOf(request: PageRequest, path: DomainPath): Promise<{ readonly panel: string }> {
  return { panel: domainPanel(request.view, await domainModel(request, path)).text };
}
