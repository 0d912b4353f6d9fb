import type { ProjectDomain } from '../../../generated/project-domain.ts';
import { admitStream, event, pause } from '../../handlers/events.ts';
import { projectOf } from '../../locate.ts';
import type { Page, PageRequest } from '../page.ts';
import { domainPanel } from '../pages/domain.ts';
import { domainRow } from '../pages/domains.ts';
import { modelOf } from './domain.ts';

/** Every change of the project's domains, as the HTML that the open pages put in their place. */
export const eventsPage: Page = {
  method: 'get',
  path: '/projects/:project/events',
  name: 'dashboardEvents',
  handle(request) {
    const { world, visitor, params } = request;
    const { metadata } = projectOf({ world, caller: visitor.caller, params });
    const release = admitStream(world, visitor.caller.account.metadata.name);
    return Promise.resolve({ events: changes(request, metadata.namespace ?? '', release) });
  },
};

async function* changes(request: PageRequest, namespace: string, release: () => void): AsyncGenerator<string> {
  const { world, params, signal } = request;
  const changed = new Map<string, 'removed' | 'domain'>();
  let wake: () => void = () => undefined;
  const unsubscribe = world.caches.domains.subscribe(({ object, type }) => {
    if (object.metadata.namespace !== namespace || object.spec.project !== params.project) return;
    changed.set(object.spec.hostname, isGone(object, type) ? 'removed' : 'domain');
    wake();
  });
  try {
    yield ': here\n\n';
    while (!signal.aborted) {
      const told = [...changed];
      changed.clear();
      if (!(await request.stillSignedIn().catch(() => false))) break;
      for (const [hostname, kind] of told) yield await tell(request, hostname, kind);
      if (changed.size > 0) continue;
      await pause(signal, (resolve) => (wake = resolve));
      if (changed.size === 0) yield ': still here\n\n';
    }
  } finally {
    unsubscribe();
    release();
  }
}

const isGone = ({ metadata }: ProjectDomain, type: string): boolean =>
  type === 'deleted' || metadata.deletionTimestamp !== undefined;

async function tell(request: PageRequest, hostname: string, kind: 'removed' | 'domain'): Promise<string> {
  if (kind === 'removed') return event('removed', { hostname });
  try {
    const model = await modelOf({ ...request, params: { ...request.params, hostname } });
    const row = domainRow(model.domain, model.project).text;
    return event('domain', { hostname, row, panel: domainPanel(model, request.visitor.csrf).text });
  } catch {
    return event('removed', { hostname });
  }
}
