import type { ProjectDomain } from '../../generated/project-domain.ts';
import { admitStream, event, pause } from '../../server/calls/domain-events-call.ts';
import { projectOf } from '../../use-cases/find-in-account.ts';
import { whileKeyIsValid } from '../../use-cases/key-validity.ts';
import { indexKey } from '../../use-cases/acceptance-candidate.ts';
import type { DashboardPage, PageRequest } from '../dashboard-page.ts';
import { domainPanel } from '../views/domain-view.ts';
import { domainRow } from '../views/domains-view.ts';
import { modelOf } from './domain-controller.ts';
import { domainsOf } from './projects-controller.ts';

/**
 * Every change of the project's domains, as the HTML that the open pages put in their place. At first `names` of those
 * there are, and what is newer than the page that follows, which `since` tells.
 */
export const eventsPage: DashboardPage = {
  method: 'get',
  path: '/projects/:project/events',
  name: 'dashboardEvents',
  handle(request) {
    const { dependencies, visitor, params } = request;
    const { metadata } = projectOf({ dependencies, caller: visitor.caller, params });
    const release = admitStream(dependencies, visitor.caller.account.metadata.name);
    return Promise.resolve({ events: changes(request, metadata.namespace ?? '', release) });
  },
};

/** By hostname: the version that is to be told, null for what is gone. */
type Untold = Map<string, number | null>;

async function* changes(request: PageRequest, namespace: string, release: () => void): AsyncGenerator<string> {
  const { dependencies, visitor, params, query } = request;
  const over = new AbortController();
  const signal = whileKeyIsValid({
    dependencies,
    caller: visitor.caller,
    scope: 'domains:read',
    alsoHolds: request.stillSignedIn,
    signal: AbortSignal.any([request.signal, over.signal]),
  });
  const untold: Untold = new Map();
  let wake: () => void = () => undefined;
  const project = indexKey(namespace, params.project ?? '');
  const unsubscribe = dependencies.caches.domains.subscribeUnder('project', project, ({ object, type }) => {
    untold.set(object.spec.hostname, isGone(object, type) ? null : versionOf(object));
    wake();
  });
  try {
    const here = domainsOf(request, params.project ?? '');
    for (const domain of newerThan(Number(query.since ?? 0), here)) {
      untold.set(domain.spec.hostname, versionOf(domain));
    }
    yield event('names', { hostnames: here.map(({ spec }) => spec.hostname) });
    while (!signal.aborted) {
      const told = [...untold];
      untold.clear();
      for (const [hostname, version] of told) yield await tell(request, hostname, version);
      if (untold.size > 0) continue;
      await pause(signal, (resolve) => (wake = resolve));
      if (untold.size === 0) yield ': still here\n\n';
    }
  } finally {
    over.abort();
    unsubscribe();
    release();
  }
}

const versionOf = ({ metadata }: ProjectDomain): number => Number(metadata.resourceVersion);

/** All of them when `since` is no number. */
const newerThan = (since: number, domains: readonly ProjectDomain[]): readonly ProjectDomain[] =>
  Number.isNaN(since) ? domains : domains.filter((domain) => versionOf(domain) > since);

const isGone = ({ metadata }: ProjectDomain, type: string): boolean =>
  type === 'deleted' || metadata.deletionTimestamp !== undefined;

/** The id is where a page goes on from when its stream was cut. */
async function tell(request: PageRequest, hostname: string, version: number | null): Promise<string> {
  if (version === null) return event('removed', { hostname });
  try {
    const model = await modelOf({ ...request, params: { ...request.params, hostname } });
    const row = domainRow(model.domain, model.project).text;
    const panel = domainPanel(model, request.visitor.csrf).text;
    return `id: ${version}\n${event('domain', { hostname, row, panel })}`;
  } catch {
    return event('removed', { hostname });
  }
}
