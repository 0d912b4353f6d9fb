import type { DomainPath } from '../../use-cases/find-in-account.ts';
import { problemOfError } from '../../use-cases/error-to-problem.ts';
import type { DomainSituation } from '../../use-cases/domain-view.ts';
import { situationOf } from '../../use-cases/domain-view.ts';
import { showDomain } from '../../use-cases/read-domains.ts';
import type { ProjectDomainsEvent } from '../../use-cases/watch-project-domains.ts';
import { watchProjectDomains } from '../../use-cases/watch-project-domains.ts';
import { heartbeat, serverSentEvent } from '../../server/event-stream.ts';
import type { PageAnswer, PageRequest } from '../dashboard-page.ts';
import { mayChange, pathParameter } from '../dashboard-page.ts';
import { domainPanel } from '../views/domain-view.ts';
import { domainRow } from '../views/domain-list-view.ts';
import { domainModel } from './domain-controller.ts';

/**
 * Every change of the project's domains, as HTML that open pages insert. The stream starts with `names`, all hostnames
 * of the project, and the domains that are newer than the page, whose version is `since`. Each comes as its row in the
 * list; the one whose page this is, `hostname`, with the panel of that page.
 */
export async function eventsPage(request: PageRequest): Promise<PageAnswer> {
  const project = pathParameter(request, 'project');
  const since = Number(request.query.since ?? 0);
  const { stillSignedIn: alsoHolds, spend } = request;
  const events = await watchProjectDomains(request, { project, since, alsoHolds, spend });
  return { events: encoded(request, project, events) };
}

async function* encoded(
  request: PageRequest,
  project: string,
  events: AsyncIterable<ProjectDomainsEvent>,
): AsyncGenerator<string> {
  const { hostname } = request.query;
  const path = { project, hostname: typeof hostname === 'string' ? hostname : '' };
  let version = Number(request.query.since);
  let shown = await announcedCheck(request, path);
  for await (const event of events) {
    if (event.kind === 'changed') version = event.version;
    const next = event.kind === 'heartbeat' || isAbout(event, path) ? await announcedCheck(request, path) : shown;
    const isOutdated = event.kind === 'heartbeat' && next !== shown;
    shown = next;
    yield isOutdated ? await ownPage(request, path, version) : await textOf(request, path, event);
  }
}

const isAbout = (event: ProjectDomainsEvent, { hostname }: DomainPath): boolean =>
  event.kind === 'changed' && event.hostname === hostname;

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

/** The event as an open page reads it; `path` is the domain whose page this is. */
async function textOf(request: PageRequest, path: DomainPath, event: ProjectDomainsEvent): Promise<string> {
  switch (event.kind) {
    case 'names':
      return serverSentEvent('names', { hostnames: event.hostnames });
    case 'changed':
      if (isAbout(event, path)) return ownPage(request, path, event.version);
      return changed(event, rowOf(request, situationOf(event.viewed, request.dependencies.now())));
    case 'removed':
      return serverSentEvent('removed', { hostname: event.hostname });
    case 'heartbeat':
      return heartbeat;
  }
}

interface Changed {
  readonly hostname: string;
  readonly version: number;
}

/** A page resumes from the id after its stream was interrupted. */
const changed = ({ hostname, version }: Changed, shown: { readonly row: string; readonly panel?: string }): string =>
  `id: ${version}\n${serverSentEvent('domain', { hostname, ...shown })}`;

const rowOf = (request: PageRequest, situation: DomainSituation) => ({
  row: domainRow(request.view, situation, mayChange(request)).text,
});

/**
 * The domain whose page this is, with the panel, whose cost grows with the project's domains, as it tells which changes of role would be
 * accepted. A domain that no longer exists is sent as removed; any other error ends the stream, and the page asks for it again when it
 * reconnects.
 */
async function ownPage(request: PageRequest, path: DomainPath, version: number): Promise<string> {
  const { hostname } = path;
  try {
    const model = await domainModel(request, path);
    const panel = domainPanel(request.view, model).text;
    return changed({ hostname, version }, { ...rowOf(request, model), panel });
  } catch (error) {
    if (problemOfError(error)?.code !== 'not-found') throw error;
    return serverSentEvent('removed', { hostname });
  }
}
